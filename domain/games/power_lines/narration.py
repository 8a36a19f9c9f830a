"""Moves and draws in sentences, from one viewer's views before and after, and warnings.

A warning comes before a move that throws the match away. A base is lost when it is dominated, or
when a free discard reaches it: beside the position that a face-up 2 left, perhaps over other
face-up 2s. Only the player's own view is looked at.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from domain.game.game import Last
from domain.games.power_lines.cards import (
    BASE,
    FOLLOWER,
    PRICES,
    Card,
    Cards,
    Spot,
    by_row,
    compute_value,
    format_spot,
    list_bordering,
    name_card,
)
from domain.games.power_lines.moves import Discard, Dominate, Move, Play, read_spot
from domain.games.power_lines.plays import MARGIN, compute_needed, compute_strength, iter_options
from domain.games.power_lines.position import (
    FIRST,
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    SHUFFLE,
    Position,
    Side,
)
from domain.games.power_lines.rules import AVENGER, WATCHER, apply_move
from domain.games.power_lines.views import View
from domain.i18n import N_, join_texts, join_with_and, say, say_many
from domain.json_types import Json, JsonObject


def tell(before: View, after: View, last: Last) -> str:
    """Tell a move and what followed from it."""
    sentences = [_tell_deed(before, after, last)]
    if last.move["action"] == "play":
        sentences += _tell_watchers(before.seen, last)
    if last.move["action"] in {"play", "dominate", "discard"}:
        sentences += _tell_fallen(before.seen, after.seen, last)
    return join_texts([*sentences, *_tell_choice(after.seen)])


def tell_draw(view: View, purpose: str, seat: int | None, outcome: Json) -> str:
    """Tell a draw; ``view`` is that after it."""
    if purpose == FIRST or seat is None:
        return say("P{seat} goes first.", seat=outcome)
    if purpose == SHUFFLE:
        return say("P{seat}'s deck is shuffled.", seat=seat)
    lost = view.seen.get_side(seat).trash[-1]
    return say(
        "At random, {card} of P{seat}'s discard pile is trashed.",
        card=name_card(lost),
        seat=seat,
    )


def _tell_deed(before: View, after: View, last: Last) -> str:
    seat, move = last
    match move["action"]:
        case "place":
            card = name_card(move["card"]) if "card" in move else say("a card")
            at = format_spot(read_spot(move))
            return say("P{seat} places {card} face down on {at}.", seat=seat, card=card, at=at)
        case "draw":
            return say("P{seat} draws {cards}.", seat=seat, cards=_name_drawn(before, after, seat))
        case "shuffle":
            return say("P{seat} shuffles the discard pile into the deck.", seat=seat)
        case "decline":
            return say("P{seat} declines.", seat=seat)
        case "play":
            return _tell_play(before.seen, after.seen, seat, move)
        case action:
            return _tell_removal(before.seen, after.seen, 3 - seat, move, _REMOVALS[action])


def _name_drawn(before: View, after: View, seat: int) -> str:
    """Name the card drawn to those who may see the hand."""
    if not before.owns(seat):
        return say("a card")
    new = Counter(after.seen.get_side(seat).hand) - Counter(before.seen.get_side(seat).hand)
    return join_with_and(name_card(card) for card in sorted(new)) if new else say("a card")


def _tell_play(seen: Position, after: Position, seat: int, move: JsonObject) -> str:
    """Tell a play and what was paid for it; a card has one kind of price, but for the 3."""
    told: dict[str, object] = {
        "seat": seat,
        "card": name_card(move["card"]),
        "at": format_spot(read_spot(move)),
    }
    covered = seen.get_enemies(seat).get(read_spot(move))
    if "sacrifice" in move:
        return _tell_sacrifice(seen.get_side(seat), after.get_side(seat), move, told)
    if draws := PRICES[move["card"]].draws:
        return say_many(
            "P{seat} draws {number} card and plays {card} on {at}.",
            "P{seat} draws {number} cards and plays {card} on {at}.",
            draws,
            **told,
        )
    if move.get("discard"):
        paid = join_with_and(name_card(card) for card in move["discard"])
        return say("P{seat} discards {paid} and plays {card} on {at}.", paid=paid, **told)
    if covered is not None:
        told |= {"covered": _name_kind(covered), "other": 3 - seat}
        return say("P{seat} plays {card} onto P{other}'s {covered} on {at}.", **told)
    return say("P{seat} plays {card} on {at}.", **told)


def _tell_sacrifice(before: Side, after: Side, move: JsonObject, told: dict[str, object]) -> str:
    """Tell the play of a 3, and what a face-down card given up for it turns out to be."""
    place, draws = read_spot(move["sacrifice"]), PRICES[move["card"]].draws
    card = before.cards[place]
    told |= {"given": _name_kind(card), "place": format_spot(place)}
    if card.up:
        return say_many(
            "P{seat} draws {number} card, gives up the {given} on {place} and plays {card} on "
            "{at}.",
            "P{seat} draws {number} cards, gives up the {given} on {place} and plays {card} on "
            "{at}.",
            draws,
            **told,
        )
    return say_many(
        "P{seat} draws {number} card, gives up the {given} on {place} ({face}) and plays {card} on "
        "{at}.",
        "P{seat} draws {number} cards, gives up the {given} on {place} ({face}) and plays {card} "
        "on {at}.",
        draws,
        face=name_card(after.discard[len(before.discard)]),
        **told,
    )


def _tell_removal(
    before: Position, after: Position, owner: int, move: JsonObject, templates: _Removal
) -> str:
    """Tell a domination or a free discard, and what a face-down card turns out to be."""
    spot = read_spot(move)
    card = before.get_side(owner).cards[spot]
    told: dict[str, object] = {"seat": 3 - owner, "owner": owner, "at": format_spot(spot)}
    if card.face == BASE:
        return say(templates.base, **told)
    told["card"] = _name_kind(card)
    if card.up:
        return say(templates.plain, **told)
    pile = "trash" if move["action"] == "dominate" else "discard"
    grown = len(getattr(before.get_side(owner), pile))
    return say(
        templates.turned, face=name_card(getattr(after.get_side(owner), pile)[grown]), **told
    )


class _Removal(NamedTuple):
    """What is told of a base, of a card that lay face up, of one that is turned over by it."""

    base: str
    plain: str
    turned: str


_REMOVALS = {
    "dominate": _Removal(
        N_("P{seat} dominates P{owner}'s base."),
        N_("P{seat} dominates P{owner}'s {card} on {at}."),
        N_("P{seat} dominates P{owner}'s {card} on {at} ({face})."),
    ),
    "discard": _Removal(
        N_("P{seat} discards P{owner}'s base."),
        N_("P{seat} discards P{owner}'s {card} on {at}."),
        N_("P{seat} discards P{owner}'s {card} on {at} ({face})."),
    ),
}


def _tell_watchers(seen: Position, last: Last) -> list[str]:
    other = seen.get_side(3 - last.seat)
    fours = [
        at
        for at in list_bordering(other.cards, read_spot(last.move))
        if other.cards[at].shows(WATCHER)
    ]
    return [
        say("P{seat} draws for the 4 on {at}.", seat=3 - last.seat, at=format_spot(at))
        for at in fours[: len(other.deck)]
    ]


def _tell_fallen(before: Position, after: Position, last: Last) -> list[str]:
    """Tell which 0s were trashed because their value fell, besides the one that the move took."""
    taken = last.move.get("sacrifice") or last.move
    return [
        say("P{seat}'s 0 on {at} is worth less now and is trashed.", seat=seat, at=format_spot(at))
        for seat in (1, 2)
        for at in sorted(
            before.get_side(seat).cards.keys() - after.get_side(seat).cards, key=by_row
        )
        if before.get_side(seat).cards[at].shows(FOLLOWER) and at != read_spot(taken)
    ]


def _tell_choice(seen: Position) -> list[str]:
    if seen.pending is None:
        return []
    kind, seat, spot = seen.pending
    return [say(_MAY[kind], seat=seat, other=3 - seat, at=format_spot(spot))]


_MAY = {
    FREE_DISCARD: N_("P{seat} may discard one of P{other}'s cards around {at}."),
    FREE_DOMINATE: N_("P{seat} may dominate an enemy beside the 7 for no action."),
    FREE_PLAY: N_("P{seat} may play a card of 5 or less beside the 9 for no action."),
}


def _name_kind(card: Card) -> str:
    """Say what a card is, behind the name of its owner."""
    if not card.up:
        return say("face-down card")
    return say("base") if card.face == BASE else str(card.face)


def reckon(view: View, move: Move) -> str | None:
    """Tell what the cards that reach a dominated one are worth together; None of other moves."""
    seen = view.seen
    if not isinstance(move, Dominate) or move.spot not in seen.get_enemies(seen.actor):
        return None
    own, reach = seen.get_side(seen.actor).cards, seen.list_connected(seen.actor)
    parts = [
        say("{worth} on {x},{y}", worth=compute_value(own, spot), x=spot[0], y=spot[1])
        for spot in list_bordering(own, move.spot)
        if spot in reach
    ]
    worth = compute_strength(seen, seen.actor, move.spot, reach)
    takes = compute_needed(seen.get_enemies(seen.actor), move.spot)
    return say(
        "{sum} = {worth}; it takes {takes} ({value} and {margin} more).",
        sum=join_texts(parts, " + "),
        worth=worth,
        takes=takes,
        value=takes - MARGIN,
        margin=MARGIN,
    )


def warn(view: View, move: Move) -> str | None:
    """Say why the seat to act may regret this move at once, or None."""
    seen = view.seen
    if _gives_up_a_win(seen, move):
        return say("You could take the enemy base now, and win.")
    if not isinstance(move, Play):
        return None
    seat = seen.actor
    after = apply_move(seen, move)
    own, home = after.get_side(seat).cards, after.get_home(seat)
    if _lets_discard_base(seen, after, move):
        return say("This lets your opponent discard your base at once.")
    if move.card == AVENGER and leads_to_base(own, home, move.spot):
        return say("If this 2 is dominated here, your opponent may discard your base.")
    if not _is_base_in_reach(seen, seat) and _is_base_in_reach(after, seat):
        return say("After this your opponent can dominate your base at once.")
    return None


def leads_to_base(cards: Cards, home: Spot, spot: Spot) -> bool:
    """Say whether free discards that begin around ``spot`` can reach the base on ``home``.

    Each face-up 2 that is discarded opens what borders it in turn.
    """
    seen, edge = {spot}, [spot]
    while edge:
        at = edge.pop()
        for near in list_bordering(cards, at):
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
    base = seen.get_home(3 - seen.actor)
    if isinstance(move, Discard | Dominate) and move.spot == base:
        return False
    wins = (Discard(base), Dominate(base))
    return any(option in wins for option in iter_options(seen, seen.pending))


def _lets_discard_base(before: Position, after: Position, move: Play) -> bool:
    spot, seat = move.sacrifice, before.actor
    if spot is None or not before.get_side(seat).cards[spot].shows(AVENGER):
        return False
    return leads_to_base(after.get_side(seat).cards, after.get_home(seat), spot)


def _is_base_in_reach(seen: Position, seat: int) -> bool:
    """Say whether the opponent's cards suffice to dominate the base of ``seat``."""
    other, home = 3 - seat, seen.get_home(seat)
    return compute_strength(seen, other, home, seen.list_connected(other)) >= compute_needed(
        seen.get_side(seat).cards, home
    )
