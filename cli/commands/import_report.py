"""What an import took in and what it refused, told to whoever sits at a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from services.exchange.imports import ImportResult

SINGLY = 20
"""So many matches are told one by one; of more, how many there were of each game."""
MOST_TOLD = 1_000
"""Refused matches that are told one by one, to whoever reads lines."""
OUTCOMES = {"imported": "imported", "known": "here already", "refused": "refused"}
DRY = {**OUTCOMES, "imported": "would be imported"}
NO_GAME = "no game"


class Intake:
    """Counts what became of matches, in the memory of a few of them."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._first: list[tuple[str, ImportResult]] = []
        self._by_game: Counter[tuple[str, str]] = Counter()
        self._events: Counter[str] = Counter()
        self._last: tuple[str, ImportResult]

    def add(self, file: str, told: ImportResult) -> None:
        """Count the result of a match that was imported or refused."""
        self._last = (file, told)
        game = told.game or NO_GAME
        self.counts[told.outcome] += 1
        self._by_game[game, told.outcome] += 1
        self._events[game] += told.events
        if len(self._first) <= SINGLY:
            self._first.append((file, told))

    @property
    def events(self) -> int:
        """How many events these matches have."""
        return self._events.total()

    @property
    def few_refused(self) -> bool:
        """Whether no more were refused so far than are told one by one."""
        return self.counts["refused"] <= MOST_TOLD

    def list_untold(self) -> list[tuple[str, ImportResult]]:
        """Return those among the last ones added that no table will tell one by one.

        While it may still be a short table, nothing; then all so far; then each as it comes.
        """
        added = self.counts.total()
        if added <= SINGLY:
            return []
        return self._first if added == SINGLY + 1 else [self._last]

    def build_table(self, *, dry: bool) -> Table:
        """Return the table that is printed at the end: matches one by one, or counted."""
        words = DRY if dry else OUTCOMES
        return (
            self._tabulate_matches(words)
            if len(self._first) <= SINGLY
            else self._tabulate_games(words)
        )

    def _tabulate_matches(self, words: dict[str, str]) -> Table:
        from cli.terminal.output import tame
        from services.drawing.text.frames import write_name

        files = len({file for file, _ in self._first}) > 1
        why = any(told.reason for _, told in self._first)
        columns = ["File"] * files + ["Line", "Match", "Game", "Events", "Outcome"] + ["Why"] * why
        table = _make_table(*columns)
        for file, told in self._first:
            match, game = (write_name(one or "?") for one in (told.match, told.game))
            cells = [str(told.line), match, game, f"{told.events:,}", words[told.outcome]]
            table.add_row(*[file] * files, *cells, *[tame(told.reason or "")] * why)
        return table

    def _tabulate_games(self, words: dict[str, str]) -> Table:
        from services.drawing.text.frames import write_name

        titles = [f"{word[:1].upper()}{word[1:]}" for word in words.values()]
        table = _make_table("Game", *titles, "Events", numbers=True)
        for game, events in sorted(self._events.items()):
            counts = [f"{self._by_game[game, outcome]:,}" for outcome in words]
            table.add_row(write_name(game), *counts, f"{events:,}")
        return table


def _make_table(*columns: str, numbers: bool = False) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, column in enumerate(columns):
        right = column in ("Line", "Events") or (numbers and place)
        table.add_column(
            column,
            justify="right" if right else "left",
            no_wrap=column not in ("File", "Why"),
            overflow="fold",
        )
    return table
