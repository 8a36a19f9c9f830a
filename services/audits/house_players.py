"""Whether the house played what its engine gives: the search of a finished match, repeated.

No part of an audit, which is made of the rules alone: what an engine gives is no rule, and another
version of it gives something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.i18n import say
from domain.match.events import Event, MoveMade, TimeGiven
from domain.match.evolve import DOWNTIME
from domain.match.fold import Fold, remember_events
from domain.match.state import FINISHED, Match
from domain.search.engine import VERSION
from services.errors import InvalidRequest
from services.matches import access
from services.matches.house_players import think
from services.matches.repository import Repository
from services.store.db.engine import Database
from services.store.log import events as log


class HouseVerdict(NamedTuple):
    """What repeating the searches of a match came to.

    ``moves``: how many the house made. ``repeated``: how many of them its engine gives again.
    ``others``: versions of the engine that are not this release's; their moves cannot be repeated.
    ``differs``: the version of the first event that is not what the engine gives.
    """

    match: str
    moves: int
    repeated: int
    others: tuple[str, ...]
    differs: int | None = None

    @property
    def holds(self) -> bool:
        """Whether every move was repeated."""
        return self.moves == self.repeated


@dataclass(frozen=True, slots=True)
class HouseAudits:
    """Repeats the searches that house players made for their moves, and compares."""

    database: Database
    repository: Repository

    def verify(self, match_id: str) -> HouseVerdict:
        """Repeat the house's search of each of its moves in a finished match.

        Raises ``NotFound``, ``Corruption``, and ``InvalidRequest`` for a match that is not
        finished: the seeds of its searches follow from a secret that nobody knows before.
        """
        with self.database.read() as connection:
            match = self.repository.load(connection, match_id)
            if match is None:
                raise access.make_not_found(match_id)
            if match.status != FINISHED:
                raise InvalidRequest(
                    say("Only of a finished match can it be known what the house has drawn from.")
                )
            stream = log.load(connection, match_id)
        return self._repeat(match_id, stream)

    def _repeat(self, match_id: str, stream: Sequence[Event]) -> HouseVerdict:
        moves, repeated, others = 0, 0, dict[str, None]()
        games = self.repository.games
        folding = Fold(games, past=remember_events(stream, games))
        for event in stream:
            fact = event.fact
            if isinstance(fact, MoveMade) and fact.engine is not None:
                moves += 1
                if fact.engine["version"] != VERSION:
                    others[fact.engine["version"]] = None
                elif _gives(folding.get_state(), fact, fact.engine["level"], event, stream):
                    repeated += 1
                else:
                    return HouseVerdict(match_id, moves, repeated, (*others,), event.version)
            folding.add(event)
        return HouseVerdict(match_id, moves, repeated, (*others,))


def _gives(
    before: Match, fact: MoveMade, level: int, event: Event, stream: Sequence[Event]
) -> bool:
    """Say whether the engine gives the move that was made on the state ``before``."""
    whole = event.sealed[0].value if event.sealed else fact.move
    for version in _list_versions(event, stream):
        move = think(before, fact.seat, level, version)
        if move is not None and before.game.dump_move(move) == whole:
            return True
    return False


def _list_versions(event: Event, stream: Sequence[Event]) -> list[int]:
    """Return the versions on which a move may have been decided.

    That is the one before it. But time that a downtime has taken is given back first, in the same
    breath: then it was decided on the version before that.
    """
    versions = [event.version - 1]
    while True:
        before = stream[versions[-1] - 1].fact
        if not isinstance(before, TimeGiven) or before.reason != DOWNTIME:
            return versions
        versions.append(versions[-1] - 1)
