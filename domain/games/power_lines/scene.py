"""What to draw: the field with both lines of cards, the hands, the piles, the choices.

A move is entered over the ids of its seat's scene: ``hand:9``, ``cell:2,0``, then what it
costs, ``hand:1``, ``hand:4`` or the ``cell`` of the card given up. Equal cards of a hand are
one space, since choosing either is the same move.
"""

from __future__ import annotations

from dataclasses import replace

from domain.game.game import Last
from domain.game.scene import Link, Mark, Meter, Note, Scene, Shape, Space, Token, Zone
from domain.games.power_lines.cards import (
    BASE,
    BLANK,
    DECK_SIZE,
    EFFECT_SIGNS,
    EFFECTS,
    HIDDEN,
    Card,
    Spot,
    by_row,
    compute_value,
    format_spot,
    list_neighbours,
    list_price_signs,
    tell_price,
)
from domain.games.power_lines.moves import (
    Decline,
    Discard,
    Dominate,
    DrawCard,
    Move,
    Place,
    Play,
    Shuffle,
)
from domain.games.power_lines.plays import list_coverable, list_ground
from domain.games.power_lines.position import (
    ACTIONS,
    FREE_DISCARD,
    FREE_DOMINATE,
    FREE_PLAY,
    Position,
    measure_distance,
)
from domain.games.power_lines.rules import check_move
from domain.games.power_lines.views import View, list_in_play
from domain.i18n import N_, say


def _make_cell_id(spot: Spot) -> str:
    return f"cell:{format_spot(spot)}"


def _build_field(view: View, last: Last | None) -> Zone:
    """Describe the field: every card in play, and the free positions around each."""
    seen = view.seen
    tokens = _build_tokens(seen)
    marks = _collect_marks(seen, last)
    spots = {*tokens, *marks, *(near for spot in tokens for near in list_neighbours(spot))}
    spaces = tuple(
        Space(
            _make_cell_id(spot),
            *spot,
            format_spot(spot),
            tuple(tokens.get(spot, ())),
            frozenset(marks.get(spot, ())),
        )
        for spot in sorted(spots, key=by_row)
    )
    return Zone("field", say("Field"), Shape.FIELD, spaces)


def _build_links(seen: Position) -> tuple[Link, ...]:
    return tuple(
        Link(_make_cell_id(spot), _make_cell_id(near), seat)
        for seat in (1, 2)
        for connected in [seen.list_connected(seat)]
        for spot in sorted(connected, key=by_row)
        for near in list_neighbours(spot)[2:]
        if near in connected
    )


def _build_tokens(seen: Position) -> dict[Spot, list[Token]]:
    """Return the cards on each position, the covered one first."""
    connected = (seen.list_connected(1), seen.list_connected(2))
    tokens: dict[Spot, list[Token]] = {}
    for spot, owner, card in list_in_play(seen):
        worth = compute_value(seen.get_side(owner).cards, spot)
        token = _build_token(spot, owner, card, worth, loose=spot not in connected[owner - 1])
        tokens.setdefault(spot, []).append(token)
    return tokens


def _build_token(spot: Spot, owner: int, card: Card, worth: int, *, loose: bool) -> Token:
    told: dict[str, object] = {"card": _describe_card(card), "seat": owner, "value": worth}
    if loose:
        label = say("P{seat}'s {card}, value {value}, cut off", **told)
    else:
        label = say("P{seat}'s {card}, value {value}", **told)
    return Token(
        id=f"card:{format_spot(spot)}:{owner}",
        kind="base" if card.face == BASE else "card",
        text={BASE: "B", HIDDEN: "?"}.get(card.face, str(card.face)),
        label=label,
        owner=owner,
        value=worth,
        face_down=not card.up,
        marks=frozenset({Mark.LOOSE} if loose else ()),
        effect=EFFECT_SIGNS.get(card.face) if card.up else None,
    )


def _describe_card(card: Card) -> str:
    """Name a card and say what it does; of one face down, the face to those who know it."""
    if not card.up:
        if card.face == HIDDEN:
            return say("face-down card")
        return say("face-down card ({card})", card=card.face)
    name = say("base") if card.face == BASE else str(card.face)
    return say("{card} ({effect})", card=name, effect=EFFECTS[card.face])


