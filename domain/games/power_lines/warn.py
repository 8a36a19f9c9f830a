"""Warnings before moves that throw the match away.

A base is lost when it is dominated, or when a free discard reaches it: beside the
position that a face-up 2 left, perhaps over other face-up 2s. Only the player's own view is looked
at.
"""

from __future__ import annotations

from domain.games.power_lines.choices import options
from domain.games.power_lines.dominations import needed, strength
from domain.games.power_lines.field import Cards, Spot, bordering
from domain.games.power_lines.moves import Discard, Dominate, Move, Play
from domain.games.power_lines.position import Position
from domain.games.power_lines.steps import AVENGER, applied
from domain.games.power_lines.views import View
from domain.i18n import say


def warn(view: View, move: Move) -> str | None:
    """Say why the seat to act may regret this move at once, or None."""
    seen = view.seen
    if _gives_up_a_win(seen, move):
        return say("You could take the enemy base now, and win.")
    if not isinstance(move, Play):
        return None
    seat = seen.actor
    after = applied(seen, move)
    own, home = after.side(seat).cards, after.home(seat)
    if _lets_discard_base(seen, after, move):
        return say("This lets your opponent discard your base at once.")
    if move.card == AVENGER and leads_to_base(own, home, move.spot):
        return say("If this 2 is dominated here, your opponent may discard your base.")
    if not _base_in_reach(seen, seat) and _base_in_reach(after, seat):
        return say("After this your opponent can dominate your base at once.")
    return None


def leads_to_base(cards: Cards, home: Spot, spot: Spot) -> bool:
    """Say whether free discards that begin around ``spot`` can reach the base on ``home``.

    Each face-up 2 that is discarded opens what borders it in turn.
    """
    seen, edge = {spot}, [spot]
    while edge:
        at = edge.pop()
        for near in bordering(cards, at):
            if near == home:
                return True
            if near not in seen and cards[near].shows(AVENGER):
                seen.add(near)
                edge.append(near)
    return False


def _gives_up_a_win(seen: Position, move: Move) -> bool:
    """Say whether a pending choice offers the enemy base and the move takes something else."""
    if seen.pending is None:
        return False
    base = seen.home(3 - seen.actor)
    if isinstance(move, Discard | Dominate) and move.spot == base:
        return False
    wins = (Discard(base), Dominate(base))
    return any(option in wins for option in options(seen, seen.pending))


def _lets_discard_base(before: Position, after: Position, move: Play) -> bool:
    spot, seat = move.sacrifice, before.actor
    if spot is None or not before.side(seat).cards[spot].shows(AVENGER):
        return False
    return leads_to_base(after.side(seat).cards, after.home(seat), spot)


def _base_in_reach(seen: Position, seat: int) -> bool:
    """Say whether the opponent's cards suffice to dominate the base of ``seat``."""
    other, home = 3 - seat, seen.home(seat)
    return strength(seen, other, home, seen.connected(other)) >= needed(seen.side(seat).cards, home)
