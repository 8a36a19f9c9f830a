"""Looks at single matches, each through the one door. Nothing here writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from domain.errors import Corruption, UnknownGame
from domain.game.game import Viewer
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.decisions.decide import must_have_turn
from domain.match.state import FINISHED, Match
from domain.match.views import show_event, show_move, view
from services.accounts.accounts import Accounts
from services.errors import NoSuchStep, NotFound
from services.matches import access
from services.matches.access import PRIVATE, identify_caller, show_with_names
from services.matches.downtime import Downtime
from services.matches.event_ids import START, EventId, make_event_id
from services.matches.match_json import ShownMatch
from services.matches.repository import Repository
from services.store.db.engine import Database
from services.store.log import events as log

_log = structlog.get_logger(__name__)


class LegalMoves(NamedTuple):
    """The legal moves of the caller's seat; ``seat`` None: the caller has none."""

    version: int
    seat: int | None
    moves: list[JsonObject]


class EventPage(NamedTuple):
    """Shown events in order; ``version`` is the last there is, ``over``: none will follow.

    ``last``: the id behind these events. ``known``: whether the history of the match has what was
    to be followed; if it has not, there are no events here.
    """

    events: list[JsonObject]
    version: int
    over: bool
    last: EventId
    known: bool = True


class Asker(NamedTuple):
    """Who looks, and as whom.

    ``caller`` is a player's id. ``asked`` is a seat or ``spectator``. ``local``: the one who
    looks holds the database itself, as the terminal does, and may ask to see everything.
    """

    caller: str | None = None
    asked: str | None = None
    local: bool = False

    def choose_viewer(self, match: Match) -> Viewer:
        """Return as whom ``match``, in its present state, is shown. Raises a ``Refusal``."""
        if self.local and self.asked is not None:
            return Viewer(self.asked)
        return access.choose_viewer(match, self.caller, self.asked)


@dataclass(frozen=True, slots=True)
class MatchQueries:
    """Queries about single matches: each gives what its ``Asker`` may see."""

    database: Database
    repository: Repository
    accounts: Accounts
    downtime: Downtime
    _left_out: set[str] = field(default_factory=set, init=False)

    def show(self, look: Asker, match_id: str, version: int | None = None) -> ShownMatch:
        """Show a match, now or right after the event ``version``. Raises ``NotFound``."""
        with self.database.read() as connection:
            match = self.must_load(connection, look, match_id)
            # Who asks for what they may not see hears that first, whatever versions there are.
            look.choose_viewer(match)
            past = None if version is None else self.load_at(connection, match, version)
            return self.show_state(connection, match, look, past)

    def list_legal_moves(self, look: Asker, match_id: str, limit: int | None = None) -> LegalMoves:
        """List the legal moves of the seat that looks; empty when it is not to act."""
        with self.database.read() as connection:
            match = self.must_load(connection, look, match_id)
            caller = identify_caller(connection, match, look.caller)
        seat = Viewer(look.asked).seat if look.local and look.asked else match.seat_of(caller)
        game = match.game
        sight = view(match, Viewer.from_seat(seat)).sight
        if sight is None or seat is None or match.to_act != seat:
            return LegalMoves(match.version, seat, [])
        legal = islice(game.iter_legal_moves(match.started), limit)
        moves = [show_move(game, sight, move) for move in legal]
        return LegalMoves(match.version, seat, moves)

    def find_fault(self, look: Asker, match_id: str, move: Json) -> str | None:
        """Say which rule forbids a move to the seat that looks, or None. Nothing is played.

        Raises ``MalformedMove``, ``MatchNotActive`` and ``NotYourTurn`` as playing it would.
        """
        with self.database.read() as connection:
            match = self.must_load(connection, look, match_id)
        parsed = match.game.parse_move(move)
        must_have_turn(match, match.seat_of(look.caller))
        return match.game.check_move(match.started, parsed)

    def show_events(
        self, look: Asker, match_id: str, after: EventId = START, limit: int | None = None
    ) -> EventPage:
        """Show the events that follow on ``after``, at most ``limit`` of them."""
        with self.database.read() as connection:
            match = self.must_load(connection, look, match_id)
            stream = log.load(connection, match_id, after=after.version, limit=limit)
        viewer = look.choose_viewer(match)
        if not after.is_of(match, stream[0].previous if stream else None):
            return EventPage([], match.version, match.over, after, known=False)
        finished = match.status == FINISHED and look.asked is None
        shown = [show_event(event, viewer, finished=finished) for event in stream]
        last = make_event_id(stream[-1].version, stream[-1].hash) if stream else after
        return EventPage(shown, match.version, match.over, last)

    def must_load(self, connection: Connection, look: Asker, match_id: str) -> Match:
        """Return the present state. Raises ``NotFound``, for a private match of others too."""
        match = self.repository.load(connection, match_id)
        if match is None:
            raise access.make_not_found(match_id)
        # Where it comes from is a question of its own, which only private ones need.
        if not look.local and match.visibility == PRIVATE:
            access.must_see(match, identify_caller(connection, match, look.caller))
        return match

    def load_listed(self, connection: Connection, look: Asker, match_id: str) -> Match | None:
        """Return a match of a list; None for one that must not hide all others.

        It cannot be read, or may not be seen: a feed has what was its player's once.
        """
        try:
            return self.must_load(connection, look, match_id)
        except NotFound:
            return None
        except (UnknownGame, Corruption) as fault:
            self.leave_out(match_id, fault)
            return None

    def leave_out(self, match_id: str, fault: Exception) -> None:
        """Note once that a match is in no list, since it cannot be read."""
        if match_id not in self._left_out:
            _log.warning("match_left_out_of_lists", match=match_id, fault=str(fault))
            self._left_out.add(match_id)

    def show_state(
        self, connection: Connection, match: Match, look: Asker, past: Match | None = None
    ) -> ShownMatch:
        """Show a match as it is, or as it was in a ``past`` state, with names joined in."""
        viewer, at = look.choose_viewer(match), ""
        if (past or match).clock is not None:
            at = self.repository.get_instant()
        state = past or self.downtime.add_lost_time(match, at)
        shown = show_with_names(connection, self.accounts, state, look.caller, viewer)
        return shown._replace(at=at)

    def load_at(self, connection: Connection, match: Match, version: int) -> Match:
        """Return the state right after the event ``version``. Raises ``NoSuchStep``."""
        if not 1 <= version <= match.version:
            raise NoSuchStep(say("This match has the versions 1 to {last}.", last=match.version))
        return self.repository.make_past(connection, match.id)(version)