def _collect_marks(seen: Position, last: Last | None) -> dict[Spot, set[Mark]]:
    marks: dict[Spot, set[Mark]] = {}
    if last is not None and "x" in last.move:
        took = last.move["action"] in {"dominate", "discard"}
        marks[last.move["x"], last.move["y"]] = {Mark.CAPTURED if took else Mark.LAST}
        sacrifice = last.move.get("sacrifice")
        if sacrifice is not None:
            marks.setdefault((sacrifice["x"], sacrifice["y"]), set()).add(Mark.LEFT)
    for spot in _list_reach(seen):
        marks.setdefault(spot, set()).add(Mark.REACH)
    return marks


def _list_reach(seen: Position) -> set[Spot]:
    """Return where the seat to act may lay cards, as everybody can see."""
    pending = seen.pending
    if seen.ending or seen.due or (pending and pending.kind != FREE_PLAY):
        return set()
    free = list_ground(seen, seen.seat)
    if pending:
        return free.intersection(list_neighbours(pending.spot))
    return free if seen.setting_up else free | list_coverable(seen, seen.seat)


_CHOOSING = {
    FREE_DISCARD: N_("P{seat} may discard a card around {x},{y}, for free, or decline."),
    FREE_DOMINATE: N_(
        "P{seat} may dominate an enemy beside the 7 on {x},{y}, for free, or decline."
    ),
    FREE_PLAY: N_(
        "P{seat} may play a card of 5 or less beside the 9 on {x},{y}, for free, or decline."
    ),
}

_PLAIN: dict[DrawCard | Shuffle | Decline, tuple[str, str]] = {
    DrawCard(): ("action:draw", say("Draw a card")),
    Shuffle(): ("action:shuffle", say("Shuffle the discard pile into the deck")),
    Decline(): ("action:decline", say("Decline")),
}
"""The moves that have no place on the field, each with the id and the label of its choice."""


STEPS = say("steps forward")


def build_scene(view: View, last: Last | None) -> Scene:
    """Describe everything that the viewer sees."""
    zones = [_build_field(view, last)]
    for seat in (2, 1) if view.seat == 2 else (1, 2):  # noqa: PLR2004 - the viewer's own first
        zones += [_build_hand(view, seat), *_build_piles(view, seat)]
    if not (view.seen.ending or view.seen.due) and view.owns(view.seen.actor):
        zones.append(_build_choices(view.seen))
    return Scene(
        zones=tuple(zones),
        links=_build_links(view.seen),
        meters=_build_meters(view.seen),
        notes=_build_notes(view),
        measure=STEPS,
    )


def build_path(view: View, move: Move) -> tuple[str, ...]:
    """Return the steps that enter a move of the seat to act."""
    match move:
        case Place(card, spot):
            return _make_hand_id(view, view.seen.actor, card), _make_cell_id(spot)
        case Play(card, spot, discard, sacrifice):
            costs = tuple(_make_hand_id(view, view.seen.actor, one) for one in discard)
            given = () if sacrifice is None else (_make_cell_id(sacrifice),)
            return _make_hand_id(view, view.seen.actor, card), _make_cell_id(spot), *costs, *given
        case Dominate(spot) | Discard(spot):
            return (_make_cell_id(spot),)
        case DrawCard() | Shuffle() | Decline():
            return (_PLAIN[move][0],)


def _make_hand_id(view: View, seat: int, card: int) -> str:
    """Return the id of a card in a hand: the viewer's own, or else the mover's, is plain."""
    own = view.seat or view.seen.actor
    return f"hand:{card}" if seat == own else f"hand:{seat}:{card}"


def _build_hand(view: View, seat: int) -> Zone:
    hand = view.seen.get_side(seat).hand
    title = say("Your hand") if view.seat == seat else say("Hand (P{seat})", seat=seat)
    if not view.owns(seat):
        return Zone(f"hand-{seat}", title, Shape.HAND, (), seat, len(hand))
    spaces = tuple(
        _build_hand_space(_make_hand_id(view, seat, card), x, seat, (card, hand.count(card)))
        for x, card in enumerate(sorted(set(hand)))
    )
    return Zone(f"hand-{seat}", title, Shape.HAND, spaces, seat)


