"""Plain moves judged as they are stored, without the way around a whole decision.

Most of what there is are moves that hide nothing, made by the player, in a match without a clock
and with nothing on offer. The bytes of such an event are all given by the rules but for the move
itself, and the move is one of few. So the bytes are compared, and the game alone is asked.

What is not plain, and what does not hold, is left to ``decisions``: it says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeAlias

import orjson

from domain.errors import Refusal
from domain.game.game import Act, AnyGame, Move, Over, Pass, Position, Step
from domain.json_types import Json
from domain.judging import judged
from domain.log.chain import canonical
from domain.match.events import (
    ADMIN,
    BOTH_SEATS,
    CREATOR,
    FACTS,
    KINDS,
    SERVER,
    Fact,
    MatchEnded,
    MatchStarted,
    MoveMade,
    Proposal,
    TurnPassed,
    to_data,
)
from domain.match.offers import NONE
from domain.match.state import ACTIVE, FINISHED, Match
from services.store.log.audits import RawRow
from services.store.log.fields import FEW

MOVES_KEPT = 10_000
"""Moves of a game that are kept as they were read: more than there are on a small board."""

_MOVED = KINDS[MoveMade]
_SEATS = ("", *BOTH_SEATS)
_BEFORE = {
    actor: b'{"actor":"%b","at":"' % actor.encode()
    for actor in (ADMIN, CREATOR, SERVER, *BOTH_SEATS)
}
_BEHIND_INSTANT = len(_BEFORE[BOTH_SEATS[0]]) + len("2026-11-27T22:03:11.482913Z")
_DATA = b'","data":'
_PLAYED = _DATA + b'{"cause":"player","move":'
_BEHIND_DATA = len(',"kind":"","match":"","previous":"","schema":1,"sealed":[],"version":}') + 64


def _ending(ply: int, seat: int) -> bytes:
    """Return the end of a move's data."""
    return b',"ply":%d,"seat":%d}' % (ply, seat)


_ENDINGS = {seat: tuple(_ending(ply, seat) for ply in range(FEW)) for seat in (1, 2)}
_DIGITS = tuple(len(str(version)) for version in range(FEW))


def _digits(version: int) -> int:
    """Return how many digits a version has."""
    return _DIGITS[version] if version < FEW else len(str(version))


_known: dict[Callable[..., Any], dict[bytes, Move]] = {}
"""For each game, told by its ``form``: moves by their bytes in an event, behind its instant."""


_Turn: TypeAlias = tuple[int, Position, Step]
"""Where a game has come to: the index behind the last event, and who or what is next."""


class Made(NamedTuple):
    """The state after some plain moves, and the index of the first event that is none."""

    match: Match
    behind: int


class _Last(NamedTuple):
    """The last move: whose, its number, and the move."""

    seat: int
    ply: int
    move: Move


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
        game, ply = match.game, match.ply
        turn: _Turn = index, match.started, game.next(match.started)
        last = None
        while type(turn[2]) is Act:
            index, position, (seat,) = turn[0], turn[1], turn[2]
            moves = self._moves(match, (index, stop), seat, ply + 1)
            number, after = judged(game, position, moves)
            settled = self._settled(game, index + number, after, stop) if number else None
            if number and settled is None:
                # What comes of the last of them is not what is there: it is not made here.
                number -= 1
                after = reduce(game.play, moves[:number], position)
            if number:
                mover = seat if number % 2 else 3 - seat
                last = _Last(mover, ply + number, moves[number - 1])
            if settled is None:
                return (index + number, after, game.next(after)), last
            turn, ply = settled, ply + number
        return turn, last

    def _moves(self, match: Match, turn: tuple[int, int], seat: int, ply: int) -> list[Move]:
        """Return the moves that the seats made in turn, within these indexes, ``seat`` the first.

        Those are moves of bare events, written as they must be, with the numbers from ``ply`` on.
        """
        game, rows, others = match.game, self.rows, self.others
        known = _known.setdefault(game.form, {})
        behind = _BEHIND_DATA + len(match.id) + len(_MOVED)
        at, found = rows[turn[0] - 1][4], list[Move]()
        for index in range(*turn):
            _, _, version, kind, now, body, _, _ = rows[index]
            data = body[_BEHIND_INSTANT : -behind - _digits(version)]
            ending = _ENDINGS[seat][ply] if ply < FEW else _ending(ply, seat)
            if not (
                kind == _MOVED
                and now >= at
                and index not in others
                and data.endswith(ending)
                and body.startswith(_BEFORE[_SEATS[seat]])
            ):
                break
            written = data[: -len(ending)]
            move = known.get(written) or _read(game, known, written)
            if move is None:
                break
            found.append(move)
            ply, seat, at = ply + 1, 3 - seat, now
        return found

    def _settled(self, game: AnyGame, index: int, position: Position, stop: int) -> _Turn | None:
        """Go on by passes and the end until a seat is to act; None: what is there is not that."""
        step, at = game.next(position), self.rows[index - 1][4]
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
        before = _BEFORE[actor]
        behind = _BEHIND_DATA + len(match) + len(kind) + _digits(version)
        return (
            now == at
            and kind == KINDS[type(fact)]
            and body.startswith(before)
            and body[len(before) : len(before) + len(at)] == at.encode()
            and body[len(before) + len(at) : -behind] == _data(fact)
        )


def _data(fact: Fact) -> bytes:
    """Return the bytes of an event's data, behind its instant."""
    if type(fact) in {MatchStarted, TurnPassed, MatchEnded}:
        return _data_of(KINDS[type(fact)], *fact)
    return _DATA + canonical(to_data(fact))


@lru_cache(maxsize=FEW, typed=True)  # to Python, 1.0 is 1; in an event's bytes it is not
def _data_of(kind: str, *members: Json) -> bytes:
    """Return the bytes of the data of a kind of which few events differ."""
    return _DATA + canonical(to_data(FACTS[kind](*members)))


def _read(game: AnyGame, moves: dict[bytes, Move], written: bytes) -> Move | None:
    """Read a move and keep it, if these are the one way to write it, behind an instant."""
    if not written.startswith(_PLAYED):
        return None
    try:
        move = game.form(orjson.loads(written[len(_PLAYED) :]))
    except (Refusal, ValueError):
        return None
    if canonical(game.written(move)) != written[len(_PLAYED) :]:
        return None
    if len(moves) >= MOVES_KEPT:
        moves.clear()
    moves[written] = move
    return move


def _after(match: Match, turn: _Turn, last: _Last, row: RawRow) -> Match:
    """Return the state after moves up to the event in ``row``."""
    after, move = match.copy(), match.game.written(last.move)
    _, after.position, step = turn
    after.last = (last.seat, move, move)
    after.moves_made += last.ply - match.ply
    after.ply = last.ply
    _, _, after.version, _, after.updated_at, _, after.head, _ = row
    if isinstance(step, Over):
        after.status, after.winner, after.reason = FINISHED, step.winner, step.reason
    return after
