"""Moves as text: ``9@2,0 -1,4`` plays a 9 on 2,0 and pays with a 1 and a 4.

And sentences about seats, as they are said to the players of these seats.
"""

from __future__ import annotations

import re

from domain.errors import MalformedMove
from domain.game.game import Notation
from domain.games.power_lines.cards import format_spot
from domain.games.power_lines.moves import read_spot
from domain.i18n import N_, OTHERS, Persons, say
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
    spot = format_spot(read_spot(move))
    if action == "place":
        return f"place {move.get('card', '?')}@{spot}"
    if action != "play":
        return f"{action} {spot}"
    text = f"{move['card']}@{spot}"
    if "discard" in move:
        text += f" -{','.join(map(str, move['discard']))}"
    if "sacrifice" in move:
        text += f" x{format_spot(read_spot(move['sacrifice']))}"
    return text


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
    "P{seat} draws {number} card, gives up the {given} on {place} and plays {card} on {at}.": N_(
        "You draw {number} card, give up the {given} on {place} and play {card} on {at}."
    ),
    (
        "P{seat} draws {number} card, gives up the {given} on {place} ({face}) "
        "and plays {card} on {at}."
    ): N_(
        "You draw {number} card, give up the {given} on {place} ({face}) and play {card} on {at}."
    ),
    "P{seat} draws {number} cards, gives up the {given} on {place} and plays {card} on {at}.": N_(
        "You draw {number} cards, give up the {given} on {place} and play {card} on {at}."
    ),
    (
        "P{seat} draws {number} cards, gives up the {given} on {place} ({face}) and plays {card} "
        "on {at}."
    ): N_(
        "You draw {number} cards, give up the {given} on {place} ({face}) and play {card} on {at}."
    ),
    "P{seat} plays {card} onto P{other}'s {covered} on {at}.": {
        "seat": N_("You play {card} onto P{other}'s {covered} on {at}."),
        "other": N_("P{seat} plays {card} onto your {covered} on {at}."),
    },
    "P{seat} dominates P{owner}'s base.": {
        "seat": N_("You dominate P{owner}'s base."),
        "owner": N_("P{seat} dominates your base."),
    },
    "P{seat} dominates P{owner}'s {card} on {at}.": {
        "seat": N_("You dominate P{owner}'s {card} on {at}."),
        "owner": N_("P{seat} dominates your {card} on {at}."),
    },
    "P{seat} dominates P{owner}'s {card} on {at} ({face}).": {
        "seat": N_("You dominate P{owner}'s {card} on {at} ({face})."),
        "owner": N_("P{seat} dominates your {card} on {at} ({face})."),
    },
    "P{seat} discards P{owner}'s base.": {
        "seat": N_("You discard P{owner}'s base."),
        "owner": N_("P{seat} discards your base."),
    },
    "P{seat} discards P{owner}'s {card} on {at}.": {
        "seat": N_("You discard P{owner}'s {card} on {at}."),
        "owner": N_("P{seat} discards your {card} on {at}."),
    },
    "P{seat} discards P{owner}'s {card} on {at} ({face}).": {
        "seat": N_("You discard P{owner}'s {card} on {at} ({face})."),
        "owner": N_("P{seat} discards your {card} on {at} ({face})."),
    },
    "P{seat}'s deck is shuffled.": N_("Your deck is shuffled."),
    "At random, {card} of P{seat}'s discard pile is trashed.": N_(
        "At random, {card} of your discard pile is trashed."
    ),
    "P{seat} draws for the 4 on {at}.": N_("You draw for the 4 on {at}."),
    "P{seat}'s 0 on {at} is worth less now and is trashed.": N_(
        "Your 0 on {at} is worth less now and is trashed."
    ),
    "P{seat} may discard one of P{other}'s cards around {at}.": {
        "seat": N_("You may discard one of P{other}'s cards around {at}."),
        "other": N_("P{seat} may discard one of your cards around {at}."),
    },
    "P{seat} may dominate an enemy beside the 7 for no action.": N_(
        "You may dominate an enemy beside the 7 for no action."
    ),
    "P{seat} may play a card of 5 or less beside the 9 for no action.": N_(
        "You may play a card of 5 or less beside the 9 for no action."
    ),
    "P{seat}'s {card}, value {value}, cut off": N_("your {card}, value {value}, cut off"),
    "P{seat}'s {card}, value {value}": N_("your {card}, value {value}"),
    "P{seat} may discard a card around {x},{y}, for free, or decline.": N_(
        "You may discard a card around {x},{y}, for free, or decline."
    ),
    "P{seat} may dominate an enemy beside the 7 on {x},{y}, for free, or decline.": N_(
        "You may dominate an enemy beside the 7 on {x},{y}, for free, or decline."
    ),
    "P{seat} may play a card of 5 or less beside the 9 on {x},{y}, for free, or decline.": N_(
        "You may play a card of 5 or less beside the 9 on {x},{y}, for free, or decline."
    ),
    "Hand (P{seat})": N_("Your hand"),
    # Pages show whose piles they are by where they lie, and a name would not fit over them.
    "Deck (P{seat})": {OTHERS: N_("Deck"), "seat": N_("Your deck")},
    "Discard pile (P{seat})": {OTHERS: N_("Discard pile"), "seat": N_("Your discard pile")},
    "Trash pile (P{seat})": {OTHERS: N_("Trash pile"), "seat": N_("Your trash pile")},
    "Next, P{seat} places a card face down.": N_("Next, you place a card face down."),
}
"""What is said to the players of the seats that a sentence names."""
