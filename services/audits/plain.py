"""Plain moves judged as they are stored, without the way around a whole decision.

Most of what there is are moves that hide nothing, made by the player, in a match without a clock
and with nothing on offer. The bytes of such an event are all given by the rules but for the move
itself, and the move is one of few. So the bytes are compared, and the game alone is asked.

What is not plain, and what does not hold, is left to ``decisions``: it says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import orjson

from domain.chain import canonical
from domain.errors import Refusal
from domain.events import (
    KINDS,
    SERVER,
    Fact,
    MatchEnded,
    MoveMade,
    Proposal,
    TurnPassed,
    seat_actor,
    to_data,
)
from domain.game import Act, AnyGame, Move, Over, Pass, Position, Step
from domain.match import ACTIVE, FINISHED, Match
from domain.offers import NONE
from services.store.auditing import RawRow

MOVES_KEPT = 10_000
"""Moves of a game that are kept as they were read: more than there are on a small board."""

_MOVED = KINDS[MoveMade]
_BEFORE = {seat: b'{"actor":"%b","at":"' % seat_actor(seat).encode() for seat in (1, 2)}
_BEHIND_INSTANT = len(_BEFORE[1]) + len("2026-11-27T22:03:11.482913Z")
_PLAYED = b'","data":{"cause":"player","move":'
_BEHIND_DATA = len(',"kind":"","match":"","previous":"","schema":1,"sealed":[],"version":}') + 64

FEW = 500
"""Moves of a match that has not many."""


def _ending(ply: int, seat: int) -> bytes:
    """Return the end of a move's data."""
    return b',"ply":%d,"seat":%d}' % (ply, seat)


_ENDINGS = {seat: tuple(_ending(ply, seat) for ply in range(FEW)) for seat in (1, 2)}

_known: dict[Callable[..., Any], dict[bytes, Move]] = {}
"""For each game, told by its ``form``: moves by their canonical bytes."""


_Turn: TypeAlias = tuple[int, Position, Step]
"""Where a game has come to: the index behind the last event, and who or what is next."""


class Made(NamedTuple):
    """The state after some plain moves, and the index of the first event that is none."""

    match: Match
    behind: int


class _Last(NamedTuple):
    """The last move: whose, its number, and its canonical bytes."""

    seat: int
    ply: int
    written: bytes


