"""The moves: what a player can ask for, from JSON and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from domain.errors import MalformedMove
from domain.game.game import Members, check_members, read_action
from domain.games.power_lines.cards import FREE, PRICES, Spot
from domain.i18n import say
from domain.json_types import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Place:
    """Place a card of the hand face down (setup)."""

    card: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Take the top card of the deck."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle the discard pile into the deck."""


@dataclass(frozen=True, slots=True)
class Dominate:
    """Trash the enemy on ``spot``."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card face up, and pay: cards of the hand, ascending; where a card in play lies."""

    card: int
    spot: Spot
    discard: tuple[int, ...] = ()
    sacrifice: Spot | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Take a free discard: the opponent's card on ``spot``."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the pending choice go."""


Move: TypeAlias = Place | DrawCard | Shuffle | Dominate | Play | Discard | Decline

_XY: Members = {"x": int, "y": int}
_CARD: Members = {"card": int, **_XY}


def parse_move(json: Json) -> Move:
    """Parse a move, and sort its ``discard``. Raises ``MalformedMove``."""
    name = read_action(json, {**_ACTIONS, "play": _get_play_members(json)})
    return _KINDS[name][2](json)


def dump_move(move: Move) -> JsonObject:
    """Return a move's JSON form."""
    json: JsonObject = {"action": _NAMES[type(move)]}
    if isinstance(move, Place | Play):
        json["card"] = move.card
    if not isinstance(move, DrawCard | Shuffle | Decline):
        json |= _dump_spot(move.spot)
    if isinstance(move, Play):
        if PRICES.get(move.card, FREE).discards:
            json["discard"] = list(move.discard)
        if move.sacrifice is not None:
            json["sacrifice"] = _dump_spot(move.sacrifice)
    return json


def conceal(_: object, move: Move) -> JsonObject | None:
    """Return a move's public part if it hides something: which card is placed face down."""
    return {"action": _NAMES[Place], **_dump_spot(move.spot)} if isinstance(move, Place) else None


def parse_seen(json: Json) -> JsonObject:
    """Return a move's JSON as the opponent sees it. Raises ``MalformedMove``.

    Which card is placed face down they do not see, so nothing can depend on it.
    """
    if type(json) is dict and json.get("action") == _NAMES[Place]:
        if "card" in json:
            detail = say("You will not see which card is placed face down: leave out 'card'.")
            raise MalformedMove(detail, pointer="/card")
        read_action(json, {_NAMES[Place]: _XY})
        return {"action": _NAMES[Place], **_dump_spot(read_spot(json))}
    return dump_move(parse_move(json))


def _get_play_members(json: Json) -> Members:
    """Return the members of a play, which depend on the price of its card."""
    card = json.get("card") if type(json) is dict else None
    price = PRICES.get(card, FREE) if type(card) is int else FREE
    if price.discards:
        return {**_CARD, "discard": list}
    return {**_CARD, "sacrifice": dict} if price.sacrifice else _CARD


def read_spot(json: JsonObject) -> Spot:
    """Return the position that a move, or a part of it, names."""
    return json["x"], json["y"]


def _dump_spot(spot: Spot) -> JsonObject:
    return {"x": spot[0], "y": spot[1]}


def _read_discards(json: JsonObject) -> tuple[int, ...]:
    cards = json.get("discard", [])
    for index, card in enumerate(cards):
        if type(card) is not int:
            detail = say("Each entry of 'discard' must be a whole number.")
            raise MalformedMove(detail, pointer=f"/discard/{index}")
    return tuple(sorted(cards))


def _read_sacrifice(json: JsonObject) -> Spot | None:
    if "sacrifice" not in json:
        return None
    try:
        return read_spot(check_members(json["sacrifice"], _XY))
    except MalformedMove as fault:
        pointer = f"/sacrifice{fault.pointer or ''}"
        raise MalformedMove(
            say("In 'sacrifice': {detail}", detail=fault.detail), pointer=pointer
        ) from fault


def _read_play(json: JsonObject) -> Play:
    return Play(json["card"], read_spot(json), _read_discards(json), _read_sacrifice(json))


_KINDS: dict[str, tuple[type, Members, Callable[[JsonObject], Move]]] = {
    "place": (Place, _CARD, lambda json: Place(json["card"], read_spot(json))),
    "draw": (DrawCard, {}, lambda _: DrawCard()),
    "shuffle": (Shuffle, {}, lambda _: Shuffle()),
    "dominate": (Dominate, _XY, lambda json: Dominate(read_spot(json))),
    "play": (Play, _CARD, _read_play),
    "discard": (Discard, _XY, lambda json: Discard(read_spot(json))),
    "decline": (Decline, {}, lambda _: Decline()),
}
"""By the action of each move: its class, its other members, and what reads it."""

_ACTIONS = {name: members for name, (_, members, _) in _KINDS.items()}
_NAMES = {kind: name for name, (kind, _, _) in _KINDS.items()}
