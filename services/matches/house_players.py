"""House players at work: they answer what is proposed to them, and move when it is their turn.

They take the one way of a command, like everybody. What they think about is what their seat sees.
Each thing that they do is decided on a version, so that of several who let them do it at the same
time one does, and whoever is cut off between thinking and moving has done nothing.

How long a thought takes depends on what a seat has to choose from. So where something is hidden
what comes of it shows at an instant that does not follow from it (``compute_show_time``); and so
does all else meanwhile, since who waits behind a thought could measure it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Timer
from time import monotonic
from typing import NamedTuple

import structlog

from domain.errors import Corruption, MatchNotActive, NotYourTurn, Refusal, TimeIsUp
from domain.game.game import Move, Viewer
from domain.match.clock import SECOND, measure_span
from domain.match.house_players import (
    HOUSE,
    PLAYERS,
    compute_show_time,
    derive_seed,
    describe_engine,
    level_of,
)
from domain.match.state import ACTIVE, OFFER_KINDS, Match, find_offer
from domain.match.views import view
from domain.search.engine import VERSION, Question, choose
from services.errors import NotFound, StaleVersion
from services.matches.actions import Action
from services.matches.commands import MatchCommands
from services.matches.requests import ChangeRequest
from services.runtime.low_priority import make_thinker
from services.store.log import feed

LOOK_EVERY = 0.25
"""Seconds between two looks at the log for what house players owe."""

ALL_EVERY = 60.0
"""Seconds until all their matches are looked at again: what has failed is tried again then."""

LONGEST_LOOK = 2.0
"""Seconds after which a look ends at the latest, whatever is still owed: its lease is looked at."""

DRAW_FROM = 100
"""From so many moves on house players accept a draw, outside rated matches."""

_MARKS = 500

_OVERTAKEN = (StaleVersion, TimeIsUp, MatchNotActive, NotYourTurn, NotFound)
"""What says that a match has gone on meanwhile: its news come with the log."""

_log = structlog.get_logger(__name__)


def think(match: Match, seat: int, level: int, version: int) -> Move | None:
    """Return the move of a house player in ``seat``, to act on this state; None: none is due.

    It is found from what the seat sees, and from a seed that tells nothing of what it does not
    see. ``version``: that of the match on which it is decided.
    """
    sight = view(match, Viewer.from_seat(seat)).sight
    if sight is None or match.to_act != seat:
        return None
    question = Question(sight, seat, match.options)
    return choose(match.game, question, level, derive_seed(match.secret, match.id, version))


def accepts(match: Match, kind: str, seat: int) -> bool:
    """Say whether a house player in ``seat`` accepts what is proposed to it.

    A draw once its seat sees that nothing can be decided any more; in a match that is not rated
    also from ``DRAW_FROM`` moves on. (For a rating it would be enough to last so long.)
    Everything else, but in a rated match no takeback and no abort.
    """
    if kind == "draw":
        sight = view(match, Viewer.from_seat(seat)).sight
        settled = sight is not None and match.game.tell_settled(sight) is not None
        return settled or (not match.rated and match.ply >= DRAW_FROM)
    return not match.rated or kind not in ("takeback", "abort")


class _DelayedMove(NamedTuple):
    """What was decided on a version of a match, and shows when the timer ends."""

    version: int
    timer: Timer


@dataclass(slots=True)
class HousePlayers:
    """Lets house players do what they owe, one thing after the other.

    ``look`` follows the log from where the last look ended; the first one, and one in a while,
    goes through all their matches. Of each person's matches one comes at a time, so that nobody's
    many matches hold up another's.
    """

    matches: MatchCommands
    _cursor: str = field(default=feed.START, init=False)
    _all_at: float = field(default=0.0, init=False)
    _owed: dict[str, str] = field(default_factory=dict, init=False)
    _waiting: dict[str, _DelayedMove] = field(default_factory=dict, init=False)
    _alike_until: str = field(default="", init=False)
    _told: set[str] = field(default_factory=set, init=False)
    _thinker: ThreadPoolExecutor = field(
        default_factory=lambda: make_thinker("house-thinks"), init=False
    )

    def look(self) -> Mapping[str, int]:
        """Do what is owed where something has happened; return how much that was.

        What is decided where something is hidden counts, and shows later by itself.
        """
        done, failed, end = 0, 0, monotonic() + LONGEST_LOOK
        while monotonic() < end:
            self._hear()
            chosen = self._take_one_each()
            if not chosen:
                break
            for match_id in chosen:
                try:
                    done += self.go_on(match_id, paced=True)
                except Exception as error:  # noqa: BLE001 - whatever it is, the others are to go on
                    failed += 1
                    self._tell(match_id, error)
        return {"done": done, "failed": failed}

    @property
    def waits(self) -> bool:
        """Whether something that was decided waits for the instant at which it shows."""
        return bool(self._waiting)

    def finish(self) -> None:
        """Wait until all that was decided shows."""
        for one in [*self._waiting.values()]:
            one.timer.join()

    def go_on(self, match_id: str, *, paced: bool = False) -> bool:
        """Let a house player do the next thing that it owes in a match; False: it owes nothing.

        ``paced``: it shows when it is due, if something is hidden.
        """
        match = self.matches.load(match_id)
        if match is None or match.status != ACTIVE:
            return False
        waiting = self._waiting.get(match.id)
        if waiting is not None and waiting.version == match.version:
            return False
        for seat, player in enumerate(match.seats, 1):
            level = level_of(player)
            if level is None:
                continue
            do = self._decide_answer(match, seat, level) or self._decide_move(match, seat, level)
            if do is not None:
                return self._show(match, do, paced=paced)
        return False

    def _decide_answer(self, match: Match, seat: int, level: int) -> Callable[[], object] | None:
        for kind in OFFER_KINDS:
            offer = find_offer(match.offers, kind)
            if offer is not None and offer.seat != seat:
                action = Action(f"{'accept' if accepts(match, kind, seat) else 'decline'}_{kind}")
                request = ChangeRequest(PLAYERS[level], match.version)
                return partial(self.matches.act, request, match.id, action)
        return None

    def _decide_move(self, match: Match, seat: int, level: int) -> Callable[[], object] | None:
        move = self._thinker.submit(think, match, seat, level, match.version).result()
        if move is None:
            return None
        engine = describe_engine(VERSION, level)
        request = ChangeRequest(PLAYERS[level], match.version, cause=HOUSE, engine=engine)
        return partial(self.matches.play, request, match.id, match.game.dump_move(move))

    def _show(self, match: Match, do: Callable[[], object], *, paced: bool) -> bool:
        """Do what was decided, now or when it is due; False: the match has gone on."""
        if not paced or not (match.game.secrets or match.updated_at < self._alike_until):
            return _try_to_do(do)
        now = self.matches.repository.get_instant(match)
        due = compute_show_time(match.secret, match.id, match.version, match.updated_at, now)
        if match.game.secrets:
            self._alike_until = max(self._alike_until, due)
        timer = Timer(measure_span(now, due) / SECOND, self._do_late, (match.id, match.version, do))
        timer.daemon = True
        self._waiting[match.id] = _DelayedMove(match.version, timer)
        timer.start()
        return True

    def _do_late(self, match_id: str, version: int, do: Callable[[], object]) -> None:
        try:
            _try_to_do(do)
        except Exception as error:  # noqa: BLE001 - it is tried again, as all that fails
            self._tell(match_id, error)
        waiting = self._waiting.get(match_id)
        if waiting is not None and waiting.version == version:
            self._waiting.pop(match_id, None)

    def _hear(self) -> None:
        """Note the matches in which house players may owe something, those first that wait."""
        players = [*PLAYERS.values()]
        with self.matches.database.read() as connection:
            if monotonic() >= self._all_at:
                # The end of the log first: what comes between the two is looked at twice.
                self._cursor = feed.get_end_cursor(connection)
                self._all_at = monotonic() + ALL_EVERY
                self._owed |= feed.list_owed(connection, players)
                return
            found: dict[str, None] = {}
            while True:
                marks = feed.list_marks(connection, self._cursor, _MARKS)
                self._cursor = marks.cursor
                found |= dict.fromkeys(mark.match for mark in marks.events)
                if len(marks.events) < _MARKS:
                    break
            self._owed |= feed.list_played_by(connection, players, [*found])

    def _take_one_each(self) -> list[str]:
        """Take of each person the match that has waited longest; the others come later."""
        chosen: dict[str, str] = {}
        for match_id, person in self._owed.items():
            chosen.setdefault(person, match_id)
        for match_id in chosen.values():
            del self._owed[match_id]
        return [*chosen.values()]

    def _tell(self, match_id: str, error: Exception) -> None:
        """Note once that a match cannot go on; what its text says may be of what is stored."""
        if match_id not in self._told:
            self._told.add(match_id)
            stated = isinstance(error, (Corruption, Refusal))
            reason = str(error) if stated else type(error).__name__
            _log.error("house_player_failed", match=match_id, reason=reason)


def _try_to_do(do: Callable[[], object]) -> bool:
    """Do what was decided; False: the match has gone on meanwhile."""
    try:
        do()
    except _OVERTAKEN:
        return False
    return True