@dataclass(frozen=True, slots=True)
class PlainMoves:
    """Makes the plain moves of a match again.

    ``rows``: all of the match, whose links hold; ``others``: the indexes of those that are not
    bare. It stops at each version to ``keep``, whose state is wanted. ``made`` are the events that
    were judged by their bytes.
    """

    rows: Sequence[RawRow]
    others: Collection[int]
    keep: Collection[int] = ()
    made: list[range] = field(default_factory=list)

    def __call__(self, match: Match, index: int) -> Made:
        """Make moves from ``index`` on, as far as they hold, with the passes and the end."""
        plain = match.status == ACTIVE and match.pace is None and match.offers == NONE
        if not plain or match.game.secrets:
            return Made(match, index)
        stop = min((one for one in self.keep if one > index), default=len(self.rows))
        turn, last = self._played(match, index, stop)
        if last is not None:
            self.made.append(range(index, turn[0]))
            match = _after(match, turn, last, self.rows[turn[0] - 1])
        return Made(match, turn[0])

    def _played(self, match: Match, index: int, stop: int) -> tuple[_Turn, _Last | None]:
        """Return where the moves lead to, and the last of them."""
        rows, others, game = self.rows, self.others, match.game
        forbidden, play, following = game.forbidden, game.play, game.next
        read, ply, at = _Reading(match).move, match.ply, match.updated_at
        mover, written = 0, b""
        position, step = match.started, following(match.started)
        while index < stop and type(step) is Act:
            row, seat = rows[index], step.seat
            found = None if index in others or row[4] < at else read(row, seat, ply + 1)
            if found is None or forbidden(position, found[0]) is not None:
                break
            then = play(position, found[0])
            after, behind = following(then), index + 1
            if type(after) is not Act:
                turn = self._settled(game, (behind, then, after), stop)
                if turn is None:
                    break
                behind, then, after = turn
            index, position, step = behind, then, after
            at, ply, mover, written = row[4], ply + 1, seat, found[1]
        return (index, position, step), _Last(mover, ply, written) if mover else None

    def _settled(self, game: AnyGame, turn: _Turn, stop: int) -> _Turn | None:
        """Go on by passes and the end until a seat is to act; None: what is there is not that."""
        index, position, step = turn
        at = self.rows[index - 1][4]
        while type(step) is not Act:
            if isinstance(step, Pass) and step.shown is None:
                fact: Fact = TurnPassed(step.seat, step.reason)
            elif isinstance(step, Over):
                fact = MatchEnded(step.winner, step.reason)
            else:
                return None
            if not (index < stop and self.is_event(index, Proposal(fact, SERVER), at)):
                return None
            index += 1
            if isinstance(step, Over):
                break
            position = game.forfeit(position)
            step = game.next(position)
        return index, position, step

    def is_event(self, index: int, proposal: Proposal, at: str) -> bool:
        """Whether a bare event stands at ``index`` that says what was decided, at that instant.

        Its bytes are compared: besides these, there are none that say so.
        """
        fact, actor, secrets = proposal
        if secrets or index >= len(self.rows) or index in self.others:
            return False
        _, match, version, kind, now, body, _, _ = self.rows[index]
        before = f'{{"actor":"{actor}","at":"{at}","data":'.encode()
        behind = _BEHIND_DATA + len(match) + len(kind) + len(str(version))
        return (
            now == at
            and kind == KINDS[type(fact)]
            and body.startswith(before)
            and body[len(before) : -behind] == canonical(to_data(fact))
        )


class _Reading:
    """Reads the plain moves of a match from the bytes of their events."""

    def __init__(self, match: Match) -> None:
        self._game = match.game
        self._moves = _known.setdefault(match.game.form, {})
        self._behind = _BEHIND_DATA + len(match.id) + len(_MOVED)

    def move(self, row: RawRow, seat: int, ply: int) -> tuple[Move, bytes] | None:
        """Return the move of a bare event and its bytes, if it is the ``ply``th, of ``seat``."""
        _, _, version, kind, _, body, _, _ = row
        end = len(body) - self._behind - len(str(version))
        ending = _ENDINGS[seat][ply] if ply < FEW else _ending(ply, seat)
        if not (
            kind == _MOVED
            and body.startswith(_BEFORE[seat])
            and body.startswith(_PLAYED, _BEHIND_INSTANT)
            and body.endswith(ending, _BEHIND_INSTANT + len(_PLAYED), end)
        ):
            return None
        written = body[_BEHIND_INSTANT + len(_PLAYED) : end - len(ending)]
        move = self._moves.get(written) or self._new(written)
        return None if move is None else (move, written)

    def _new(self, written: bytes) -> Move | None:
        """Read a move and keep it, if these are the one way to write it."""
        try:
            move = self._game.form(orjson.loads(written))
        except (Refusal, ValueError):
            return None
        if canonical(self._game.written(move)) != written:
            return None
        if len(self._moves) >= MOVES_KEPT:
            self._moves.clear()
        self._moves[written] = move
        return move


def _after(match: Match, turn: _Turn, last: _Last, row: RawRow) -> Match:
    """Return the state after moves up to the event in ``row``."""
    after, move = match.copy(), orjson.loads(last.written)
    _, after.position, step = turn
    after.last = (last.seat, move, move)
    after.moves_made += last.ply - match.ply
    after.ply = last.ply
    _, _, after.version, _, after.updated_at, _, after.head, _ = row
    if isinstance(step, Over):
        after.status, after.winner, after.reason = FINISHED, step.winner, step.reason
    return after
