"""Where a viewer stands in a replay, and where keys lead: everything but the screen itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from services.replays.keyboard import ACTIONS, PAGE

SPEED = 1.0
"""Frames a second when nobody says."""

BOARD, EVENT, DIFFERENCES, HELP = "board", "event", "differences", "help"
"""What the main part of the screen shows."""

PROMPTS = {"search": "Search: ", "version": "Move: ", "time": "Time: "}
"""What is asked for in the last line, by the action that asks."""

LONGEST = 200
"""Characters that a prompt takes."""


@dataclass(slots=True)
class Navigation:
    """Where a viewer stands. ``count``, ``index``: of frames. ``top``: lines scrolled off.

    ``prompt`` is the action that waits for words, ``typed`` what has come of them. ``wish`` is
    an action that needs more than the player to be done. ``found`` and ``mark`` are frames.
    ``news``: how many frames have come since somebody stood at the end and was carried along.
    ``series``: steps beyond the ends lead to other matches. ``over``: no frame will come any more.
    """

    count: int
    index: int
    speed: float
    playing: bool
    top: int = 0
    panel: str = BOARD
    flipped: bool = False
    prompt: str | None = None
    typed: str = ""
    wish: str | None = None
    message: str = ""
    found: list[int] = field(default_factory=list)
    mark: int | None = None
    news: int = 0
    series: bool = False
    over: bool = False
    done: bool = False

    def press(self, key: str) -> None:
        """Do what a key asks for."""
        self.message = ""
        if self.prompt is not None:
            self._type(key)
        elif self.panel == HELP and ACTIONS.get(key) not in ("up", "down"):
            self.show(BOARD)
        elif (action := ACTIONS.get(key)) is not None:
            _DEEDS[action](self)

    def go(self, index: int) -> None:
        """Go to a frame; beyond the ends, to the end."""
        self.index = min(max(index, 0), self.count - 1)
        self.top = 0
        if self.index == self.count - 1:
            self.news = 0

    def tick(self) -> None:
        """Go on by itself; stop at the end, if no other match may follow."""
        if self.index < self.count - 1:
            self.go(self.index + 1)
        elif self.series and self.over:
            self.wish_for("next-match")
        self.playing = self.index < self.count - 1 or (self.series and self.over)

    def step(self, by: int) -> None:
        """Go a step on or back by hand; in a series, from match to match."""
        if self.series and not 0 <= self.index + by < self.count:
            self.playing = False
            self.wish_for("next-match" if by > 0 else "match-before")
        else:
            self.jump(self.index + by)

    def arrive(self, count: int, index: int) -> None:
        """Begin with another match, at a frame of it."""
        self.count, self.mark, self.found = count, None, []
        self.go(index)
        self.news = 0

    def jump(self, index: int) -> None:
        """Go by hand, which pauses."""
        self.playing = False
        self.go(index)

    def grow(self, count: int) -> None:
        """Take in that there are more frames; whoever stood at the end is carried along.

        There may be fewer, if a backup took the place of the match.
        """
        at_the_end, more = self.index == self.count - 1, count - self.count
        self.count = count
        if more < 0:
            self.mark, self.found = None, []
        if at_the_end or self.index >= count:
            self.go(count - 1)
        else:
            self.news = max(0, self.news + more)

    def toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if not self.playing and self.index == self.count - 1:
            self.go(0)
        self.playing = not self.playing

    def change_speed(self, factor: float) -> None:
        """Play faster or slower."""
        self.speed = min(max(self.speed * factor, 0.1), 20)

    def scroll(self, lines: int) -> None:
        """Look further down or up."""
        self.top = max(0, self.top + lines)

    def show(self, panel: str) -> None:
        """Show something else in the main part; what is shown already gives way to the board."""
        self.panel = BOARD if panel == self.panel else panel
        self.top = 0

    def ask(self, action: str) -> None:
        """Ask for words."""
        self.playing = False
        self.prompt, self.typed = action, ""

    def go_to_found(self, by: int) -> None:
        """Go to the next place that was found, or the one before."""
        places = [one for one in self.found if (one - self.index) * by > 0]
        if places:
            self.jump(min(places) if by > 0 else max(places))
        else:
            self.message = "No further place." if self.found else "Search first: /"

    def set_mark(self) -> None:
        """Mark this frame, or unmark it."""
        self.mark = None if self.mark == self.index else self.index

    def close(self) -> None:
        """Close what is open; leave when nothing is."""
        if self.panel == BOARD:
            self.done = True
        self.show(BOARD)

    def wish_for(self, action: str) -> None:
        """Ask whoever looks after the player to do something."""
        self.wish = action

    def quit(self) -> None:
        """Leave."""
        self.done = True

    def _type(self, key: str) -> None:
        if key == "escape":
            self.prompt = None
        elif key == "enter":
            self.wish, self.prompt = self.prompt, None
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "ctrl-u":
            self.typed = ""
        elif key == "space" or (len(key) == 1 and key.isprintable()):
            self.typed = (self.typed + (" " if key == "space" else key))[:LONGEST]


_Deed: TypeAlias = Callable[[Navigation], None]

_DEEDS: dict[str, _Deed] = {
    "next": lambda player: player.step(1),
    "previous": lambda player: player.step(-1),
    "first": lambda player: player.jump(0),
    "last": lambda player: player.jump(player.count - 1),
    "on": lambda player: player.jump(player.index + PAGE),
    "back": lambda player: player.jump(player.index - PAGE),
    "next-match": lambda player: player.wish_for("next-match"),
    "match-before": lambda player: player.wish_for("match-before"),
    "play": Navigation.toggle,
    "faster": lambda player: player.change_speed(1.5),
    "slower": lambda player: player.change_speed(1 / 1.5),
    "flip": lambda player: setattr(player, "flipped", not player.flipped),
    "copy": lambda player: player.wish_for("copy"),
    "down": lambda player: player.scroll(1),
    "up": lambda player: player.scroll(-1),
    "search": lambda player: player.ask("search"),
    "found": lambda player: player.go_to_found(1),
    "found-before": lambda player: player.go_to_found(-1),
    "version": lambda player: player.ask("version"),
    "time": lambda player: player.ask("time"),
    "inspect": lambda player: player.show(EVENT),
    "mark": Navigation.set_mark,
    "differences": lambda player: player.show(DIFFERENCES),
    "sight": lambda player: player.wish_for("sight"),
    "help": lambda player: player.show(HELP),
    "close": Navigation.close,
    "quit": Navigation.quit,
}
"""What is done for each action of the table of keys."""
