"""The sum that a domination rests on, told before it is made."""

from __future__ import annotations

from domain.games.power_lines.dominations import MARGIN, needed
from domain.games.power_lines.field import bordering
from domain.games.power_lines.moves import Dominate, Move
from domain.games.power_lines.values import value
from domain.games.power_lines.views import View
from domain.i18n import joined, say


def reckon(view: View, move: Move) -> str | None:
    """Tell what the cards that reach a dominated one are worth together; None of other moves."""
    seen = view.seen
    if not isinstance(move, Dominate) or move.spot not in seen.enemies(seen.actor):
        return None
    own, reach = seen.side(seen.actor).cards, seen.connected(seen.actor)
    near = [spot for spot in bordering(own, move.spot) if spot in reach]
    parts = [
        say("{worth} on {x},{y}", worth=value(own, spot), x=spot[0], y=spot[1]) for spot in near
    ]
    worth = sum(value(own, spot) for spot in near)
    takes = needed(seen.enemies(seen.actor), move.spot)
    return say(
        "{sum} = {worth}; it takes {takes} ({value} and {margin} more).",
        sum=joined(parts, " + "),
        worth=worth,
        takes=takes,
        value=takes - MARGIN,
        margin=MARGIN,
    )
