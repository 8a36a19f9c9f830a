"""House players at work: they answer what is proposed to them, and move when it is their turn.

They take the one way of a command, like everybody. What they think about is what their seat sees.
Each thing that they do is decided on a version, so that of several who let them do it at the same
time one does, and whoever is cut off between thinking and moving has done nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic

import structlog

from domain.errors import Corruption, MatchNotActive, NotYourTurn, Refusal, TimeIsUp
from domain.game.game import Move, Viewer
from domain.match.house_players import HOUSE, PLAYERS, engine_of, level_of, seed
from domain.match.state import ACTIVE, OFFER_KINDS, Match, offer_of
from domain.match.views import view
from domain.search.engine import VERSION, Question, choose
from services.errors import NotFound, StaleVersion
from services.matches.actions import Action
from services.matches.commands import MatchCommands
from services.matches.requests import ChangeRequest
from services.store.log import feed

LOOK_EVERY = 0.25
"""Seconds between two looks at the log for what house players owe."""

ALL_EVERY = 60.0
"""Seconds until all their matches are looked at again: what has failed is tried again then."""

DRAW_FROM = 100
"""From so many moves on house players accept a draw."""

_MARKS = 500

_OVERTAKEN = (StaleVersion, TimeIsUp, MatchNotActive, NotYourTurn, NotFound)
"""What says that a match has gone on meanwhile: its news come with the log."""

_log = structlog.get_logger(__name__)


def thought(match: Match, seat: int, level: int, version: int) -> Move | None:
    """Return the move of a house player in ``seat``, to act on this state; None: none is due.

    It is found from what the seat sees, and from a seed that tells nothing of what it does not
    see. ``version``: that of the match on which it is decided.
    """
    sight = view(match, Viewer.of_seat(seat)).sight
    if sight is None or match.to_act != seat:
        return None
    question = Question(sight, seat, match.options)
    return choose(match.game, question, level, seed(match.secret, match.id, version))


def accepts(match: Match, kind: str) -> bool:
    """Say whether a house player accepts what is proposed to it.

    A draw from ``DRAW_FROM`` moves on; everything else, but in a rated match no takeback and no
    abort.
    """
    if kind == "draw":
        return match.ply >= DRAW_FROM
    return not match.rated or kind not in ("takeback", "abort")


@dataclass(slots=True)
class HousePlayers:
    """Lets house players do what they owe, one thing after the other.

    ``look`` follows the log from where the last look ended; the first one, and one in a while,
    goes through all their matches.
    """

    matches: MatchCommands
    _cursor: str = field(default=feed.START, init=False)
    _all_at: float = field(default=0.0, init=False)
    _told: set[str] = field(default_factory=set, init=False)

    def look(self) -> Mapping[str, int]:
        """Do what is owed where something has happened; return how much that was."""
        done, failed = 0, 0
        for match_id in self._concerned():
            try:
                done += self.go_on(match_id)
            except Exception as error:  # noqa: BLE001 - whatever it is, the others are to go on
                failed += 1
                self._tell(match_id, error)
        return {"done": done, "failed": failed}

    def go_on(self, match_id: str) -> bool:
        """Let a house player do the next thing that it owes in a match; False: it owes nothing."""
        with self.matches.database.read() as connection:
            match = self.matches.repository.load(connection, match_id)
        if match is None or match.status != ACTIVE:
            return False
        for seat, player in enumerate(match.seats, 1):
            level = level_of(player)
            if level is not None and self._goes_on(match, seat, level):
                return True
        return False

    def _goes_on(self, match: Match, seat: int, level: int) -> bool:
        request = ChangeRequest(PLAYERS[level], match.version)
        try:
            return self._answers(match, seat, request) or self._moves(match, seat, level)
        except _OVERTAKEN:
            return False

    def _answers(self, match: Match, seat: int, request: ChangeRequest) -> bool:
        for kind in OFFER_KINDS:
            offer = offer_of(match.offers, kind)
            if offer is not None and offer.seat != seat:
                verb = "accept" if accepts(match, kind) else "decline"
                self.matches.act(request, match.id, Action(f"{verb}_{kind}"))
                return True
        return False

    def _moves(self, match: Match, seat: int, level: int) -> bool:
        move = thought(match, seat, level, match.version)
        if move is None:
            return False
        engine = engine_of(VERSION, level)
        request = ChangeRequest(PLAYERS[level], match.version, cause=HOUSE, engine=engine)
        self.matches.play(request, match.id, match.game.written(move))
        return True

    def _concerned(self) -> Iterable[str]:
        """Return the matches in which house players may owe something, those first that wait."""
        players = [*PLAYERS.values()]
        with self.matches.database.read() as connection:
            if monotonic() >= self._all_at:
                # The end of the log first: what comes between the two is looked at twice.
                self._cursor = feed.end(connection)
                self._all_at = monotonic() + ALL_EVERY
                return feed.owed(connection, players)
            found: dict[str, None] = {}
            while True:
                marks = feed.marks(connection, self._cursor, _MARKS)
                self._cursor = marks.cursor
                found |= dict.fromkeys(mark.match for mark in marks.events)
                if len(marks.events) < _MARKS:
                    return feed.played_by(connection, players, [*found])

    def _tell(self, match_id: str, error: Exception) -> None:
        """Note once that a match cannot go on; what its text says may be of what is stored."""
        if match_id not in self._told:
            self._told.add(match_id)
            stated = isinstance(error, (Corruption, Refusal))
            reason = str(error) if stated else type(error).__name__
            _log.error("house_player_failed", match=match_id, reason=reason)
