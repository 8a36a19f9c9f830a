"""Watching a replay on a terminal: keys move through the frames, or time does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import TypeAlias

from rich.text import Text

from cli.keys import ReadKey, keyboard
from cli.terminal import Output
from services.drawing.text.cells import QUIET
from services.drawing.text.frames import Names, board, heading, standing
from services.replays import Replay

SPEED = 1.0
"""Frames a second when nobody says."""

GLANCE = 0.5
"""Seconds after which to look whether the terminal has changed its size."""

HELP = """\
right, n, Enter   next frame          left, p     previous frame
home, g           first frame         end, G      last frame
space             play, pause         + -         faster, slower
down, up          scroll a board that is too tall
?                 this help           q           quit

Press any key to go on."""

SHORT_HELP = "<- -> step   space play   ? help   q quit"


@dataclass(slots=True)
class Player:
    """Where a viewer stands in a replay. ``top``: how many lines have scrolled off."""

    count: int
    index: int
    speed: float
    playing: bool
    top: int = 0
    helping: bool = False
    done: bool = False

    def press(self, key: str) -> None:
        """Do what a key asks for."""
        if self.helping:
            self.helping = False
            return
        action = _ACTIONS.get(key)
        if action is not None:
            action(self)

    def go(self, index: int) -> None:
        """Go to a frame; beyond the ends, to the end."""
        self.index = min(max(index, 0), self.count - 1)
        self.top = 0

    def tick(self) -> None:
        """Go on by itself; stop at the end."""
        self.go(self.index + 1)
        self.playing = self.index < self.count - 1

    def step(self, by: int) -> None:
        """Step by hand, which pauses."""
        self.playing = False
        self.go(self.index + by)

    def jump(self, index: int) -> None:
        """Jump by hand, which pauses."""
        self.playing = False
        self.go(index)

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

    def ask_help(self) -> None:
        """Show the help."""
        self.helping = True

    def quit(self) -> None:
        """Leave."""
        self.done = True


_Action: TypeAlias = Callable[[Player], None]
_ACTIONS: dict[str, _Action] = {}


def _bind(action: _Action, *keys: str) -> None:
    _ACTIONS.update(dict.fromkeys(keys, action))


_bind(lambda player: player.step(1), "right", "n", "l", "enter")
_bind(lambda player: player.step(-1), "left", "p", "h")
_bind(lambda player: player.jump(0), "home", "g")
_bind(lambda player: player.jump(player.count - 1), "end", "G")
_bind(Player.toggle, "space")
_bind(lambda player: player.change_speed(1.5), "+", "=")
_bind(lambda player: player.change_speed(1 / 1.5), "-")
_bind(lambda player: player.scroll(1), "down", "j")
_bind(lambda player: player.scroll(-1), "up", "k")
_bind(Player.ask_help, "?")
_bind(Player.quit, "q", "Q", "\x1b", "\x04")


def watch(found: Replay, start: int, speed: float | None, out: Output) -> None:
    """Show a replay until the viewer leaves, then leave the screen as it was."""
    player = Player(len(found.frames), start, speed or SPEED, playing=speed is not None)
    with keyboard() as read, out.screen(hide_cursor=True) as screen:
        while not player.done:
            screen.update(page(found, player, out.width, out.height))
            _wait(player, read, out)


def _wait(player: Player, read: ReadKey, out: Output) -> None:
    """Wait for a key, for the time of the next frame, or for another size of the terminal."""
    size, due = out.size, time.monotonic() + 1 / player.speed
    while out.size == size:
        left = due - time.monotonic()
        if player.playing and left <= 0:
            player.tick()
            return
        key = read(min(GLANCE, left) if player.playing else GLANCE)
        if key is not None:
            player.press(key)
            return


def page(found: Replay, player: Player, width: int, height: int) -> Text:
    """Compose the whole screen: the frame, cut to where it is scrolled to, and a footer."""
    if player.helping:
        return Text(HELP)
    lines = _body(found, player, width)
    room = max(1, height - 2)
    player.top = min(player.top, max(0, len(lines) - room))
    shown = lines[player.top : player.top + room]
    shown += [Text()] * (room - len(shown))
    return Text("\n").join([*shown, Text(), _footer(player, scrolls=len(lines) > room)])


def _body(found: Replay, player: Player, width: int) -> list[Text]:
    frame = found.frames[player.index]
    names = Names(found.shown.names)
    told = wrap(f"Event {frame.version} of {found.frames[-1].version}: {frame.text}", width)
    return [
        *heading(found.shown.view, names, width).split(),
        Text(),
        *map(Text, told),
        standing(frame.view, names),
        Text(),
        *board(frame.view, width).split(),
    ]


def _footer(player: Player, *, scrolls: bool) -> Text:
    state = f"playing at {player.speed:.2g}/s" if player.playing else "paused"
    more = "   up/down scroll" if scrolls else ""
    return Text(f"{player.index + 1}/{player.count} {state}   {SHORT_HELP}{more}", QUIET)
