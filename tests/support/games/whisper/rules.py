"""The rules of Whisper. The package's page tells them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.errors import MalformedMove
from domain.game.game import Act, Draw, Over, Pass, Step, check_members
from domain.json_types import Json, JsonObject
from domain.log.chance import pick, shuffle, toss_coin

LOWEST, HIGHEST = 0, 5
DECK_SIZE = 8
HAND_SIZE = 3
MOST_WHISPERS = 2


class Side(NamedTuple):
    """What a seat has: ``deck`` (top first), ``hand`` (ascending), and its two rows."""

    deck: tuple[int, ...]
    hand: tuple[int, ...] = ()
    said: tuple[int, ...] = ()
    whispered: tuple[int, ...] = ()


class Position(NamedTuple):
    """The whole truth. ``shuffled`` counts the decks that are; ``robbed`` is to lose a card."""

    target: int
    sides: tuple[Side, Side]
    first: int | None = None
    shuffled: int = 0
    seat: int = 0
    bar: int = 0
    robbed: int | None = None


class Lay(NamedTuple):
    """Lay ``card`` face up (``say``) or face down (``whisper``)."""

    action: str
    card: int


def check_deck(value: Json) -> str | None:
    """Say what is wrong with a deck, or None."""
    if type(value) is not list or any(type(card) is not int for card in value):
        return "deck must be a list of whole numbers."
    if len(value) != DECK_SIZE or not all(LOWEST <= card <= HIGHEST for card in value):
        return f"deck must be {DECK_SIZE} cards from {LOWEST} to {HIGHEST}."
    return None


def set_up(options: JsonObject, settings: tuple[JsonObject, JsonObject]) -> Position:
    first, second = (Side(tuple(sorted(seat["deck"]))) for seat in settings)
    return Position(options["target"], (first, second))


def get_next_step(position: Position) -> Step:
    if position.first is None:
        return Draw("first", toss_coin)
    if position.shuffled < 2:
        seat = position.shuffled + 1
        return Draw("shuffle", shuffle(position.sides[seat - 1].deck), seat, hidden=True)
    if position.robbed is not None:
        said = position.sides[position.robbed - 1].said
        return Draw("lose", pick(len(said)), position.robbed)
    return _turn(position)


def _turn(position: Position) -> Step:
    for seat, side in enumerate(position.sides, 1):
        if sum(side.said) >= position.target:
            return Over(seat, "heard")
    if any(iter_legal_moves(position)):
        return Act(position.seat)
    hand = position.sides[position.seat - 1].hand
    if position.sides[2 - position.seat].hand:
        return Pass(position.seat, shown={"hand": list(hand)})
    first, second = (sum(side.said) + sum(side.whispered) for side in position.sides)
    return Over(None if first == second else 1 if first > second else 2, "spent")


def parse_move(json: Json) -> Lay:
    move = check_members(json, {"action": str, "card": int})
    if move["action"] not in {"say", "whisper"}:
        raise MalformedMove("'action' must be one of 'say', 'whisper'.", pointer="/action")
    return Lay(move["action"], move["card"])


def dump_move(move: Lay) -> JsonObject:
    return {"action": move.action, "card": move.card}


def check_move(position: Position, move: Lay) -> str | None:
    side = position.sides[position.seat - 1]
    if move.card not in side.hand:
        return "There is no such card in your hand."
    if move.action == "whisper" and len(side.whispered) == MOST_WHISPERS:
        return f"A seat whispers {MOST_WHISPERS} cards at most."
    if move.action == "say" and move.card < position.bar:
        return f"A card said must be at least as high as the last one, {position.bar}."
    return None


def iter_legal_moves(position: Position) -> Iterator[Lay]:
    """Yield what can be said, then what can be whispered, by card."""
    side = position.sides[position.seat - 1]
    for action in ("say", "whisper"):
        for card in sorted(set(side.hand)):
            move = Lay(action, card)
            if check_move(position, move) is None:
                yield move


def conceal(_: Position, move: Lay) -> JsonObject | None:
    return {"action": "whisper"} if move.action == "whisper" else None


def parse_seen(json: Json) -> JsonObject:
    if json == {"action": "whisper"}:
        return {"action": "whisper"}
    move = parse_move(json)
    if move.action == "whisper":
        raise MalformedMove("Nobody else sees which card is whispered.", pointer="/card")
    return dump_move(move)


def play(position: Position, move: Lay) -> Position:
    seat, said = position.seat, move.action == "say"
    side = _laid(position.sides[seat - 1], move)
    other = position.sides[2 - seat]
    return position._replace(
        sides=_with(position.sides, seat, side),
        seat=3 - seat,
        bar=move.card if said else position.bar,
        robbed=3 - seat if said and move.card == LOWEST and other.said else None,
    )


def _laid(side: Side, move: Lay) -> Side:
    """Move the card from the hand to its row, and draw the top card of the deck."""
    hand = list(side.hand)
    hand.remove(move.card)
    hand += side.deck[:1]
    laid = (move.card,)
    said, whispered = side.said, side.whispered
    return Side(
        side.deck[1:],
        tuple(sorted(hand)),
        said + laid if move.action == "say" else said,
        whispered + laid if move.action == "whisper" else whispered,
    )


def draw(position: Position, purpose: str, seat: int | None, outcome: Json) -> Position:
    if purpose == "first" or seat is None:
        return position._replace(first=outcome, seat=outcome)
    side = position.sides[seat - 1]
    if purpose == "lose":
        said = side.said[:outcome] + side.said[outcome + 1 :]
        sides = _with(position.sides, seat, side._replace(said=said))
        return position._replace(sides=sides, robbed=None)
    dealt = Side(tuple(outcome[HAND_SIZE:]), tuple(sorted(outcome[:HAND_SIZE])))
    return position._replace(sides=_with(position.sides, seat, dealt), shuffled=seat)


def forfeit(position: Position) -> Position:
    return position._replace(seat=3 - position.seat, bar=0)


def dump(position: Position) -> Json:
    return {**position._asdict(), "sides": [side._asdict() for side in position.sides]}


def load(json: Json) -> Position:
    first, second = (
        Side(**{name: tuple(cards) for name, cards in side.items()}) for side in json["sides"]
    )
    return Position(**{**json, "sides": (first, second)})


def _with(sides: tuple[Side, Side], seat: int, side: Side) -> tuple[Side, Side]:
    return (side, sides[1]) if seat == 1 else (sides[0], side)