def _build_hand_space(name: str, x: int, seat: int, cards: tuple[int, int]) -> Space:
    """Return the space of ``cards``: which card, and how many of it."""
    card, count = cards
    said: dict[str, object] = {"price": tell_price(card), "effect": EFFECTS[card]}
    priced = say("{card}, price: {price}; {effect}", card=card, **said)
    told = say("Price: {price}. Effect: {effect}.", **said)
    if card == BLANK:
        told = say("Price: {price}. No effect.", **said)
    plain = Token(name, "card", str(card), priced, seat, card, told=told)
    whole = replace(plain, price=list_price_signs(card), effect=EFFECT_SIGNS[card])
    tokens = tuple(replace(whole, id=f"{name}#{number}") for number in range(count))
    several = say("{number} × {card}", number=count, card=priced)
    return Space(name, x, 0, priced if count == 1 else several, tokens, owner=seat)


def _build_piles(view: View, seat: int) -> tuple[Zone, ...]:
    side = view.seen.get_side(seat)
    deck = side.deck[::-1] if view.opened else ()
    hidden = len(side.deck) - len(deck)
    return (
        _build_pile("deck", say("Deck (P{seat})", seat=seat), seat, deck, hidden),
        _build_pile("discard", say("Discard pile (P{seat})", seat=seat), seat, side.discard),
        _build_pile("trash", say("Trash pile (P{seat})", seat=seat), seat, side.trash),
    )


def _build_pile(kind: str, title: str, seat: int, faces: tuple[int, ...], hidden: int = 0) -> Zone:
    """Describe a pile, its cards in order of arrival, the top last."""
    spaces = []
    for x, face in enumerate(faces):
        text, name = ("B", say("base")) if face == BASE else (str(face), str(face))
        card = Token(f"{kind}-{seat}#{x}", "card", text, name, seat, face)
        spaces.append(Space(f"{kind}-{seat}:{x}", x, 0, name, (card,), owner=seat))
    return Zone(f"{kind}-{seat}", title, Shape.PILE, tuple(spaces), seat, hidden)


def _build_choices(seen: Position) -> Zone:
    plain = [name for move, name in _PLAIN.items() if check_move(seen, move) is None]
    spaces = tuple(Space(id_, x, 0, label) for x, (id_, label) in enumerate(plain))
    return Zone("choices", say("Choices"), Shape.CHOICES, spaces)


def _build_meters(seen: Position) -> tuple[Meter, ...]:
    meters = []
    for seat, side in enumerate(seen.sides, 1):
        if seat == seen.seat and not seen.setting_up:
            meters.append(Meter(seat, say("actions left"), seen.actions, ACTIONS))
        meters += [
            Meter(seat, say("cards in hand"), len(side.hand)),
            Meter(seat, say("cards in deck"), len(side.deck), DECK_SIZE),
            Meter(seat, STEPS, _measure_way_gone(seen, seat), seen.gap + 1),
        ]
    return tuple(meters)


def _measure_way_gone(seen: Position, seat: int) -> int:
    """Return how far a seat has got; nowhere without a card in play."""
    if not seen.get_side(seat).cards:
        return 0
    return max(0, seen.gap + 1 - measure_distance(seen, seat))


def _build_notes(view: View) -> tuple[Note, ...]:
    seen = view.seen
    if not seen.seat:
        return ()
    turns = say("{number} of {limit} turns completed.", number=seen.turn, limit=seen.limit)
    notes = [] if seen.setting_up else [Note(turns)]
    if seen.setting_up and not seen.due:
        notes.append(Note(say("Next, P{seat} places a card face down.", seat=seen.seat), seen.seat))
    if seen.pending is not None:
        kind, seat, (x, y) = seen.pending
        notes.append(Note(say(_CHOOSING[kind], seat=seat, x=x, y=y), seat))
    return tuple(notes)
