"""Moves as text: ``9@2,0 -1,4`` plays a 9 on 2,0 and pays with a 1 and a 4.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.i18n import N_, Persons, say
from domain.json_types import JsonObject

HELP = say(
    "Type draw, shuffle, decline, dominate 5,0, discard 4,0, place 7@1,0 (face down), or a "
    "play: 4@2,0; with cards of the hand to pay 9@2,0 -1,4; with a card in play 3@2,0 x1,0."
)

_NUMBER = r"-?[0-9]{1,4}"
_SPOT = rf"(?P<x>{_NUMBER}),(?P<y>{_NUMBER})"
_CARD = rf"(?P<card>[0-9]{{1,2}})@{_SPOT}"
_PAID = r"( -(?P<discard>[0-9]{1,2}(,[0-9]{1,2})*))?"
_GIVEN = rf"( x(?P<sx>{_NUMBER}),(?P<sy>{_NUMBER}))?"
_FORMS = tuple(
    re.compile(form, re.ASCII)
    for form in (
        r"(?P<action>draw|shuffle|decline)",
        rf"(?P<action>dominate|discard) {_SPOT}",
        rf"(?P<action>place) {_CARD}",
        rf"{_CARD}{_PAID}{_GIVEN}",
    )
)


def write(move: JsonObject) -> str:
    """Write a move; a card that is hidden is a question mark."""
    action = move["action"]
    if "x" not in move:
        return str(action)
    spot = _spot(move)
    if action == "place":
        return f"place {move.get('card', '?')}@{spot}"
    if action != "play":
        return f"{action} {spot}"
    text = f"{move['card']}@{spot}"
    if "discard" in move:
        text += f" -{','.join(map(str, move['discard']))}"
    return f"{text} x{_spot(move['sacrifice'])}" if "sacrifice" in move else text


def read(text: str) -> JsonObject:
    """Read a move."""
    plain = " ".join(text.lower().split())
    for form in _FORMS:
        found = form.fullmatch(plain)
        if found is not None:
            return _read(found.groupdict())
    raise MalformedMove(HELP)


def _read(parts: dict[str, str | None]) -> JsonObject:
    move: JsonObject = {"action": parts.get("action") or "play"}
    for name in ("card", "x", "y"):
        number = parts.get(name)
        if number is not None:
            move[name] = int(number)
    discard, x, y = parts.get("discard"), parts.get("sx"), parts.get("sy")
    if discard is not None:
        move["discard"] = [int(card) for card in discard.split(",")]
    if x is not None and y is not None:
        move["sacrifice"] = {"x": int(x), "y": int(y)}
    return move


def _spot(place: JsonObject) -> str:
    return f"{place['x']},{place['y']}"


NOTATION = Notation(write, read, HELP)

PERSONS: Persons = {
    "P{seat} goes first.": N_("You go first."),
    "P{seat} places {card} face down on {at}.": N_("You place {card} face down on {at}."),
    "P{seat} draws {cards}.": N_("You draw {cards}."),
    "P{seat} shuffles the discard pile into the deck.": N_(
        "You shuffle the discard pile into the deck."
    ),
    "P{seat} declines.": N_("You decline."),
    "P{seat} draws {number} card and plays {card} on {at}.": N_(
        "You draw {number} card and play {card} on {at}."
    ),
    "P{seat} draws {number} cards and plays {card} on {at}.": N_(
        "You draw {number} cards and play {card} on {at}."
    ),
    "P{seat} discards {paid} and plays {card} on {at}.": N_(
        "You discard {paid} and play {card} on {at}."
    ),
    "P{seat} plays {card} on {at}.": N_("You play {card} on {at}."),
    "P{seat} draws {number} card, gives up {given} on {place} and plays {card} on {at}.": N_(
        "You draw {number} card, give up {given} on {place} and play {card} on {at}."
    ),
    (
        "P{seat} draws {number} card, gives up {given} on {place} ({face}) "
        "and plays {card} on {at}."
    ): N_("You draw {number} card, give up {given} on {place} ({face}) and play {card} on {at}."),
    "P{seat} draws {number} cards, gives up {given} on {place} and plays {card} on {at}.": N_(
        "You draw {number} cards, give up {given} on {place} and play {card} on {at}."
    ),
    (
        "P{seat} draws {number} cards, gives up {given} on {place} ({face}) and plays {card} on "
        "{at}."
    ): N_("You draw {number} cards, give up {given} on {place} ({face}) and play {card} on {at}."),
    "P{seat} plays {card} onto {covered} of P{other} on {at}.": {
        "seat": N_("You play {card} onto {covered} of P{other} on {at}."),
        "other": N_("P{seat} plays {card} onto {covered} of yours on {at}."),
    },
    "P{seat} dominates the base of P{owner}.": {
        "seat": N_("You dominate the base of P{owner}."),
        "owner": N_("P{seat} dominates your base."),
    },
    "P{seat} dominates {card} of P{owner} on {at}.": {
        "seat": N_("You dominate {card} of P{owner} on {at}."),
        "owner": N_("P{seat} dominates {card} of yours on {at}."),
    },
    "P{seat} dominates {card} of P{owner} on {at} ({face}).": {
        "seat": N_("You dominate {card} of P{owner} on {at} ({face})."),
        "owner": N_("P{seat} dominates {card} of yours on {at} ({face})."),
    },
    "P{seat} discards the base of P{owner}.": {
        "seat": N_("You discard the base of P{owner}."),
        "owner": N_("P{seat} discards your base."),
    },
    "P{seat} discards {card} of P{owner} on {at}.": {
        "seat": N_("You discard {card} of P{owner} on {at}."),
        "owner": N_("P{seat} discards {card} of yours on {at}."),
    },
    "P{seat} discards {card} of P{owner} on {at} ({face}).": {
        "seat": N_("You discard {card} of P{owner} on {at} ({face})."),
        "owner": N_("P{seat} discards {card} of yours on {at} ({face})."),
    },
    "The deck of P{seat} is shuffled.": N_("Your deck is shuffled."),
    "At random, {card} of the discard pile of P{seat} is trashed.": N_(
        "At random, {card} of your discard pile is trashed."
    ),
    "P{seat} draws for the 4 on {at}.": N_("You draw for the 4 on {at}."),
    "The 0 of P{seat} on {at} is worth less now and is trashed.": N_(
        "Your 0 on {at} is worth less now and is trashed."
    ),
    "P{seat} may discard a card of P{other} around {at}.": {
        "seat": N_("You may discard a card of P{other} around {at}."),
        "other": N_("P{seat} may discard a card of yours around {at}."),
    },
    "P{seat} may dominate an enemy beside the 7 for no action.": N_(
        "You may dominate an enemy beside the 7 for no action."
    ),
    "P{seat} may play a card of 5 or less beside the 9 for no action.": N_(
        "You may play a card of 5 or less beside the 9 for no action."
    ),
    "{card} of P{seat}, value {value}, cut off": N_("{card}, yours, value {value}, cut off"),
    "{card} of P{seat}, value {value}": N_("{card}, yours, value {value}"),
    "P{seat} may discard a card around {x},{y}, for free, or declines.": N_(
        "You may discard a card around {x},{y}, for free, or decline."
    ),
    "P{seat} may dominate an enemy beside the 7 on {x},{y}, for free, or declines.": N_(
        "You may dominate an enemy beside the 7 on {x},{y}, for free, or decline."
    ),
    "P{seat} may play a card of 5 or less beside the 9 on {x},{y}, for free, or declines.": N_(
        "You may play a card of 5 or less beside the 9 on {x},{y}, for free, or decline."
    ),
    "Hand of P{seat}": N_("Your hand"),
    "Deck of P{seat}": N_("Your deck"),
    "Discard pile of P{seat}": N_("Your discard pile"),
    "Trash pile of P{seat}": N_("Your trash pile"),
    "P{seat} places a card face down.": N_("You place a card face down."),
}
"""What is said to the players of the seats that a sentence names."""
