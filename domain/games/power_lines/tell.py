"""Moves and draws told in sentences, from one viewer's views before and after."""

from __future__ import annotations

from collections import Counter

from domain.game import Last
from domain.games.power_lines.cards import BASE, PRICES, article
from domain.games.power_lines.field import Card, Spot, bordering, by_row
from domain.games.power_lines.position import (
    FIRST,
    FREE_DISCARD,
    FREE_DOMINATE,
    SHUFFLE,
    Position,
)
from domain.games.power_lines.steps import WATCHER
from domain.games.power_lines.values import FOLLOWER
from domain.games.power_lines.views import View
from domain.json_types import Json, JsonObject


def tell(before: View, after: View, last: Last) -> str:
    """Tell a move and what followed from it."""
    sentences = [_deed(before, after, last)]
    if last.move["action"] == "play":
        sentences += _watchers(before.seen, last)
    if last.move["action"] in {"play", "dominate", "discard"}:
        sentences += _fallen(before.seen, after.seen, last)
    return " ".join([*sentences, *_choice(after.seen)])


def tell_draw(view: View, purpose: str, seat: int | None, outcome: Json) -> str:
    """Tell a draw; ``view`` is that after it."""
    if purpose == FIRST or seat is None:
        return f"P{outcome} goes first."
    if purpose == SHUFFLE:
        return f"The deck of P{seat} is shuffled."
    lost = view.seen.side(seat).trash[-1]
    return f"At random, {article(lost)} of the discard pile of P{seat} is trashed."


def _deed(before: View, after: View, last: Last) -> str:
    seat, move = last
    match move["action"]:
        case "place":
            card = f"{article(move['card'])}" if "card" in move else "a card"
            told = f"places {card} face down on {_at(_spot(move))}"
        case "draw":
            told = f"draws {_drawn(before, after, seat)}"
        case "shuffle":
            told = "shuffles the discard pile into the deck"
        case "decline":
            told = "declines"
        case "play":
            told = _play(before.seen, after.seen, seat, move)
        case action:
            told = _removal(before.seen, after.seen, 3 - seat, move, f"{action}s")
    return f"P{seat} {told}."


def _drawn(before: View, after: View, seat: int) -> str:
    """Name the card drawn to those who may see the hand."""
    if not before.owns(seat):
        return "a card"
    new = Counter(after.seen.side(seat).hand) - Counter(before.seen.side(seat).hand)
    return " and ".join(article(card) for card in sorted(new)) or "a card"


def _play(seen: Position, after: Position, seat: int, move: JsonObject) -> str:
    spot = _spot(move)
    parts = []
    if move.get("discard"):
        parts.append(f"discards {_listed(move['discard'])}")
    draws = PRICES[move["card"]].draws
    if draws:
        parts.append(f"draws {draws} card{'' if draws == 1 else 's'}")
    if "sacrifice" in move:
        at = _spot(move["sacrifice"])
        card = seen.side(seat).cards[at]
        parts.append(f"gives up {_named(card)} on {_at(at)}")
        if not card.up:
            parts[-1] += f" ({article(after.side(seat).discard[len(seen.side(seat).discard)])})"
    verb = f"plays {article(move['card'])}"
    covered = seen.enemies(seat).get(spot)
    onto = "" if covered is None else f"{_named(covered)} of P{3 - seat} "
    parts.append(f"{verb} onto {onto}on {_at(spot)}" if onto else f"{verb} on {_at(spot)}")
    return ", ".join(parts[:-1]) + (" and " if parts[:-1] else "") + parts[-1]


def _removal(before: Position, after: Position, owner: int, move: JsonObject, verb: str) -> str:
    """Tell a domination or a free discard, and what a face-down card turns out to be."""
    spot = _spot(move)
    card = before.side(owner).cards[spot]
    if card.face == BASE:
        return f"{verb} the base of P{owner}"
    told = f"{verb} {_named(card)} of P{owner} on {_at(spot)}"
    if card.up:
        return told
    pile = "trash" if move["action"] == "dominate" else "discard"
    grown = len(getattr(before.side(owner), pile))
    return f"{told} ({article(getattr(after.side(owner), pile)[grown])})"


def _watchers(seen: Position, last: Last) -> list[str]:
    other = seen.side(3 - last.seat)
    fours = [
        at for at in bordering(other.cards, _spot(last.move)) if other.cards[at].shows(WATCHER)
    ]
    return [f"P{3 - last.seat} draws for the 4 on {_at(at)}." for at in fours[: len(other.deck)]]


def _fallen(before: Position, after: Position, last: Last) -> list[str]:
    """Tell which 0s were trashed because their value fell, besides the one that the move took."""
    taken = last.move.get("sacrifice") or last.move
    return [
        f"The 0 of P{seat} on {_at(at)} is worth less now and is trashed."
        for seat in (1, 2)
        for at in sorted(before.side(seat).cards.keys() - after.side(seat).cards, key=by_row)
        if before.side(seat).cards[at].shows(FOLLOWER) and at != _spot(taken)
    ]


def _choice(seen: Position) -> list[str]:
    if seen.pending is None:
        return []
    kind, seat, spot = seen.pending
    if kind == FREE_DISCARD:
        return [f"P{seat} may discard a card of P{3 - seat} around {_at(spot)}."]
    if kind == FREE_DOMINATE:
        return [f"P{seat} may dominate an enemy beside the 7 for no action."]
    return [f"P{seat} may play a card of 5 or less beside the 9 for no action."]


def _named(card: Card) -> str:
    if not card.up:
        return "the face-down card"
    return "the base" if card.face == BASE else f"the {card.face}"


def _listed(cards: list[int]) -> str:
    return " and ".join(article(card) for card in cards)


def _at(spot: Spot) -> str:
    return f"{spot[0]},{spot[1]}"


def _spot(move: JsonObject) -> Spot:
    return move["x"], move["y"]
