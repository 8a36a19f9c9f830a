"""Players as everybody may know them: found by name, with what they have won, lost and drawn.

A record counts public matches that were played here to an end, by game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.match.house_players import level_of, name_house_player
from domain.rating.glicko2 import Rating
from domain.rating.house_levels import find_level_rating, list_level_scores
from services.accounts.accounts import Accounts, Player, fold_name, make_player
from services.accounts.display_names import begins_so, make_skeletons
from services.store import accounts, ratings
from services.store.cursors import CursorCipher, Page, find_next_cursor
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
        return name_house_player(self.player.id) or self.chosen.display_name or self.player.name

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

    def get_by_name(self, name: str) -> Profile:
        """Return the player of that name, whatever its case. Raises ``NotFound``."""
        player = self.accounts.get_by_name(name)
        with self.accounts.database.read() as connection:
            (found,) = _make_profiles(connection, [player])
        return found

    def search(
        self, prefix: str, *, limit: int = 25, cursor: str | None = None
    ) -> Page[Profile, str]:
        """Return players whose names begin so, whatever the case, by their folded names.

        Raises ``InvalidRequest``.
        """
        after = "" if cursor is None else self.sealer.read(_PURPOSE, cursor)[0]
        with self.accounts.database.read() as connection:
            found = accounts.list_by_prefix(connection, fold_name(prefix), after, limit + 1)
            shown = _make_profiles(connection, [make_player(row) for row in found[:limit]])
        following = find_next_cursor(
            found, limit, lambda last: self.sealer.seal(_PURPOSE, last.key)
        )
        return Page(shown, following)

    def search_display_names(self, prefix: str) -> list[Profile]:
        """Return a few players whose display names begin so, and their log-in names do not."""
        beginnings, key = make_skeletons(prefix) - {""}, fold_name(prefix)
        with self.accounts.database.read() as connection:
            found = profiles.list_by_prefix(connection, beginnings, MOST_CALLED)
            players = [
                Player(one.id, one.name, one.created_at)
                for one in found
                if begins_so(one.display_name, prefix) and not fold_name(one.name).startswith(key)
            ]
            return _make_profiles(connection, players[:MOST_CALLED])

    def list_names(self, prefix: str) -> list[str]:
        """Return a few names that begin so, to complete one that is being typed."""
        with self.accounts.database.read() as connection:
            found = accounts.list_by_prefix(connection, fold_name(prefix), "", FEW)
        return [row.name for row in found]

    def count_results(self) -> int:
        """Add the results of matches that have ended to the sums; return of how many.

        Records are right without it. It keeps them from taking the longer, the more was played.
        """
        done = 0
        while True:
            with self.accounts.database.read() as connection:
                waiting = records.list_waiting(connection, AT_ONCE)
            if not waiting:
                return done
            with self.accounts.database.write() as connection:
                counted = records.add_results(connection, waiting)
            if not counted:
                # Somebody else is at it.
                return done
            done += counted


def _make_profiles(connection: Connection, players: Sequence[Player]) -> list[Profile]:
    ids = [player.id for player in players]
    found = defaultdict[str, list[Results]](list)
    for one in records.list_by_players(connection, ids):
        found[one.player].append(Results(*one[1:]))
    rated = _list_ratings(connection, ids)
    chosen = profiles.find_many(connection, ids)
    for hidden in (one for one, row in chosen.items() if not row.shows_record):
        found[hidden] = []
    return [
        Profile(player, found[player.id], rated[player.id], chosen.get(player.id, ProfileRow()))
        for player in players
    ]


def _list_ratings(
    connection: Connection, players: Sequence[str]
) -> defaultdict[str, list[GameRating]]:
    """Return the ratings of players by their ids; those of house players are fixed."""
    found = defaultdict[str, list[GameRating]](list)
    for (game, player), now in ratings.list_by_players(connection, players).items():
        found[player].append(GameRating(game, now.rating, now.matches, now.last_at))
    for player in players:
        level = level_of(player)
        if level is None:
            continue
        for game in list_level_scores():
            fixed = find_level_rating(game, level)
            if fixed is not None:
                found[player].append(GameRating(game, fixed, 0, None))
    return found
