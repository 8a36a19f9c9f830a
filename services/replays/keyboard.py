"""The keys of a replay: one table for the site, the terminal, their help and the docs.

A key has a name: the character that it types, or one of ``NAMED``. What an action does is up to
the front end; that it has this key, and what the help says of it, is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.i18n import say


class KeyName(NamedTuple):
    """A key that types nothing: how help shows it, and what a browser calls it."""

    shown: str
    browser: str


NAMED = {
    "right": KeyName("Right", "ArrowRight"),
    "left": KeyName("Left", "ArrowLeft"),
    "up": KeyName("Up", "ArrowUp"),
    "down": KeyName("Down", "ArrowDown"),
    "home": KeyName("Home", "Home"),
    "end": KeyName("End", "End"),
    "page-up": KeyName("Page Up", "PageUp"),
    "page-down": KeyName("Page Down", "PageDown"),
    "space": KeyName("Space", " "),
    "enter": KeyName("Enter", "Enter"),
    "escape": KeyName("Esc", "Escape"),
    "ctrl-d": KeyName("Ctrl-D", ""),
}
"""Keys by the names that we have for them."""

PAGE = 10
"""How many steps Page Up and Page Down go."""


class KeyBinding(NamedTuple):
    """What a key does. ``keys`` work everywhere, ``more`` on a terminal only.

    ``site``, ``terminal``: whether the site, or the terminal, has this action.
    """

    action: str
    keys: tuple[str, ...]
    meaning: str
    more: tuple[str, ...] = ()
    site: bool = True
    terminal: bool = True

    @property
    def all(self) -> tuple[str, ...]:
        """Every key of the terminal for this."""
        return self.keys + self.more

    @property
    def browser_keys(self) -> tuple[str, ...]:
        """The keys as a browser's ``KeyboardEvent.key`` names them."""
        return tuple(NAMED[key].browser if key in NAMED else key for key in self.keys)

    def list_labels(self, *, everything: bool = False) -> list[str]:
        """Name the keys for a person; ``everything``: the terminal's own as well.

        >>> KEYS[0].list_labels()
        ['Right']
        """
        keys = self.all if everything else self.keys
        return [NAMED[key].shown if key in NAMED else key for key in keys]


KEYS = (
    KeyBinding("next", ("right",), say("next step"), ("n", "l", "enter")),
    KeyBinding("previous", ("left",), say("previous step"), ("p", "h")),
    KeyBinding("first", ("home",), say("first step"), ("g",)),
    KeyBinding("last", ("end",), say("last step"), ("G",)),
    KeyBinding("on", ("page-down",), say("{number} steps on", number=PAGE)),
    KeyBinding("back", ("page-up",), say("{number} steps back", number=PAGE)),
    KeyBinding("next-match", (">",), say("next match of a series")),
    KeyBinding("match-before", ("<",), say("previous match of a series")),
    KeyBinding("mistake", ("x",), say("next mistake"), terminal=False),
    KeyBinding("mistake-before", ("X",), say("previous mistake"), terminal=False),
    KeyBinding("play", ("space",), say("play, pause")),
    KeyBinding("faster", ("+",), say("play faster"), ("=",)),
    KeyBinding("slower", ("-",), say("play slower")),
    KeyBinding("flip", ("f",), say("look from the other side")),
    KeyBinding("copy", ("c",), say("copy where this is")),
    KeyBinding("down", ("down",), say("scroll down"), ("j",), site=False),
    KeyBinding("up", ("up",), say("scroll up"), ("k",), site=False),
    KeyBinding("search", ("/",), say("search for words"), site=False),
    KeyBinding("found", ("]",), say("next place found"), site=False),
    KeyBinding("found-before", ("[",), say("place found before"), site=False),
    KeyBinding(
        "version",
        (":",),
        say("go to a move by its number, to an event by @ and its number"),
        site=False,
    ),
    KeyBinding("time", ("t",), say("go to a time"), site=False),
    KeyBinding("inspect", ("i",), say("the event as it is recorded"), site=False),
    KeyBinding("mark", ("m",), say("mark this step"), site=False),
    KeyBinding(
        "differences", ("d",), say("differences to the marked step, or the one before"), site=False
    ),
    KeyBinding("sight", ("s",), say("through whose eyes"), site=False),
    KeyBinding("help", ("?",), say("this help")),
    KeyBinding("close", ("escape",), say("close what is open")),
    KeyBinding("quit", ("q",), say("quit"), ("Q", "ctrl-d"), site=False),
)
"""The table, in the order of the help."""

ACTIONS = {key: one.action for one in KEYS if one.terminal for key in one.all}
"""What each key of the terminal does."""


def list_terminal_keys() -> list[KeyBinding]:
    """Return what the terminal has keys for."""
    return [one for one in KEYS if one.terminal]


def iter_site_keys() -> Iterator[KeyBinding]:
    """Yield what the site has keys for."""
    return (one for one in KEYS if one.site)
