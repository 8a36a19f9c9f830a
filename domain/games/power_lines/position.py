"""The whole position: both sides, the turn, what has to happen first, and how a match ends."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from domain.games.power_lines.cards import BASE, Card, Cards, Spot, get_home, list_connected
from domain.i18n import N_
from domain.json_types import Json, JsonObject
from domain.log import shapes

HAND_SIZE: Final = 8
PLACEMENTS: Final = 3
"""How many cards each seat places face down in the setup."""
ACTIONS: Final = 3
"""The actions of a turn."""

FREE_DISCARD: Final = "free_discard"
FREE_DOMINATE: Final = "free_dominate"
FREE_PLAY: Final = "free_play"

FIRST: Final = N_("first")
SHUFFLE: Final = N_("shuffle")
TRASH: Final = N_("trash")

_PILES = ("deck", "hand", "discard", "trash")


class Side(NamedTuple):
    """What a seat has. ``deck``: top first; ``hand``: ascending; piles: as they grew.

    ``placed`` counts the cards that it placed face down in the setup.
    """

    deck: tuple[int, ...]
    cards: Cards
    hand: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    trash: tuple[int, ...] = ()
    placed: int = 0


class Pending(NamedTuple):
    """A choice that ``seat`` has to settle first; ``spot`` is that of the 2, 7 or 9."""

    kind: str
    seat: int
    spot: Spot


class Due(NamedTuple):
    """What chance has to decide before anybody acts: ``seat`` is None for the coin."""

    purpose: str
    seat: int | None = None


class Position(NamedTuple):
    """Everything there is to know. ``first`` and ``seat`` are 0 before the coin.

    ``limit`` is the option ``turn_limit``, ``actions`` those left in the turn, ``ending``
    the reason of the end, empty until then. At most one choice is pending at a time.
    """

    gap: int
    limit: int
    sides: tuple[Side, Side]
    first: int = 0
    seat: int = 0
    turn: int = 0
    actions: int = 0
    pending: Pending | None = None
    due: Due | None = Due(FIRST)
    ending: str = ""

    @property
    def setting_up(self) -> bool:
        """Whether cards are still to be placed."""
        return self.sides[0].placed + self.sides[1].placed < 2 * PLACEMENTS

    @property
    def actor(self) -> int:
        """The seat to act, if no chance is due and nothing has ended."""
        return self.pending.seat if self.pending else self.seat

    def find_near(self, kind: str) -> Spot | None:
        """Return the position of the card that a pending choice of this ``kind`` is about."""
        pending = self.pending
        return pending.spot if pending is not None and pending.kind == kind else None

    def get_side(self, seat: int) -> Side:
        """Return what ``seat`` has."""
        return self.sides[seat - 1]

    def get_enemies(self, seat: int) -> Cards:
        """Return the cards in play of the other seat."""
        return self.sides[2 - seat].cards

    def replace_side(self, seat: int, side: Side) -> Position:
        """Return a copy in which ``seat`` has ``side``."""
        first, second = self.sides
        return self._replace(sides=(side, second) if seat == 1 else (first, side))

    def spend(self, actions: int) -> Position:
        """Return a copy with so many actions less."""
        return self._replace(actions=self.actions - actions)

    def get_home(self, seat: int) -> Spot:
        """Return where the base of ``seat`` lies, or lay."""
        return get_home(seat, self.gap)

    def list_connected(self, seat: int) -> AbstractSet[Spot]:
        """Return where cards of ``seat`` are connected to its base."""
        return list_connected(self.get_side(seat).cards, self.get_home(seat))


def set_up(options: JsonObject, settings: tuple[JsonObject, JsonObject]) -> Position:
    """Set both bases; the decks lie unshuffled, in ascending order however they were given."""
    gap = options["gap"]
    first, second = (
        Side(tuple(sorted(given["deck"])), {get_home(seat, gap): Card(BASE)})
        for seat, given in enumerate(settings, 1)
    )
    return Position(gap, options["turn_limit"], (first, second))


def dump(position: Position) -> Json:
    """Return the position as JSON, complete."""
    return {
        **position._asdict(),
        "sides": [_dump_side(side) for side in position.sides],
        "pending": shapes.dump(position.pending),
        "due": shapes.dump(position.due),
    }


def load(json: Json) -> Position:
    """Return the position that ``dump`` wrote, before or after it went through JSON."""
    first, second = (_load_side(side) for side in json["sides"])
    pending, due = json["pending"], json["due"]
    if pending is not None:
        kind, seat, (x, y) = pending
        pending = Pending(kind, seat, (x, y))
    due = None if due is None else Due(*due)
    return Position(**{**json, "sides": (first, second), "pending": pending, "due": due})


def _dump_side(side: Side) -> JsonObject:
    piles = {name: list(getattr(side, name)) for name in _PILES}
    cards = [[*spot, *card] for spot, card in side.cards.items()]
    return {**piles, "cards": cards, "placed": side.placed}


def _load_side(json: JsonObject) -> Side:
    cards = {(x, y): Card(face, up, over) for x, y, face, up, over in json["cards"]}
    piles = {name: tuple(json[name]) for name in _PILES}
    return Side(cards=cards, placed=json["placed"], **piles)


BASE_DOMINATED: Final = "base-dominated"
BASE_DISCARDED: Final = "base-discarded"
STALLED: Final = "stalled"
TURN_LIMIT: Final = "turn-limit"


def judge_bases(position: Position) -> str:
    """Return the reason that a lost base gives, or nothing while both are in play."""
    for seat in (1, 2):
        side = position.get_side(seat)
        if position.get_home(seat) not in side.cards:
            return BASE_DOMINATED if BASE in side.trash else BASE_DISCARDED
    return ""


def find_winner(position: Position) -> int | None:
    """Return who won a match that has ended: who kept their base, or who is nearer."""
    if position.ending in (BASE_DOMINATED, BASE_DISCARDED):
        return 1 if position.get_home(1) in position.get_side(1).cards else 2
    first, second = measure_distance(position, 1), measure_distance(position, 2)
    if first == second:
        return None
    return 1 if first < second else 2


def measure_distance(position: Position, seat: int) -> int:
    """Return the steps from the nearest card of ``seat`` to the enemy base."""
    to_x, to_y = position.get_home(3 - seat)
    return min((abs(x - to_x) + abs(y - to_y) for x, y in position.get_side(seat).cards), default=0)
