"""A player's agenda: whose turn it is where, what is to be answered, what has ended.

Each part of it is short and in the order in which one would look at it; the lists of the lobby
have the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.store.lobby import lists
from services.store.people import relations
from services.store.people.relations import FOLLOWS

MOST, MOST_TO_MOVE = 12, 36
"""How many matches a part has at most; what waits for the player is to be seen in full."""

_Listing = Callable[[Connection, str, int], list[str]]


class AgendaPart(NamedTuple):
    """Matches in order; ``more``: there are others behind these."""

    matches: list[ShownMatch]
    more: bool


class Overview(NamedTuple):
    """An agenda.

    ``to_move``: the player's turn, the least time left first. ``challenges``: to the player, not
    answered yet. ``waiting``: others are to move. ``offered``: the player's own open matches and
    challenges. ``over``: the newest that have ended.
    """

    to_move: AgendaPart
    challenges: AgendaPart
    waiting: AgendaPart
    offered: AgendaPart
    over: AgendaPart


@dataclass(frozen=True, slots=True)
class Agenda:
    """Gathers what waits for a player, part by part."""

    queries: MatchQueries

    def get_overview(self, player: str) -> Overview:
        """Return a player's agenda."""
        with self.queries.database.read() as connection:
            part = partial(self._make_part, connection, player)
            return Overview(
                part(lists.list_to_move, MOST_TO_MOVE),
                part(lists.list_challenges),
                part(lists.list_waiting),
                part(lists.list_offered),
                part(lists.list_ended),
            )

    def list_followed(self, player: str) -> list[ShownMatch]:
        """Return the public matches of those whom a player follows, the last change first."""
        with self.queries.database.read() as connection:
            others = relations.list_others(connection, player, FOLLOWS)
            return self._show(connection, player, lists.list_by_players(connection, others, MOST))

    def count_turns(self, player: str) -> int:
        """Return in how many matches it is a player's turn."""
        with self.queries.database.read() as connection:
            return lists.count_to_move(connection, player)

    def make_mark(self, player: str) -> str:
        """Return what becomes another text whenever a player's agenda does."""
        with self.queries.database.read() as connection:
            return lists.make_mark(connection, player)

    def find_next_turn(self, player: str, match_id: str) -> str | None:
        """Return the match in which a player is to move next, the least time left first.

        None: it is their turn in none but ``match_id``.
        """
        with self.queries.database.read() as connection:
            found = lists.list_to_move(connection, player, 2)
        return next((one for one in found if one != match_id), None)

    def _make_part(
        self, connection: Connection, player: str, listing: _Listing, limit: int = MOST
    ) -> AgendaPart:
        found = listing(connection, player, limit + 1)
        return AgendaPart(self._show(connection, player, found[:limit]), len(found) > limit)

    def _show(self, connection: Connection, player: str, found: list[str]) -> list[ShownMatch]:
        look = Asker(player)
        loaded = (self.queries.load_listed(connection, look, one) for one in found)
        return [self.queries.show_state(connection, one, look) for one in loaded if one is not None]
