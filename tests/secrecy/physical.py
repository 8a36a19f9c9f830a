"""Cards as things: which card of a deck it was that was seen, and which never was.

The cards of a seat that a viewer has not seen by the end of a match could have been any others.
To exchange them, each has to be followed from shuffle to shuffle, which the rules, for whom equal
cards are equal, do not do.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.match.events import ChanceDrawn, Event, MoveMade, TurnPassed

Spot = tuple[int, int]


class Cards:
    """The 26 cards of one seat of a match of Power Lines, by number.

    ``known``: those that ``viewer`` has seen. ``orders``: the deck after each shuffle.
    ``placed``: the cards laid face down, in order.
    """

    def __init__(self, seat: int, values: list[int], viewer: Viewer) -> None:
        self.seat = seat
        self.values = values
        self.viewer = viewer
        self.known: set[int] = set()
        self.orders: list[list[int]] = []
        self.placed: list[int] = []
        self._deck = list(range(len(values)))
        self._hand: list[int] = []
        self._field: dict[Spot, int] = {}
        self._piled: list[int] = []
        self._discard: list[int] = []

    def follow(self, event: Event, state: JsonObject) -> None:
        """Follow one event, given the whole state after it."""
        mine = state["players"][self.seat - 1]
        fact = event.fact
        if isinstance(fact, ChanceDrawn) and (fact.purpose, fact.seat) == ("shuffle", self.seat):
            self._shuffle(event.sealed[0].value)
        self._draw(len(self._deck) - mine["deck_count"])
        if isinstance(fact, TurnPassed) and fact.seat == self.seat and self.viewer.seat:
            self.known.update(self._hand)
        if isinstance(fact, MoveMade) and fact.seat == self.seat and "sacrifice" in fact.move:
            self._leave((fact.move["sacrifice"]["x"], fact.move["sacrifice"]["y"]))
        self._see_field(state["field"])
        paid = Counter(self.values[card] for card in self._hand) - Counter(mine["hand"])
        self._pile([self._taken(self._hand, value) for value in paid.elements()])
        self._discard = [value for value in mine["discard"] if value != "base"]

    def others(self, random: Random, *, deck_known: bool) -> list[int]:
        """Return values that the cards might as well have, for all that the viewer has seen.

        ``deck_known``: the viewer knows of which cards the deck is made, as of one's own.
        """
        unknown = [card for card in range(len(self.values)) if card not in self.known]
        if deck_known or self.viewer.seat == self.seat:
            instead = [self.values[card] for card in unknown]
            random.shuffle(instead)
        else:
            instead = random.choices(range(11), k=len(unknown))
        values = list(self.values)
        for card, value in zip(unknown, instead, strict=True):
            values[card] = value
        return values

    def _shuffle(self, outcome: list[int]) -> None:
        pool = self._deck + [self._taken(self._piled, value) for value in self._discard]
        self._deck = [self._taken(pool, value) for value in outcome]
        self.orders.append(list(self._deck))

    def _draw(self, count: int) -> None:
        drawn, self._deck = self._deck[:count], self._deck[count:]
        self._hand += drawn
        if self.viewer.seat == self.seat:
            self.known.update(drawn)

    def _see_field(self, field: list[dict[str, Json]]) -> None:
        now = {
            (card["x"], card["y"]): card
            for card in field
            if card["owner"] == self.seat and card["card"] != "base"
        }
        for spot in self._field.keys() - now.keys():
            self._leave(spot)
        for spot in now.keys() - self._field.keys():
            card = self._taken(self._hand, now[spot]["card"])
            self._field[spot] = card
            if now[spot]["face"] == "up":
                self.known.add(card)
            else:
                self.placed.append(card)

    def _leave(self, spot: Spot) -> None:
        self._pile([self._field.pop(spot)])

    def _pile(self, cards: list[int]) -> None:
        self._piled += cards
        self.known.update(cards)

    def _taken(self, cards: list[int], value: int) -> int:
        card = next(card for card in cards if self.values[card] == value)
        cards.remove(card)
        return card
