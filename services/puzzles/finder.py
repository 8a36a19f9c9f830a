"""Finds puzzles in finished public matches, and keeps them.

The positions of a match are looked at from its end, where proofs are short, until two in a row
would take too long. Which matches were looked through is kept, so that doing it again finds no
more and takes no time; a release that finds others counts ``METHOD`` up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from domain.errors import Corruption, UnknownGame
from domain.game.game import AnyGame, Position
from domain.match.state import FINISHED, Match
from domain.search.puzzles import BUDGET, PuzzleSearch
from services.matches.access import PUBLIC
from services.matches.repository import Repository
from services.puzzles.stored import Source, row_of
from services.runtime.low_priority import make_thinker, wait
from services.store import puzzles
from services.store.db.engine import Database
from services.store.lobby.filters import RowFilters, iter_match_ids
from services.store.puzzles import PuzzleRow

METHOD = 1
"""Rises with whatever may find other puzzles in a match that was looked through."""

GIVE_UP = 2
"""After so many positions in a row that take too long the earlier ones are left alone."""

_log = structlog.get_logger(__name__)


class Searched(NamedTuple):
    """A match that was looked through, how many puzzles it has, and how many of them are new."""

    match: str
    found: int
    new: int


class _Stand(NamedTuple):
    """A position of a match at which a seat is to act."""

    version: int
    position: Position
    seat: int


@dataclass(frozen=True, slots=True)
class PuzzleFinder:
    """Looks through matches, and keeps what it finds."""

    database: Database
    repository: Repository
    _thinker: ThreadPoolExecutor = field(
        default_factory=lambda: make_thinker("puzzle-thinks"), init=False
    )

    def run(self, game: str | None = None, *, anew: bool = False) -> Iterator[Searched]:
        """Look through all finished public matches, of one game or of all, the newest first.

        Yields each that was not looked through before; ``anew``: each. Whoever has enough stops.
        """
        filters = RowFilters(game=game, status=FINISHED)
        for match_id in iter_match_ids(self.database, filters):
            searched = self.search_match(match_id, anew=anew)
            if searched is not None:
                yield searched

    def look(self, gives_way: Callable[[], bool] = lambda: False) -> Mapping[str, int]:
        """Look through one match that was analysed; return how many puzzles are new.

        ``gives_way``: whether something else is more urgent just now.
        """
        with self.database.read() as connection:
            match_id = puzzles.find_unsearched(connection, METHOD)
        if match_id is None:
            return {}
        found = self.search_match(match_id, gives_way=gives_way)
        if found is None:
            # It cannot be read, which is no reason to try again and again.
            found = self._keep(match_id, [])
        return {"puzzles": found.new}

    def search_match(
        self, match_id: str, *, anew: bool = False, gives_way: Callable[[], bool] = lambda: False
    ) -> Searched | None:
        """Find and keep the puzzles of one match.

        None: it is not finished, not public, not there, or was looked through before. Of games in
        which something is hidden nothing can be proven.
        """
        try:
            with self.database.read() as connection:
                if not anew and puzzles.is_searched(connection, match_id, METHOD):
                    return None
                match = self.repository.load(connection, match_id)
                if match is None or match.status != FINISHED or match.visibility != PUBLIC:
                    return None
                stands = [] if match.game.secrets else self._list_stands(connection, match)
        except (Corruption, UnknownGame) as fault:
            _log.warning("match_without_puzzles", match=match_id, fault=str(fault))
            return None
        search = PuzzleSearch(match.game, match.options, BUDGET)
        rows = _iter_puzzles(match.game, search, match_id, _iter_when_idle(stands, gives_way))
        try:
            found = self._thinker.submit(list[PuzzleRow], rows).result()
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are to go on
            _log.error("puzzles_failed", match=match_id, reason=type(error).__name__)
            found = []
        return self._keep(match_id, found)

    def add(self, found: Sequence[PuzzleRow]) -> int:
        """Keep puzzles that belong to no match; return how many are new."""
        with self.database.read() as connection:
            there = puzzles.list_stored(connection, puzzles.list_ids(found))
        fresh = [one for one in found if one.id not in there]
        if not fresh:
            return 0
        with self.database.write() as connection:
            return puzzles.insert(connection, fresh)

    def _list_stands(self, connection: Connection, match: Match) -> list[_Stand]:
        """Return the positions of a match at which a seat was to act, the last one first."""
        past = self.repository.make_past(connection, match.id)
        stands: dict[Position, _Stand] = {}
        for version in range(1, match.version):
            then = past(version)
            if then.position is not None and then.to_act is not None:
                stands.setdefault(then.started, _Stand(version, then.started, then.to_act))
        return [*stands.values()][::-1]

    def _keep(self, match_id: str, found: Sequence[PuzzleRow]) -> Searched:
        with self.database.write() as connection:
            new = puzzles.insert(connection, found)
            puzzles.save_search(connection, match_id, METHOD)
        return Searched(match_id, len(found), new)


def _iter_puzzles(
    game: AnyGame, search: PuzzleSearch, match_id: str, stands: Iterable[_Stand]
) -> Iterator[PuzzleRow]:
    given_up = 0
    for version, position, seat in stands:
        puzzle = search.find_puzzle(position, seat)
        given_up = given_up + 1 if search.unproven else 0
        if puzzle is not None:
            yield row_of(game, position, puzzle, Source(match_id, version))
        if given_up == GIVE_UP:
            break


def _iter_when_idle(stands: Sequence[_Stand], gives_way: Callable[[], bool]) -> Iterator[_Stand]:
    """Yield positions, each when nothing is more urgent, or has been for too long."""
    for stand in stands:
        wait(gives_way)
        yield stand
