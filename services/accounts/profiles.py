"""A player's record: won, lost and drawn, by game. Of public matches played here to an end."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from services.accounts.accounts import Accounts, Player
from services.store import statistics


class Results(NamedTuple):
    """How often a player has won, lost and drawn a game (its slug)."""

    game: str
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        """How many matches that are."""
        return self.won + self.lost + self.drawn


class Profile(NamedTuple):
    """A player as everybody may know them, and their records by game."""

    player: Player
    records: list[Results]


@dataclass(frozen=True, slots=True)
class Profiles:
    """Makes profiles. A record is not stored: it is counted from the matches that are over."""

    accounts: Accounts

    def profile(self, name: str) -> Profile:
        """Return the player of that name, whatever its case. Raises ``NotFound``."""
        player = self.accounts.named(name)
        found = defaultdict[str, Counter[str]](Counter)
        with self.accounts.database.read() as connection:
            counted = statistics.counts(connection, player.id)
        for game, seat, winner, matches in counted:
            result = "drawn" if winner is None else "won" if winner == seat else "lost"
            found[game][result] += matches
        return Profile(player, [Results(game, **results) for game, results in found.items()])
