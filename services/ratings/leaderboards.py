"""Leaderboards and histories of ratings, as everybody may look at them.

Only public matches are rated, so there is nothing in here that not everybody may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.match.clock import format_later
from services.accounts.accounts import Accounts
from services.ratings.rated_matches import LAST
from services.store import ratings
from services.store.cursors import CursorCipher, Page, find_next_cursor
from services.store.ratings import BoardPlace, RatingChange, RatingNow

LEAST_MATCHES = 5
"""So many rated matches of a game a player needs to stand on its leaderboard."""

RECENT_DAYS = 90
"""Within so many days the last of them must have ended."""


class Ranked(NamedTuple):
    """A player on a leaderboard."""

    rank: int
    name: str
    now: RatingNow


@dataclass(frozen=True, slots=True)
class Leaderboards:
    """Leaderboards per game, and what each match did to a player."""

    accounts: Accounts
    games: Games
    sealer: CursorCipher

    def list_ranked(
        self, game: str, *, limit: int = 25, cursor: str | None = None
    ) -> Page[Ranked, str]:
        """Return the players of a game, the highest rating first.

        Raises ``UnknownGame`` and ``InvalidRequest``.
        """
        self.games.get(game)
        purpose = f"leaderboard/{game}"
        rank, after = 0, None
        if cursor is not None:
            number, rating, player = self.sealer.read(purpose, cursor, 3)
            rank, after = int(number), BoardPlace(int(rating), player)
        floor = LEAST_MATCHES, format_later(self.accounts.now(), days=-RECENT_DAYS)
        with self.accounts.database.read() as connection:
            found = ratings.list_board(connection, game, floor, after, limit + 1)
            names = self.accounts.find_names_in(connection, [one.player for one in found])
        players = [
            Ranked(number, names.get(one.player, one.player), one)
            for number, one in enumerate(found[:limit], rank + 1)
        ]

        def place(last: RatingNow) -> str:
            return self.sealer.seal(purpose, f"{rank + limit}|{last.rating.rating}|{last.player}")

        return Page(players, find_next_cursor(found, limit, place))

    def list_history(
        self, player: str, game: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[RatingChange, str]:
        """Return what rated matches of a game did to a player (an id), the oldest first.

        Raises ``UnknownGame`` and ``InvalidRequest``.
        """
        self.games.get(game)
        purpose = f"ratings/{game}/{player}"
        after = -1 if cursor is None else int(self.sealer.read(purpose, cursor)[0])
        limit = limit or ratings.EVERY
        with self.accounts.database.read() as connection:
            found = ratings.list_history(connection, player, game, after, limit + 1)
            shown = self._name_opponents(connection, found[:limit])

        def place(last: RatingChange) -> str:
            return self.sealer.seal(purpose, str(last.leaf))

        return Page(shown, find_next_cursor(found, limit, place))

    def list_recent(self, player: str, game: str, most: int) -> list[RatingChange]:
        """Return what a player's last rated matches of a game did, the oldest of them first."""
        with self.accounts.database.read() as connection:
            newest = ratings.list_latest(connection, player, game, LAST, most)
            return self._name_opponents(connection, newest[::-1])

    def list_changes(self, player: str, game: str) -> list[RatingChange]:
        """Return all that matches of a game did to a player's rating, the oldest first."""
        with self.accounts.database.read() as connection:
            return self._name_opponents(connection, ratings.list_history(connection, player, game))

    def _name_opponents(
        self, connection: Connection, found: Sequence[RatingChange]
    ) -> list[RatingChange]:
        names = self.accounts.find_names_in(connection, {one.opponent for one in found})
        return [one._replace(opponent=names.get(one.opponent, one.opponent)) for one in found]


def ranked_json(one: Ranked) -> JsonObject:
    """Return a player on a leaderboard as the contract has it."""
    rating = one.now.rating
    return {
        "rank": one.rank,
        "player": one.name,
        "rating": rating.rating,
        "deviation": rating.deviation,
        "matches": one.now.matches,
        "last_at": one.now.last_at,
    }


def change_json(one: RatingChange) -> JsonObject:
    """Return what a match did to a rating, as the contract has it."""
    return {
        "match": one.match,
        "at": one.at,
        "seat": one.seat,
        "opponent": one.opponent,
        "half_points": one.points,
        "before": one.before._asdict(),
        "after": one.after._asdict(),
    }


COLUMNS = (
    *("match", "at", "seat", "opponent", "half_points"),
    *("before_rating", "before_deviation", "before_volatility"),
    *("after_rating", "after_deviation", "after_volatility"),
)
"""Of a history as a table."""


def list_cells(one: RatingChange) -> tuple[object, ...]:
    """Return a row of a history as a table."""
    return one.match, one.at, one.seat, one.opponent, one.points, *one.before, *one.after
