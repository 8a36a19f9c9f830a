"""Watching a replay on the whole screen of a terminal, until the viewer leaves."""

from __future__ import annotations

import re
import signal
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.replay.navigation import Navigation
from cli.replay.screen import draw_page
from cli.replay.source import (
    ReplaySource,
    find_by_move,
    find_by_time,
    find_by_version,
    search,
)
from cli.terminal.keys import ReadKey, keyboard
from cli.terminal.output import Output
from services.replays.replay import Replay

GLANCE = 0.25
"""Seconds after which to look whether the terminal has changed its size."""

POLL = 0.5
"""Seconds between two looks at whether a match has gone on."""


class Watching:
    """A replay on a screen. ``follow``: look for new moves until the match is over."""

    def __init__(
        self, source: ReplaySource, found: Replay, player: Navigation, *, follow: bool
    ) -> None:
        self.source = source
        self.found = found
        self.player = player
        self.follow = follow
        self._looked = time.monotonic()
        self._inform_player()

    def run(self, out: Output) -> None:
        """Show it until the viewer leaves, then leave the screen as it was."""
        with _ended_in_order(), keyboard() as read, out.screen(hide_cursor=True) as screen:
            while not self.player.done:
                sight = self.source.describe_sight(self.found)
                size = out.size
                screen.update(draw_page(self.found, self.player, *size, sight=sight))
                self._wait(read, out, size)
                self._grant(out)

    def _wait(self, read: ReadKey, out: Output, size: tuple[int, int]) -> None:
        """Wait for a key, the time of the next frame, new moves, or another size than drawn."""
        due = time.monotonic() + 1 / self.player.speed
        while out.size == size:
            left = due - time.monotonic()
            if self.player.playing and left <= 0:
                self.player.tick()
                return
            key = read(min(GLANCE, left) if self.player.playing else GLANCE)
            if key is not None:
                self.player.press(key)
                return
            if self._has_gone_on():
                return

    def _has_gone_on(self) -> bool:
        if not self.follow or self.player.over or time.monotonic() < self._looked + POLL:
            return False
        self._looked = time.monotonic()
        news = self.source.find_news(self.found)
        if news is None:
            return False
        self.found = news
        self.player.grow(len(news.frames))
        self._inform_player()
        return True

    def _inform_player(self) -> None:
        """Let the player know what there is beyond the ends."""
        view = self.found.shown.view
        self.player.series, self.player.over = view.series is not None, view.result is not None

    def _grant(self, out: Output) -> None:
        """Do what needs more than the player."""
        wish, self.player.wish = self.player.wish, None
        if wish == "copy":
            self._copy(out)
        elif wish is not None:
            _WISHES[wish](self)

    def _copy(self, out: Output) -> None:
        """Give the place to the terminal's clipboard (OSC 52), and show it in any case."""
        place = f"{self.found.shown.view.id}@{self.found.frames[self.player.index].version}"
        out.file.write(f"\x1b]52;c;{b64encode(place.encode()).decode()}\x07")
        out.file.flush()
        self.player.message = f"{place} is copied, where the terminal allows it."

    def search(self) -> None:
        """Go to the next step that says what was typed, from here on and round."""
        player, words = self.player, self.player.typed.strip()
        player.found = search(self.found, words) if words else []
        if not player.found:
            player.message = f"No step says {words!r}." if words else "The search is closed."
            return
        player.jump(
            min((one for one in player.found if one >= player.index), default=player.found[0])
        )
        count = len(player.found)
        player.message = f"{count} {'step' if count == 1 else 'steps'} found. ] next   [ before"

    def go_to_version(self) -> None:
        """Go to a move by its number, or to an event by ``@`` and its number."""
        frames, typed = self.found.frames, self.player.typed.strip()
        find = find_by_version if typed.startswith("@") else find_by_move
        number = typed.removeprefix("@")
        place = find(frames, int(number)) if re.fullmatch("[0-9]{1,9}", number) else None
        moves = max([0, *(one.place.move or 0 for one in frames)])
        self._go(place, f"Moves are 0 to {moves}, events @1 to @{frames[-1].version}.")

    def go_to_time(self) -> None:
        """Go to where the match stood at a time."""
        place = find_by_time(self.found.frames, self.player.index, self.player.typed)
        self._go(place, "A time is 22:03 or 2026-11-27 22:03, in UTC.")

    def go_to_next_match(self) -> None:
        """Go on to the beginning of the next match of the series."""
        self._walk(1, "No further match of this series has begun.")

    def go_to_match_before(self) -> None:
        """Go back to the end of the match before in the series."""
        self._walk(-1, "No match of this series came before.")

    def _walk(self, by: int, otherwise: str) -> None:
        player = self.player
        if not self.source.walk(self.found, by):
            player.playing = False
            player.message = otherwise if player.series else "This match is of no series."
            return
        self.found = self.source.load()
        last = len(self.found.frames) - 1
        player.arrive(last + 1, 0 if by > 0 else last)
        self._inform_player()
        series = self.found.shown.view.series or {}
        player.message = f"This is match {series.get('number')} of the series."

    def _go(self, place: int | None, otherwise: str) -> None:
        if place is None:
            self.player.message = otherwise
        else:
            self.player.jump(place)

    def switch_sight(self) -> None:
        """Look through other eyes, at the same step."""
        if not self.source.change_sight(self.found):
            self.player.message = "While a match runs, only --as shows what a seat sees."
            return
        self.found = self.source.load()
        self.player.grow(len(self.found.frames))
        self.player.message = f"Seen now: {self.source.describe_sight(self.found)}."


_WISHES: dict[str, Callable[[Watching], None]] = {
    "search": Watching.search,
    "version": Watching.go_to_version,
    "time": Watching.go_to_time,
    "sight": Watching.switch_sight,
    "next-match": Watching.go_to_next_match,
    "match-before": Watching.go_to_match_before,
}


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a process that is told to end put its terminal in order first."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
