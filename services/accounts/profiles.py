"""A player's record: won, lost and drawn, by game. Of public matches played here to an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from domain.i18n import say
from services.accounts.accounts import Accounts, Player
from services.errors import NotFound
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
        player = self.accounts.find(name)
        if player is None:
            raise NotFound(say("There is no player of that name."))
        found: dict[str, Results] = {}
        with self.accounts.database.read() as connection:
            counted = statistics.counts(connection, player.id)
        for one in counted:
            record = found.get(one.game, Results(one.game))
            found[one.game] = _added(record, one)
        return Profile(player, list(found.values()))


def _added(record: Results, count: statistics.Count) -> Results:
    if count.winner is None:
        return record._replace(drawn=record.drawn + count.matches)
    if count.winner == count.seat:
        return record._replace(won=record.won + count.matches)
    return record._replace(lost=record.lost + count.matches)
