"""Conditional moves at work: what was decided is followed through the lines that are kept.

An answer goes through the same decider as any move, and into the same transaction as the move
that it answers. It is found by what its author sees of that move, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread
from time import sleep

import structlog
from sqlalchemy import Connection

from domain.errors import Refusal
from domain.game.game import AnyGame
from domain.i18n import N_, Said, dump_said, say
from domain.json_types import JsonObject
from domain.match import commands
from domain.match.conditional_moves import (
    ConditionalMoves,
    Line,
    dump_lines,
    find_line,
    put_behind,
    split,
)
from domain.match.events import Event, MoveMade
from domain.match.kinds import SET_UP
from domain.match.state import Match
from services.matches import series
from services.matches.repository import Appended, Repository, row_of
from services.store import conditional_moves
from services.store.conditional_moves import Followed, Happening, StoredConditionalMoves
from services.store.db.engine import ATTEMPTS, Database
from services.store.log import events as log

CONDITIONAL = "conditional"
"""The ``cause`` of a move that was played for its author."""

FIRED, LAPSED = "fired", "lapsed"
"""What may happen to lines."""

OTHER_MOVE, OWN_MOVE, FORBIDDEN = "other-move", "own-move", "forbidden"
NOT_TO_ACT, OFFER = "not-to-act", "offer"
UNANSWERED, TAKEBACK, OVER, MISSED = "unanswered", "takeback", "match-over", "missed"
_SENTENCES = {
    OTHER_MOVE: N_("Your opponent played {played}, which these lines do not answer."),
    OWN_MOVE: N_("You played {played}, and these lines begin behind another move."),
    FORBIDDEN: N_("{answer} could not be played for you: {detail}"),
    NOT_TO_ACT: N_("{answer} could not be played for you: it was not your turn."),
    OFFER: N_(
        "{answer} was not played for you: your opponent proposes something that it would turn down."
    ),
    UNANSWERED: N_("It is your turn, and no line says what you play."),
    TAKEBACK: N_("Moves were taken back."),
    OVER: N_("The match is over."),
    MISSED: N_("The match went on without looking at these lines."),
}
REASONS = tuple(_SENTENCES)
"""Why lines lapse."""

_FIRED = N_("Your opponent played {played}; {answer} was played for you.")

MOMENT = 0.02
"""Seconds until lines that were passed by are settled: by then the answer is out."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConditionalExecution:
    """Lets stored answers follow what was decided; one per process."""

    database: Database
    repository: Repository
    _due: SimpleQueue[tuple[str, Callable[[Appended], None]] | None] = field(
        default_factory=SimpleQueue
    )
    _threads: list[Thread] = field(default_factory=list)

    def follow(self, before: Match, appended: Appended) -> Appended:
        """Return what was decided together with the answers that it brings about.

        ``before``: the match that it was decided on. The query is the same whether there are lines
        or not, and lines that no move fulfils are settled later: how long an answer takes would
        tell the opponent of them.
        """
        made = next((one.fact for one in appended.events if isinstance(one.fact, MoveMade)), None)
        with self.database.read() as connection:
            found = conditional_moves.look(connection, before.id, made)
        appended = appended._replace(tells_nobody=not found.told)
        if not found.concerned:
            return appended._replace(leaves_lines=True) if found.pending else appended
        # Nothing is written here, though there may be something to settle: whoever decides may be
        # writing already.
        with self.database.read() as connection:
            kept = conditional_moves.load(connection, before.id)
            passed = _load_passed(connection, before.id, kept, before.version)
        following = _Following(self.repository, kept, before.version)
        return following.follow(appended, passed)

    def settle(self, match_id: str) -> Appended | None:
        """Follow the events that lines were not looked at with; return what that led to, if any.

        As a rule the lines lapse. Those that were stored while their move was under way are
        answered.
        """
        for _ in range(ATTEMPTS):
            with self.database.read() as connection:
                match = self.repository.load(connection, match_id)
                if match is None:
                    return None
                kept = conditional_moves.load(connection, match_id)
                passed = _load_passed(connection, match_id, kept, match.version)
            if not passed:
                return None
            following = _Following(self.repository, kept, match.version)
            late = following.follow(Appended(match, [], row_of(match)), passed)
            with suppress(log.VersionTaken), self.database.write() as connection:
                settled = self._write_settled(connection, match, late)
                return settled if late.events else None
        return None

    def _write_settled(self, connection: Connection, match: Match, late: Appended) -> Appended:
        if late.events:
            return series.write(connection, self.repository, late)
        if late.followed is not None:
            conditional_moves.hold(connection, match.id, late.followed.read)
            head = log.find_head(connection, match.id)
            if head is None or head.hash != match.head:
                raise log.VersionTaken(f"match {match.id} has gone on")
            conditional_moves.keep(connection, match.id, late.followed)
        return late

    def settle_later(self, match_id: str, announce: Callable[[Appended], None]) -> None:
        """Settle a match in a moment, when the answer to its move is out."""
        if not self._threads:
            thread = Thread(target=self._run, name="conditional-moves", daemon=True)
            self._threads.append(thread)
            thread.start()
        # One call: a pool's twenty would make an answer late enough to tell that there are lines.
        self._due.put((match_id, announce))

    def close(self) -> None:
        """Settle what is due, and then no more."""
        if self._threads:
            self._due.put(None)
            self._threads.pop().join()

    def _run(self) -> None:
        while (due := self._due.get()) is not None:
            match_id, announce = due
            if self._due.empty():
                sleep(MOMENT)
            try:
                late = self.settle(match_id)
                if late is not None:
                    announce(late)
            except Exception:  # noqa: BLE001 - whatever it is, the next who looks settles it
                _log.exception("conditional_moves_not_settled", match=match_id)


