"""Hints: what the strongest level of the house would play, in practice matches alone.

A hint looks at what the seat that is to act sees, and at nothing else of the match. Where
something is hidden only who acts in that seat gets one, for it tells of that seat's hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from domain.errors import MatchNotActive, NotYourSeat
from domain.game.game import Move, Viewer
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.state import ACTIVE, Match
from domain.match.views import show_move, view
from domain.search.engine import Question, choose, count_levels
from services.errors import NoHints
from services.matches.match_json import HANDS
from services.matches.queries import Asker, MatchQueries

_KEPT = 256


class Hint(NamedTuple):
    """A move that may be made at a version; ``path``: its steps on the board."""

    version: int
    move: JsonObject
    text: str
    path: list[str]


@dataclass(frozen=True, slots=True)
class Hints:
    """Gives hints. Those of positions that were asked about a moment ago are kept."""

    queries: MatchQueries
    _known: LRUCache[tuple[str, str], Move] = field(
        default_factory=lambda: LRUCache(_KEPT), init=False
    )
    _lock: Lock = field(default_factory=Lock, init=False)

    def get(self, look: Asker, match_id: str) -> Hint:
        """Return a hint for the seat that is to act.

        Raises ``NotFound``, ``NoHints`` for all but practice matches, ``MatchNotActive``, and
        ``NotYourSeat`` where something is hidden and somebody else acts.
        """
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, look, match_id)
            names = self.queries.accounts.find_names_in(connection, match.seats)
        if not all(names.get(one or "") in HANDS for one in match.seats):
            raise NoHints(say("There are hints in practice matches alone."))
        if not count_levels(match.game):
            raise NoHints(say("In {game} the house does not play.", game=match.game.name))
        if match.status != ACTIVE or match.to_act is None:
            raise MatchNotActive(say("This match is over."))
        if match.game.secrets and match.seat_of(look.caller) != match.to_act:
            raise NotYourSeat(say("Only the seat that is to act gets a hint here."))
        return self._make_hint(match, match.to_act)

    def _make_hint(self, match: Match, seat: int) -> Hint:
        sight = view(match, Viewer.from_seat(seat)).sight
        if sight is None:
            raise MatchNotActive(say("This match is over."))
        with self._lock:
            move = self._known.get((match.id, match.head))
        if move is None:
            # Nothing of the match's secret goes into the seed: a hint tells what can be seen.
            question = Question(sight, seat, match.options)
            move = choose(match.game, question, len(match.game.levels), match.version)
            with self._lock:
                self._known[match.id, match.head] = move
        shown = show_move(match.game, sight, move)
        return Hint(match.version, shown["move"], str(shown["text"]), list(shown["path"]))
