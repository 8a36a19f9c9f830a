"""Statistics of the public matches that are over: results, lengths, times. Of any number.

They are counted while the matches go by, a page at a time, so that memory does not grow with
them. The time of a move is what passed since the event before it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate, groupby
from math import log2
from typing import NamedTuple

from domain.i18n import say
from domain.log.event_format import actor_of
from services.accounts.accounts import find_id
from services.errors import NotFound
from services.store.db.engine import Database
from services.store.lobby import statistics
from services.store.lobby.statistics import StatisticsFilter

PAGE = 200
"""Matches that are looked at together, if they have no more than ``EVENTS`` in all."""

EVENTS = 20_000

FINENESS = 8
"""Classes of times for each doubling: a median is right to a twelfth."""

ALL = "all"
SEATS = ("seat-1", "seat-2")
RATED, SERIES = "rated", "series"


class StatisticsRow(NamedTuple):
    """Statistics of one game's matches, or of some of them.

    ``of``: ``all``; ``seat-1``, ``seat-2`` (where a player was chosen, the matches in which they
    sat there; the times are of this seat's moves alone); ``rated``, ``series`` (matches that were
    to be rated, or of a series); otherwise a reason for which matches ended. Seconds are None
    where no move was made.
    """

    game: str
    of: str
    matches: int
    won_by_1: int
    won_by_2: int
    drawn: int
    aborted: int
    moves_least: int
    moves_mean: float
    moves_most: int
    seconds_mean: float | None
    seconds_median: float | None


@dataclass(slots=True)
class _Tally:
    """What is counted of the matches of a row; it grows with how they differ, not with each."""

    results: Counter[object] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0
    classes: Counter[int] = field(default_factory=Counter)

    def add(self, match: statistics.Ended) -> None:
        self.results["aborted" if match.status == "aborted" else match.winner] += 1
        self.lengths[match.ply] += 1

    def add_time(self, seconds: float) -> None:
        self.seconds += seconds
        self.classes[round(FINENESS * log2(1 + seconds))] += 1

    def compute_median(self) -> float | None:
        left = self.classes.total() / 2
        for number, times in sorted(self.classes.items()):
            left -= times
            if left <= 0:
                return round(2 ** (number / FINENESS) - 1, 1)
        return None

    def make_row(self, game: str, of: str) -> StatisticsRow:
        matches, timed = self.lengths.total(), self.classes.total()
        return StatisticsRow(
            game=game,
            of=of,
            matches=matches,
            won_by_1=self.results[1],
            won_by_2=self.results[2],
            drawn=self.results[None],
            aborted=self.results["aborted"],
            moves_least=min(self.lengths),
            moves_mean=round(sum(self.lengths.elements()) / matches, 1),
            moves_most=max(self.lengths),
            seconds_mean=round(self.seconds / timed, 1) if timed else None,
            seconds_median=self.compute_median(),
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts results, lengths and times of the matches of a choice."""

    database: Database

    def list_rows(
        self, choice: StatisticsFilter, progress: Callable[[int], None] = lambda _: None
    ) -> list[StatisticsRow]:
        """Return the statistics by game: all its matches, by seat, rated, of series, by reason.

        ``progress`` is told after every page how many matches were counted. Raises ``NotFound``
        for a player whom there is not.
        """
        chosen = self._resolve_player(choice)
        tallies: defaultdict[tuple[str, int, str], _Tally] = defaultdict(_Tally)
        counted = 0
        for page, times in self._iter_pages(chosen):
            for match in page:
                seats = _list_seats(match, chosen.player)
                _count(tallies, match, seats, times.get(match.id, []))
            counted += len(page)
            progress(counted)
        return [tallies[key].make_row(key[0], key[2]) for key in sorted(tallies)]

    def _resolve_player(self, choice: StatisticsFilter) -> StatisticsFilter:
        if choice.player is None:
            return choice
        with self.database.read() as connection:
            player = find_id(connection, choice.player)
        if player is None:
            raise NotFound(say("There is no player {name}.", name=choice.player))
        return choice._replace(player=player)

    def _iter_pages(
        self, chosen: StatisticsFilter
    ) -> Iterator[tuple[list[statistics.Ended], dict[str, list[tuple[str, float]]]]]:
        """Yield matches, and by their ids who took how many seconds for each move."""
        after = ""
        while True:
            with self.database.read() as connection:
                found = statistics.list_ended(connection, chosen, after, PAGE)
                # No more events than so many, but one match at least.
                sizes = accumulate(match.version for match in found)
                page = found[: max(1, sum(size <= EVENTS for size in sizes))]
                stream = statistics.list_events(connection, [match.id for match in page])
            if page:
                by_match = groupby(stream, key=lambda event: event.match)
                yield page, {match: list(_iter_times(events)) for match, events in by_match}
            if not found or (len(found) < PAGE and len(page) == len(found)):
                return
            after = page[-1].id


def _iter_times(events: Iterable[statistics.Timed]) -> Iterator[tuple[str, float]]:
    before: datetime | None = None
    for event in events:
        at = datetime.fromisoformat(event.at)
        if event.kind == "move-made" and before is not None:
            yield actor_of(event.beginning), (at - before).total_seconds()
        before = at


def _list_seats(match: statistics.Ended, player: str | None) -> list[str]:
    """Return the seats on whose lines a match counts: both, or those of the player chosen."""
    sitting = zip(SEATS, (match.seat_1, match.seat_2), strict=True)
    return [seat for seat, sitter in sitting if player in (None, sitter)]


def _count(
    tallies: dict[tuple[str, int, str], _Tally],
    match: statistics.Ended,
    seats: list[str],
    times: list[tuple[str, float]],
) -> None:
    kinds = [(0, ALL), (3, match.reason)]
    if match.rated:
        kinds.append((2, RATED))
    if match.series is not None:
        kinds.append((2, SERIES))
    whole = [tallies[match.game, rank, of] for rank, of in kinds]
    by_seat = {seat: tallies[match.game, 1, seat] for seat in seats}
    for tally in (*whole, *by_seat.values()):
        tally.add(match)
    for actor, seconds in times:
        of_seat = [by_seat[actor]] if actor in by_seat else []
        for tally in (*whole, *of_seat):
            tally.add_time(seconds)