@dataclass(slots=True)
class _Seat:
    """The lines of one seat while they are followed.

    ``queue``: answers that are still to be played, to the move ``answered``.
    """

    kept: StoredConditionalMoves
    lines: ConditionalMoves
    queue: tuple[JsonObject, ...] = ()
    answered: JsonObject = field(default_factory=dict)

    def list_unplayed(self) -> ConditionalMoves:
        """Return everything that has not been played."""
        return (Line(self.answered, self.queue, self.lines),) if self.queue else self.lines

    def make_stored(self, match: Match) -> StoredConditionalMoves:
        """Return the lines as they are to be kept beside ``match``."""
        kept = self.kept._replace(seen=match.version)
        if self.lines == kept.lines:
            return kept
        version, at = kept.version + 1, match.updated_at
        return kept._replace(version=version, lines=self.lines, updated_at=at)


class _Following:
    """One command on its way through the lines of both seats."""

    def __init__(
        self, repository: Repository, kept: Sequence[StoredConditionalMoves], version: int
    ) -> None:
        self._repository = repository
        self._kept = kept
        self._seats = [_Seat(one, one.lines) for one in kept if one.lines]
        self._version = version
        self._happenings: list[Happening] = []

    def follow(self, appended: Appended, passed: Sequence[Event]) -> Appended:
        """Return ``appended`` with what it led to, and with what has become of the lines.

        ``passed``: the stored events before it that lines were passed by with. Each seat follows
        from where it stands.
        """
        appended = appended._replace(events=[*passed, *appended.events])
        for seat in self._seats:
            self._must_stand(seat, appended.events)
        fresh = appended.events
        while fresh:
            for seat in self._seats:
                mine = [event for event in fresh if event.version > seat.kept.seen]
                if mine:
                    self._advance(appended.match, seat, mine)
            after = self._play_next(appended)
            fresh = after.events[len(appended.events) :]
            appended = after
        for seat in self._seats:
            self._let_go_rest(appended.match, seat, appended.events[-1])
        events = appended.events[len(passed) :]
        return appended._replace(events=events, followed=self._make_followed(appended.match))

    def _must_stand(self, seat: _Seat, events: Sequence[Event]) -> None:
        """Drop lines that are of a version which this match does not have any more."""
        if seat.kept.seen == self._version:
            return
        first = next((one for one in events if one.version > seat.kept.seen), events[0])
        if first.version > self._version or first.kind in SET_UP:
            self._let_go(seat, MISSED, first)

    def _advance(self, match: Match, seat: _Seat, events: Sequence[Event]) -> None:
        """Bring a seat's lines to what follows on ``events``."""
        for event in events:
            if event.kind == "takeback-accepted":
                self._let_go(seat, TAKEBACK, event)
            elif isinstance(event.fact, MoveMade):
                if event.fact.seat != seat.kept.seat:
                    self._follow_opponent(match.game, seat, event, event.fact.move)
                elif event.fact.cause != CONDITIONAL:
                    self._follow_own(match.game, seat, event, event.fact.move)
        if match.over:
            self._let_go(seat, OVER, events[-1])

    def _follow_opponent(self, game: AnyGame, seat: _Seat, event: Event, shown: JsonObject) -> None:
        """Follow the opponent's move, which is ``shown`` as this seat sees it."""
        if seat.queue:
            self._let_go(seat, NOT_TO_ACT, event, answer=game.notation.write(seat.queue[0]))
        line = find_line(seat.lines, shown)
        others = tuple(one for one in seat.lines if one is not line)
        self._lapse(seat, others, OTHER_MOVE, event, played=game.notation.write(shown))
        if line is None:
            seat.lines = ()
        else:
            seat.lines, seat.queue, seat.answered = line.next, line.then, line.when

    def _follow_own(self, game: AnyGame, seat: _Seat, event: Event, shown: JsonObject) -> None:
        move = event.sealed[0].value if event.sealed else shown
        after, lines = split(seat.lines)
        if after and after[0] == move and not seat.queue:
            seat.lines = put_behind(after[1:], lines)
        else:
            self._let_go(seat, OWN_MOVE, event, played=game.notation.write(move))

    def _play_next(self, appended: Appended) -> Appended:
        to_act = appended.match.to_act
        for seat in self._seats:
            if seat.queue and seat.kept.seat == to_act:
                return self._play_answer(appended, seat, seat.queue[0])
        return appended

    def _play_answer(self, appended: Appended, seat: _Seat, answer: JsonObject) -> Appended:
        game = appended.match.game
        if any(offer and offer.seat != seat.kept.seat for offer in appended.match.offers):
            self._let_go(seat, OFFER, appended.events[-1], answer=game.notation.write(answer))
            return appended
        try:
            command = commands.PlayMove(seat.kept.seat, game.parse_move(answer), CONDITIONAL)
            after = self._repository.decide_next(appended, command)
        except Refusal as refusal:
            told = {"answer": game.notation.write(answer), "detail": refusal.detail}
            self._let_go(seat, FORBIDDEN, appended.events[-1], **told)
            return appended
        event = after.events[len(appended.events)]
        line = Line(seat.answered, (answer,))
        told = {"played": game.notation.write(line.when), "answer": game.notation.write(answer)}
        self._note(seat, event, None, (line,), say(_FIRED, **told))
        seat.queue = seat.queue[1:]
        return after

    def _let_go_rest(self, match: Match, seat: _Seat, event: Event) -> None:
        """Let go what can never be played any more, now that nothing more follows."""
        if seat.queue:
            self._let_go(seat, NOT_TO_ACT, event, answer=match.game.notation.write(seat.queue[0]))
        elif match.to_act == seat.kept.seat and not split(seat.lines)[0]:
            self._let_go(seat, UNANSWERED, event)

    def _let_go(self, seat: _Seat, reason: str, event: Event, **told: str) -> None:
        self._lapse(seat, seat.list_unplayed(), reason, event, **told)
        seat.lines = seat.queue = ()

    def _lapse(
        self, seat: _Seat, lines: ConditionalMoves, reason: str, event: Event, **told: str
    ) -> None:
        if lines:
            self._note(seat, event, reason, lines, say(_SENTENCES[reason], **told))

    def _note(
        self, seat: _Seat, event: Event, reason: str | None, lines: ConditionalMoves, text: Said
    ) -> None:
        kind = FIRED if reason is None else LAPSED
        detail = {
            "reason": reason,
            "text": text,
            "lines": dump_lines(lines),
            "said": dump_said(text),
        }
        self._happenings.append(Happening(seat.kept.seat, kind, event.version, event.at, detail))

    def _make_followed(self, match: Match) -> Followed:
        read = tuple((one.seat, one.version) for one in self._kept)
        kept = tuple(seat.make_stored(match) for seat in self._seats)
        return Followed(read, kept, tuple(self._happenings))


def _load_passed(
    connection: Connection, match_id: str, kept: Sequence[StoredConditionalMoves], version: int
) -> list[Event]:
    """Return the events up to a version that lines have not followed yet."""
    seen = min((one.seen for one in kept if one.lines), default=version)
    return log.load(connection, match_id, after=seen, upto=version) if seen < version else []
