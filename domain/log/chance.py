"""Provable chance: the match's secret and the number of a draw give its outcome.

Source: the section *Dice* of docs/event-format.md. Block k of draw d is HMAC-SHA256
with the secret as key over the canonical JSON of
``["plybook/dice/1", match, [c1, c2], d, k]``; the blocks make one stream of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hmac import digest as hmac_digest
from struct import Struct
from typing import NamedTuple, TypeVar

from domain.json_types import Json
from domain.log.event_format import write_canonical

SCHEME = "plybook/dice/1"
WORD_SPAN = 1 << 64
_WORDS = Struct(">4Q")
"""The words of a block: 8 bytes each, the first byte counts most."""

T = TypeVar("T")


class ChanceSource(NamedTuple):
    """Where a match's dice come from.

    ``secret``: 64 hex digits. ``match``: the match's id. ``contributions``: what seats
    1 and 2 gave (64 hex digits as given), or None.
    """

    secret: str
    match: str
    contributions: tuple[str | None, str | None]


class Dice:
    """The endless stream of numbers that belongs to one draw of one match.

    >>> dice = Dice(ChanceSource("00" * 32, "0" * 16, (None, None)), 1)
    >>> all(0 <= dice.draw_below(6) < 6 for _ in range(100))
    True
    """

    def __init__(self, source: ChanceSource, draw: int) -> None:
        self._key = bytes.fromhex(source.secret)
        self._source = source
        self._draw = draw
        self._block = 0
        self._words: list[int] = []

    def _draw_word(self) -> int:
        if not self._words:
            match, contributions = self._source.match, list(self._source.contributions)
            label = write_canonical([SCHEME, match, contributions, self._draw, self._block])
            block = hmac_digest(self._key, label, "sha256")
            self._words = [*_WORDS.unpack(block)][::-1]
            self._block += 1
        return self._words.pop()

    def draw_below(self, bound: int) -> int:
        """Return a uniform number from 0 to ``bound`` - 1, without modulo bias."""
        limit = WORD_SPAN - WORD_SPAN % bound
        word = self._draw_word()
        while word >= limit:
            word = self._draw_word()
        return word % bound

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return ``items`` shuffled; give them in ascending order (the scheme says so)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.draw_below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck


Sampler = Callable[[Dice], Json]
"""How one kind of draw turns its stream into an outcome."""


def toss_coin(dice: Dice) -> Json:
    """Draw one of the two seats, each as likely."""
    return 1 + dice.draw_below(2)


def pick(length: int) -> Sampler:
    """Sample an index into a list of ``length`` entries."""
    return lambda dice: dice.draw_below(length)


def shuffle(cards: Sequence[int]) -> Sampler:
    """Sample an order of ``cards``, top first."""
    return lambda dice: dice.shuffle(sorted(cards))
