"""The field as a zone of a scene: cards in play, free positions around them, bonds."""

from __future__ import annotations

from domain.game.game import Last
from domain.game.scene import Link, Mark, Shape, Space, Token, Zone
from domain.games.power_lines.cards import BASE, EFFECT_SIGNS, EFFECTS, HIDDEN
from domain.games.power_lines.field import Card, Spot, beside, by_row
from domain.games.power_lines.plays import coverable, ground
from domain.games.power_lines.position import FREE_PLAY, Position
from domain.games.power_lines.values import value
from domain.games.power_lines.views import View, in_play
from domain.i18n import called, say


def at(spot: Spot) -> str:
    """Return the id of a position's space."""
    return f"cell:{spot[0]},{spot[1]}"


def field_zone(view: View, last: Last | None) -> Zone:
    """Describe the field: every card in play, and the free positions around each."""
    seen = view.seen
    tokens = _tokens(seen)
    marks = _marks(seen, last)
    spots = {*tokens, *marks, *(near for spot in tokens for near in beside(spot))}
    spaces = tuple(
        Space(
            at(spot),
            *spot,
            f"{spot[0]},{spot[1]}",
            tuple(tokens.get(spot, ())),
            frozenset(marks.get(spot, ())),
        )
        for spot in sorted(spots, key=by_row)
    )
    return Zone("field", called("Field"), Shape.FIELD, spaces)


def links(seen: Position) -> tuple[Link, ...]:
    """Return the bonds between bordering friendlies that are connected to their base."""
    return tuple(
        Link(at(spot), at(near), seat)
        for seat in (1, 2)
        for connected in [seen.connected(seat)]
        for spot in sorted(connected, key=by_row)
        for near in beside(spot)[2:]
        if near in connected
    )


def _tokens(seen: Position) -> dict[Spot, list[Token]]:
    """Return the cards on each position, the covered one first."""
    connected = (seen.connected(1), seen.connected(2))
    tokens: dict[Spot, list[Token]] = {}
    for spot, owner, card in in_play(seen):
        worth = value(seen.side(owner).cards, spot)
        token = _token(spot, owner, card, worth, loose=spot not in connected[owner - 1])
        tokens.setdefault(spot, []).append(token)
    return tokens


def _token(spot: Spot, owner: int, card: Card, worth: int, *, loose: bool) -> Token:
    return Token(
        id=f"card:{spot[0]},{spot[1]}:{owner}",
        kind="base" if card.face == BASE else "card",
        text=_text(card),
        label=_label(card, owner, worth, loose=loose),
        owner=owner,
        value=worth,
        face_down=not card.up,
        marks=frozenset({Mark.LOOSE} if loose else ()),
        effect=EFFECT_SIGNS.get(card.face) if card.up else None,
    )


def _label(card: Card, owner: int, worth: int, *, loose: bool) -> str:
    card_ = _name(card)
    if loose:
        return say("{card} of P{seat}, value {value}, cut off", card=card_, seat=owner, value=worth)
    return called("{card} of P{seat}, value {value}", card=card_, seat=owner, value=worth)


def _text(card: Card) -> str:
    if card.face == BASE:
        return "B"
    return "?" if card.face == HIDDEN else str(card.face)


def _name(card: Card) -> str:
    """Name a card and say what it does; of one face down, the face to those who know it."""
    if not card.up:
        if card.face == HIDDEN:
            return called("face-down card")
        return called("face-down card ({card})", card=card.face)
    name = called("base") if card.face == BASE else str(card.face)
    return called("{card} ({effect})", card=name, effect=EFFECTS[card.face])


def _marks(seen: Position, last: Last | None) -> dict[Spot, set[Mark]]:
    marks: dict[Spot, set[Mark]] = {}
    if last is not None and "x" in last.move:
        took = last.move["action"] in {"dominate", "discard"}
        spot = last.move["x"], last.move["y"]
        marks.setdefault(spot, set()).add(Mark.CAPTURED if took else Mark.LAST)
        sacrifice = last.move.get("sacrifice")
        if sacrifice is not None:
            marks.setdefault((sacrifice["x"], sacrifice["y"]), set()).add(Mark.LEFT)
    for spot in _reach(seen):
        marks.setdefault(spot, set()).add(Mark.REACH)
    return marks


def _reach(seen: Position) -> set[Spot]:
    """Return where the seat to act may lay cards, as everybody can see."""
    pending = seen.pending
    if seen.ending or seen.due or (pending and pending.kind != FREE_PLAY):
        return set()
    free = ground(seen, seen.seat)
    if pending:
        return free.intersection(beside(pending.spot))
    return free if seen.setting_up else free | coverable(seen, seen.seat)
