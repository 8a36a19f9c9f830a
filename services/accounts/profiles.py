"""Players as everybody may know them: found by name, with what they have won, lost and drawn.

A record counts public matches that were played here to an end, by game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.match.house_players import called, level_of
from domain.rating.glicko2 import Rating
from domain.rating.house_levels import measured, rating_of
from services.accounts.accounts import Accounts, Player, folded
from services.accounts.display_names import begins_so, skeletons
from services.store import accounts, ratings
from services.store.accounts import PlayerRow
from services.store.cursors import CursorCipher, Page, cursor_behind
from services.store.lobby import records
from services.store.people import profiles
from services.store.people.profiles import ProfileRow

FEW = 8
"""How many names complete what somebody types."""

MOST_CALLED = 24
"""So many players are found by their display names."""

AT_ONCE = 200
"""Matches that are counted in one transaction: on SQLite a move may have to wait for it."""

_PURPOSE = "cursor of players"


class Results(NamedTuple):
    """How often a player has won, lost and drawn a game (its slug)."""

    game: str
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        """How many matches of the game the player has finished."""
        return self.won + self.lost + self.drawn


class GameRating(NamedTuple):
    """A player's rating in a game (its slug); ``last_at`` None: a house player's, and fixed."""

    game: str
    rating: Rating
    matches: int
    last_at: str | None


class Profile(NamedTuple):
    """A player as everybody may know them: their records and their ratings by game.

    ``chosen``: what they have chosen to be called, and to show. Who keeps the record to themselves
    has none here.
    """

    player: Player
    records: list[Results]
    ratings: list[GameRating]
    chosen: ProfileRow = ProfileRow()

    @property
    def word(self) -> str:
        """The name for people to read; a house player's says what it is."""
        return called(self.player.id) or self.chosen.display_name or self.player.name

    @property
    def total(self) -> Results:
        """The record of all games together."""
        found = self.records
        return Results(
            "",
            sum(one.won for one in found),
            sum(one.lost for one in found),
            sum(one.drawn for one in found),
        )


@dataclass(frozen=True, slots=True)
class Profiles:
    """Makes profiles, and keeps the sums that records are read from."""

    accounts: Accounts
    sealer: CursorCipher

    def profile(self, name: str) -> Profile:
        """Return the player of that name, whatever its case. Raises ``NotFound``."""
        player = self.accounts.named(name)
        with self.accounts.database.read() as connection:
            (found,) = _with_records(connection, [player])
        return found

    def search(
        self, prefix: str, *, limit: int = 25, cursor: str | None = None
    ) -> Page[Profile, str]:
        """Return players whose names begin so, whatever the case, by their folded names.

        Raises ``InvalidRequest``.
        """
        after = "" if cursor is None else self.sealer.read(_PURPOSE, cursor)[0]
        with self.accounts.database.read() as connection:
            found = accounts.beginning(connection, folded(prefix), after, limit + 1)
            profiles = _with_records(connection, [_player(row) for row in found[:limit]])
        following = cursor_behind(found, limit, lambda last: self.sealer.seal(_PURPOSE, last.key))
        return Page(profiles, following)

    def called(self, prefix: str) -> list[Profile]:
        """Return a few players whose display names begin so, and their log-in names do not."""
        beginnings, key = skeletons(prefix) - {""}, folded(prefix)
        with self.accounts.database.read() as connection:
            found = profiles.called(connection, beginnings, MOST_CALLED)
            players = [
                Player(one.id, one.name, one.created_at)
                for one in found
                if begins_so(one.display_name, prefix) and not folded(one.name).startswith(key)
            ]
            return _with_records(connection, players[:MOST_CALLED])

    def names(self, prefix: str) -> list[str]:
        """Return a few names that begin so, to complete one that is being typed."""
        with self.accounts.database.read() as connection:
            found = accounts.beginning(connection, folded(prefix), "", FEW)
        return [row.name for row in found]

    def count(self) -> int:
        """Add the results of matches that have ended to the sums; return of how many.

        Records are right without it. It keeps them from taking the longer, the more was played.
        """
        done = 0
        while True:
            with self.accounts.database.read() as connection:
                waiting = records.waiting(connection, AT_ONCE)
            if not waiting:
                return done
            with self.accounts.database.write() as connection:
                counted = records.count(connection, waiting)
            if not counted:
                # Somebody else is at it.
                return done
            done += counted


def _player(row: PlayerRow) -> Player:
    return Player(row.id, row.name, row.created_at)


def _with_records(connection: Connection, players: Sequence[Player]) -> list[Profile]:
    ids = [player.id for player in players]
    found = defaultdict[str, list[Results]](list)
    for one in records.among(connection, ids):
        found[one.player].append(Results(*one[1:]))
    rated = _ratings(connection, players)
    chosen = profiles.among(connection, ids)
    for hidden in (one for one, row in chosen.items() if not row.shows_record):
        found[hidden] = []
    return [
        Profile(player, found[player.id], rated[player.id], chosen.get(player.id, ProfileRow()))
        for player in players
    ]


def _ratings(
    connection: Connection, players: Sequence[Player]
) -> defaultdict[str, list[GameRating]]:
    """Return the ratings of players, by their ids."""
    found = defaultdict[str, list[GameRating]](list)
    for (game, player), now in ratings.among(connection, [one.id for one in players]).items():
        found[player].append(GameRating(game, now.rating, now.matches, now.last_at))
    for one in players:
        level = level_of(one.id)
        fixed = {} if level is None else {game: rating_of(game, level) for game in measured()}
        found[one.id] += [GameRating(game, it, 0, None) for game, it in fixed.items() if it]
    return found
