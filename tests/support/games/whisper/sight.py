"""What one viewer may see of Whisper, and how it looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.errors import MalformedMove
from domain.game.game import Last, Notation, Viewer
from domain.game.scene import Meter, Scene, Shape, Space, Token, Zone
from domain.json_types import Json, JsonObject
from tests.support.games.whisper.rules import MOST_WHISPERS, Lay, Position, Side


class SideView(NamedTuple):
    """A seat's things: None stands for cards whose faces are hidden."""

    hand: tuple[int, ...] | None
    hand_count: int
    deck: tuple[int, ...] | None
    deck_count: int
    said: tuple[int, ...]
    whispered: tuple[int | None, ...]


class View(NamedTuple):
    """What a viewer sees; ``seat`` is 0 before the coin."""

    target: int
    first: int | None
    seat: int
    bar: int
    viewer: Viewer
    sides: tuple[SideView, SideView]


def view(position: Position, viewer: Viewer, over: bool) -> View:  # noqa: FBT001 - Game calls it so
    first, second = (
        _side(side, own=over or viewer.seat == seat, opened=over)
        for seat, side in enumerate(position.sides, 1)
    )
    return View(
        position.target, position.first, position.seat, position.bar, viewer, (first, second)
    )


def _side(side: Side, *, own: bool, opened: bool) -> SideView:
    return SideView(
        hand=side.hand if own else None,
        hand_count=len(side.hand),
        deck=side.deck if opened else None,
        deck_count=len(side.deck),
        said=side.said,
        whispered=side.whispered if own else (None,) * len(side.whispered),
    )


def show(view: View) -> JsonObject:
    return {
        "first": view.first,
        "seat": view.seat,
        "bar": view.bar,
        "players": [
            {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in side._asdict().items()
            }
            for side in view.sides
        ],
    }


def iter_revealed(view: View) -> Iterator[tuple[int, int]]:
    for seat, side in enumerate(view.sides, 1):
        for card in (*(side.hand or ()), *side.said, *side.whispered):
            if card is not None:
                yield seat, card


def build_scene(view: View, _: Last | None) -> Scene:
    zones = [zone for seat in (1, 2) for zone in _rows(seat, view.sides[seat - 1])]
    zones += [_hand(seat, view.sides[seat - 1]) for seat in (1, 2)]
    choices = tuple(
        Space(f"action:{name}", x, 0, name) for x, name in enumerate(("say", "whisper"))
    )
    zones.append(Zone("choices", "Actions", Shape.CHOICES, choices))
    meters = tuple(
        Meter(seat, "said", sum(side.said), view.target) for seat, side in enumerate(view.sides, 1)
    )
    return Scene(tuple(zones), meters=meters)


def _rows(seat: int, side: SideView) -> tuple[Zone, Zone]:
    said = tuple(
        Space(f"said:{seat},{x}", x, 0, f"said {card}", (_card(f"said-{seat}-{x}", seat, card),))
        for x, card in enumerate(side.said)
    )
    whispered = tuple(
        Space(
            f"whispered:{seat},{x}",
            x,
            0,
            f"whisper {x + 1}",
            (_card(f"whispered-{seat}-{x}", seat, card, face_down=True),),
        )
        for x, card in enumerate(side.whispered)
    )
    return (
        Zone(f"said:{seat}", f"P{seat} said", Shape.PILE, said, seat),
        Zone(f"whispered:{seat}", f"P{seat} whispered", Shape.HAND, whispered, seat),
    )


def _card(name: str, seat: int, card: int | None, *, face_down: bool = False) -> Token:
    text = "?" if card is None else str(card)
    label = "a hidden card" if card is None else f"card {card}"
    return Token(f"card:{name}", "card", text, label, seat, card, face_down)


def _hand(seat: int, side: SideView) -> Zone:
    """Show a hand; equal cards are one space, since choosing either is the same move."""
    cards = side.hand or ()
    spaces = tuple(
        Space(
            f"hand:{seat},{card}",
            x,
            0,
            f"card {card}",
            tuple(_card(f"hand-{seat}-{card}-{n}", seat, card) for n in range(cards.count(card))),
        )
        for x, card in enumerate(sorted(set(cards)))
    )
    hidden = side.hand_count if side.hand is None else 0
    return Zone(f"hand:{seat}", f"P{seat}'s hand", Shape.HAND, spaces, seat, hidden)


def build_path(view: View, move: Lay) -> tuple[str, ...]:
    return (f"action:{move.action}", f"hand:{view.seat},{move.card}")


def tell(_: View, __: View, last: Last) -> str:
    card = last.move.get("card")
    if last.move["action"] == "say":
        return f"P{last.seat} says {card}."
    return f"P{last.seat} whispers {'a card' if card is None else card}."


def tell_draw(view: View, purpose: str, seat: int | None, outcome: Json) -> str:
    if purpose == "first":
        return f"P{outcome} begins."
    if purpose == "shuffle":
        return f"The deck of P{seat} is shuffled."
    left = len(view.sides[(seat or 1) - 1].said)
    return f"P{seat} loses card number {outcome + 1} of those said and has {left} left."


def warn(view: View, move: Lay) -> str | None:
    side = view.sides[view.seat - 1]
    if move.action == "whisper" and len(side.whispered) == MOST_WHISPERS - 1:
        return "This is the last card that you can whisper."
    return None


def doubt(view: View, moves: Sequence[Lay]) -> str | None:
    seat = view.viewer.seat
    hand = Counter(view.sides[seat - 1].hand if seat else ())
    hand.subtract(move.card for move in moves)
    missing = next((card for card in hand if hand[card] < 0), None)
    return None if missing is None else f"You cannot know that you will have this {missing}."


HELP = "Type s and a card to say it, w and a card to whisper it: s3, w0."

_MOVE = re.compile(r"([sw])([0-9])", re.ASCII)
_ACTIONS = {"s": "say", "w": "whisper"}


def write(move: JsonObject) -> str:
    return f"{move['action'][0]}{move.get('card', '?')}"


def read(text: str) -> JsonObject:
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        raise MalformedMove(HELP)
    return {"action": _ACTIONS[found[1]], "card": int(found[2])}


NOTATION = Notation(write, read, HELP)
