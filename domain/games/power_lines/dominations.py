"""Domination: strength around an enemy card takes it out of the game."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from domain.games.power_lines.field import Cards, Spot, beside, bordering, by_row
from domain.games.power_lines.moves import Dominate
from domain.games.power_lines.position import FREE_DOMINATE, Position
from domain.games.power_lines.values import total, value
from domain.i18n import say

MARGIN: Final = 2
"""By how much the cards around an enemy must exceed its value."""


def dominations(position: Position, seat: int) -> Iterator[Dominate]:
    """Yield every domination of ``seat``: of a turn, or of its free one while pending."""
    near = position.near(FREE_DOMINATE)
    enemies = position.enemies(seat)
    connected = position.connected(seat)
    for spot in sorted(enemies if near is None else bordering(enemies, near), key=by_row):
        if strength(position, seat, spot, connected) >= needed(enemies, spot):
            yield Dominate(spot)


def needed(enemies: Cards, spot: Spot) -> int:
    """Return the strength that it takes to dominate the card on ``spot``."""
    return value(enemies, spot) + MARGIN


def strength(position: Position, seat: int, spot: Spot, connected: AbstractSet[Spot]) -> int:
    """Return what the ``connected`` cards of ``seat`` that border ``spot`` are worth together."""
    own = position.side(seat).cards
    return total(own, (at for at in bordering(own, spot) if at in connected))


def domination_forbidden(position: Position, seat: int, move: Dominate) -> str | None:
    """Say which rule forbids a domination, of a turn or a free one, or None."""
    spot, near, enemies = move.spot, position.near(FREE_DOMINATE), position.enemies(seat)
    at = f"{spot[0]},{spot[1]}"
    if spot not in enemies:
        return say("There is no card of your opponent on {at}.", at=at)
    if near is not None and spot not in (near, *beside(near)):
        return say(
            "The 7 on {x},{y} may dominate only an enemy that borders it.", x=near[0], y=near[1]
        )
    has, takes = strength(position, seat, spot, position.connected(seat)), needed(enemies, spot)
    if has < takes:
        return say(
            "To dominate the card on {at} takes {takes}; your connected cards bordering it "
            "are worth {has}.",
            at=at,
            takes=takes,
            has=has,
        )
    return None
