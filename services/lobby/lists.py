"""Lists of matches: open, running and finished ones, by filters, a page at a time.

A page is cut by an opaque cursor (``services.store.cursors``), and stays that of its moment while
matches move (``services.store.lobby.lists``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from services.accounts.accounts import find_id
from services.errors import InvalidRequest
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.store import matches as readmodels
from services.store.cursors import CursorCipher, Page, Paging
from services.store.lobby.filters import RowFilters
from services.store.lobby.lists import list_page

LIMIT, MOST = 25, 100

SORTS = tuple(readmodels.SORTS)
"""The orders there are, the default first."""

PACES = readmodels.PACES
"""Kinds of paces: no clock, so many days for each move, a bank of hours."""

BY_ME, BY_OTHERS = "me", "others"
"""Who has made a challenge."""

STATUSES = ("open", "active", "finished", "aborted")


class MatchFilter(NamedTuple):
    """Which matches. ``player`` and ``to_act`` are names; ``mine``: the caller's own.

    ``not_to_act``: running ones in which somebody else is awaited than the player of that name.
    ``pace``: one of ``PACES``. ``seeks``: open matches that anybody may join. ``played_out``:
    finished matches that the rules have ended, not a seat that gave up. ``challenges``: those that
    are not answered, made ``BY_ME`` or ``BY_OTHERS``.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    to_act: str | None = None
    mine: bool = False
    rated: bool | None = None
    pace: str | None = None
    seeks: bool = False
    played_out: bool = False
    not_to_act: str | None = None
    challenges: str | None = None


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lists that a caller may see."""

    queries: MatchQueries
    sealer: CursorCipher

    def list_matches(
        self,
        look: Asker,
        filters: MatchFilter,
        *,
        sort: str = SORTS[0],
        limit: int = LIMIT,
        cursor: str | None = None,
    ) -> Page[ShownMatch, str]:
        """List matches: the public ones; with ``mine`` the caller's own; all to a local look.

        All pages are of the moment of the first one: a match that moves while somebody leafs is
        neither missed nor listed twice, and shown as it is now.

        Raises ``InvalidRequest`` for a filter, sort, limit or cursor that cannot be, and
        ``CursorGone`` for a cursor of another history.
        """
        paging = Paging(self.sealer, sort, cursor)
        with self.queries.database.read() as connection:
            place = paging.begin(connection)
            query = self._build_query(connection, look, filters)
            if query is None:
                return Page([], None)
            after = place and (place, paging.moment)
            found = list_page(connection, query, sort=sort, limit=limit + 1, behind=after)
            ids = [one.row.id for one in found.listed[:limit]]
            loaded = (self.queries.load_listed(connection, look, one) for one in ids)
            there = [one for one in loaded if one is not None]
            shown = [self.queries.show_state(connection, one, look) for one in there]
        return paging.make_page(shown, found.listed, limit, lambda last: last.place, found.moment)

    def _build_query(
        self, connection: Connection, look: Asker, filters: MatchFilter
    ) -> RowFilters | None:
        """Return the store's query; None: it names a player whom there is not."""
        ids = []
        for name in (filters.player, filters.to_act, filters.not_to_act):
            ids.append(None if name is None else find_id(connection, name))
            if name is not None and ids[-1] is None:
                return None
        if filters.mine and look.caller is None:
            raise InvalidRequest(say("To see your own matches, say who you are."), pointer="/mine")
        return RowFilters(
            game=filters.game,
            status=filters.status,
            player=ids[0],
            to_act=ids[1],
            mine=look.caller if filters.mine else None,
            everything=look.local,
            rated=filters.rated,
            pace=filters.pace,
            unreserved_at=self.queries.repository.get_instant() if filters.seeks else None,
            played_out=filters.played_out,
            not_to_act=ids[2],
            made_by=look.caller if filters.challenges == BY_ME else None,
            made_to=look.caller if filters.challenges == BY_OTHERS else None,
        )
