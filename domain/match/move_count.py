"""The one count that people read: of moves. Events are what addresses and the record count.

A move is what a seat submits, and its number its ply: how many moves stand right after it. A
forced pass is none, since no seat makes it; a takeback takes moves out of the count; each action
of a turn that a game lets a seat submit by itself is one. Whatever else is an event (an offer, a
draw of chance, a clock that stands, the end) lies behind the last move that stands.
"""

from __future__ import annotations

from typing import NamedTuple

from domain.i18n import N_, say


class MoveCount(NamedTuple):
    """Where a step lies: ``number`` moves stand after it; ``made``: it is the last of them."""

    number: int
    made: bool

    @property
    def move(self) -> int | None:
        """The number of the move that this step is, None of any other."""
        return self.number if self.made else None


_MADE = N_("Move {number}"), N_("Move {number} of {total}")
_BEHIND = N_("After move {number}"), N_("After move {number} of {total}")


def count_step(ply: int, kind: str | None) -> MoveCount:
    """Count the step of an event; ``ply``: of the match right after it."""
    return MoveCount(ply, kind == "move-made")


def tell_count(count: MoveCount, total: int | None = None) -> str:
    """Say where a step lies; ``total``: how many moves stand in the match as it is now.

    A move that was taken back can have a higher number than there are moves.

    >>> tell_count(MoveCount(12, True), 40), tell_count(MoveCount(12, False))
    ('Move 12 of 40', 'After move 12')
    >>> tell_count(MoveCount(0, False), 40), tell_count(MoveCount(7, True), 6)
    ('Before the first move', 'Move 7')
    """
    number, made = count
    if not number and not made:
        return say("Before the first move")
    alone, of_all = _MADE if made else _BEHIND
    if total is None or number > total:
        return say(alone, number=number)
    return say(of_all, number=number, total=total)
