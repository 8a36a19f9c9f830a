"""Looks at series: their lists, and one with its score, its matches and its champion.

A series is what its matches say, so whoever may see its matches may see it, and nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.errors import Corruption, UnknownGame
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.series import (
    Member,
    Score,
    SeriesTerms,
    compute_score,
    end_of,
    find_misfit,
    member_of,
    place_of,
)
from domain.match.state import Match
from services.accounts.accounts import find_id
from services.errors import InvalidRequest, NotFound
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.store import matches as readmodels
from services.store.cursors import CursorCipher, Page, Paging
from services.store.lobby.filters import RowFilters, list_matches

LIMIT = 25
ORDER = "series"
"""The order of rows that cursors of these lists are for."""


class SeriesFilter(NamedTuple):
    """Which series. ``player`` is a name, ``game`` a slug, ``status`` that of the whole series.

    ``mine``: the caller's own, those that are not public among them.
    """

    game: str | None = None
    status: str | None = None
    player: str | None = None
    mine: bool = False


class ShownSeries(NamedTuple):
    """A series for one viewer: its matches in order, its score, and the names of its players."""

    id: str
    game: str
    terms: SeriesTerms
    score: Score
    matches: Sequence[ShownMatch]
    names: Mapping[str, str]

    @property
    def players(self) -> list[str | None]:
        """The ids of its players, in the order of the seats of its first match."""
        return [*self.matches[0].view.seats]

    @property
    def last(self) -> ShownMatch:
        """Its last match, which goes on or is over."""
        return self.matches[-1]

    def count_half_points(self, player: str | None) -> int:
        """Return the score of a player, in half points."""
        return self.score.half_points.get(player or "", 0)


@dataclass(frozen=True, slots=True)
class SeriesQueries:
    """Queries about series: each gives what its ``Asker`` may see."""

    queries: MatchQueries
    sealer: CursorCipher

    def show(self, look: Asker, series: str) -> ShownSeries:
        """Show a series by its id, that of its first match. Raises ``NotFound``."""
        with self.queries.database.read() as connection:
            return self._show_in(connection, look, series)

    def show_all(self, look: Asker, ids: Sequence[str]) -> list[ShownSeries]:
        """Show several series; one that cannot be read is left out. Raises ``NotFound``."""
        with self.queries.database.read() as connection:
            return self._show_all(connection, look, ids)

    def list_match_ids(self, look: Asker, series: str) -> list[str]:
        """Return the ids of a series' matches, in order. Raises ``NotFound``."""
        return [shown.view.id for shown in self.show(look, series).matches]

    def list_series(
        self, look: Asker, filters: SeriesFilter, *, limit: int = LIMIT, cursor: str | None = None
    ) -> Page[ShownSeries, str]:
        """List public series, the newest first; with ``mine`` the caller's own.

        Raises ``InvalidRequest`` for a cursor that cannot be, or if nobody asks for their own, and
        ``CursorGone``.
        """
        paging = Paging(self.sealer, ORDER, cursor)
        with self.queries.database.read() as connection:
            after = paging.begin(connection)
            query = _build_query(connection, look, filters)
            if query is None:
                return Page([], None)
            rows = list_matches(connection, query, sort="created", limit=limit + 1, after=after)
            found = self._show_all(connection, look, [row.id for row in rows[:limit]])
        return paging.make_page(found, rows, limit, lambda row: readmodels.place_of(row, "created"))

    def _show_all(
        self, connection: Connection, look: Asker, ids: Sequence[str]
    ) -> list[ShownSeries]:
        found = []
        for series in ids:
            try:
                found.append(self._show_in(connection, look, series))
            except (UnknownGame, Corruption):
                continue
        return found

    def _show_in(self, connection: Connection, look: Asker, series: str) -> ShownSeries:
        matches = self._chain_matches(connection, look, series)
        if not matches:
            raise NotFound(say("There is no series {series}.", series=series[:40]))
        terms = place_of(matches[0].series).terms
        shown = [self.queries.show_state(connection, one, look) for one in matches]
        names = {id_: name for one in shown for id_, name in one.names.items()}
        score = compute_score(terms, map(end_of, matches))
        return ShownSeries(series, matches[0].game.slug, terms, score, shown, names)

    def _chain_matches(self, connection: Connection, look: Asker, series: str) -> list[Match]:
        """Return the matches of a series, each of which follows on the one before.

        One that does not belong behind those before it is left aside.
        """
        found: list[Match] = []
        members: list[Member] = []
        for row in readmodels.list_by_series(connection, series):
            if not found and row.id != series:
                # Its beginning did not come in with it, and without that there is no score.
                break
            try:
                match = self.queries.must_load(connection, look, row.id)
            except (UnknownGame, Corruption) as fault:
                self.queries.leave_out(row.id, fault)
                raise
            member = member_of(match)
            if find_misfit(member, members) is None:
                found.append(match)
                members.append(member)
        return found


def _build_query(connection: Connection, look: Asker, filters: SeriesFilter) -> RowFilters | None:
    """Return the store's query; None: it names a player whom there is not."""
    if filters.mine and look.caller is None:
        raise InvalidRequest(say("To see your own series, say who you are."), pointer="/mine")
    player = None
    if filters.player is not None:
        player = find_id(connection, filters.player)
        if player is None:
            return None
    return RowFilters(
        game=filters.game,
        player=player,
        mine=look.caller if filters.mine else None,
        everything=look.local,
        series=True,
        series_status=filters.status,
    )


def series_json(shown: ShownSeries) -> JsonObject:
    """Return the contract's object of a series."""
    score, name = shown.score, shown.last._replace(names=shown.names).get_name
    return {
        "id": shown.id,
        "game": shown.game,
        "terms": shown.terms._asdict(),
        "status": score.status,
        "players": [
            {"player": name(one), "half_points": shown.count_half_points(one)}
            for one in shown.players
        ],
        "matches": [
            {
                "number": number,
                "match": one.view.id,
                "status": one.view.status,
                "result": one.view.result,
            }
            for number, one in enumerate(shown.matches, 1)
        ],
        "champion": name(score.champion),
    }
