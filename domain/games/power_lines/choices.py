"""Pending choices: free discards, free dominations and free plays.

A choice arises only if there is something to choose, and at most one is pending at a
time: nothing else is done before it is settled, and settling it is what may lead to
the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.power_lines.dominations import domination_forbidden, dominations
from domain.games.power_lines.field import bordering
from domain.games.power_lines.moves import Decline, Discard, Dominate, Move, Play
from domain.games.power_lines.plays import play_forbidden, plays
from domain.games.power_lines.position import (
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    Pending,
    Position,
)
from domain.i18n import N_, say

_WORDS = {
    FREE_DISCARD: N_(
        "Settle the free discard first: name a card that borders {x},{y}, or decline."
    ),
    FREE_DOMINATE: N_("Settle the free domination of the 7 on {x},{y} first, or decline."),
    FREE_PLAY: N_("Settle the free play beside the 9 on {x},{y} first, or decline."),
}


def arisen(position: Position, pending: Pending) -> Position:
    """Return the position with the choice pending, or without it if it has no option."""
    asked = position._replace(pending=pending)
    return asked if any(True for _ in options(asked, pending)) else position


def options(position: Position, pending: Pending) -> Iterator[Move]:
    """Yield what may be chosen, besides declining."""
    if pending.kind == FREE_DISCARD:
        enemies = position.enemies(pending.seat)
        return (Discard(spot) for spot in bordering(enemies, pending.spot))
    if pending.kind == FREE_DOMINATE:
        return dominations(position, pending.seat)
    return plays(position, pending.seat)


def choice_forbidden(position: Position, pending: Pending, move: Move) -> str | None:
    """Say why a move does not settle the pending choice, or None."""
    match pending.kind, move:
        case _, Decline():
            return None
        case "free_discard", Discard():
            return _discard_forbidden(position, pending, move)
        case "free_dominate", Dominate():
            return domination_forbidden(position, pending.seat, move)
        case "free_play", Play():
            return play_forbidden(position, pending.seat, move)
        case kind, _:
            x, y = pending.spot
            return say(_WORDS[kind], x=x, y=y)


def _discard_forbidden(position: Position, pending: Pending, move: Discard) -> str | None:
    if move.spot in bordering(position.enemies(pending.seat), pending.spot):
        return None
    x, y = pending.spot
    return say("Discard one of your opponent's cards that border {x},{y} or lie on it.", x=x, y=y)
