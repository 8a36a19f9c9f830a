"""The list of series: public ones, or the visitor's own; every filter stands in the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Response, request, url_for

from domain.game.game import AnyGame
from domain.match.series import points
from services.lobby.lists import STATUSES
from services.lobby.series import SeriesFilter, ShownSeries
from services.matches.queries import Asker
from web.pages.common.answers import answer_page
from web.pages.common.forms import check_choice
from web.pages.common.visitors import the_player, visitor
from web.pages.common.words import profile_of, series_of
from web.site import this_site

PER_PAGE = 12
_CHOICES = ("game", "status", "player", "mine")
"""What an address may choose."""


class SeriesLine(NamedTuple):
    """A series of the list. ``standings``: name, address and points of each player, by seats."""

    url: str
    game: AnyGame
    standings: Sequence[tuple[str | None, str | None, str]]
    terms: str
    status: str
    visibility: str
    champion: str | None
    began: str


def show_all_series() -> Response:
    """Show series, the newest first. Empty values filter nothing.

    Raises ``InvalidRequest`` for a value or cursor that cannot be, ``UnknownGame``, and
    ``LogInFirst``.
    """
    house = this_site().house
    chosen = {name: request.args.get(name, "").replace("\0", "\ufffd").strip() for name in _CHOICES}
    player = the_player() if chosen["mine"] else visitor()
    if chosen["game"]:
        house.games.get(chosen["game"])
    check_choice("status", chosen["status"], ("", *STATUSES))
    check_choice("mine", chosen["mine"], ("", "true"))
    filters = SeriesFilter(
        chosen["game"] or None,
        chosen["status"] or None,
        chosen["player"] or None,
        mine=bool(chosen["mine"]),
    )
    look, cursor = Asker(None if player is None else player.player), request.args.get("cursor")
    page = house.series.page(look, filters, limit=PER_PAGE, cursor=cursor or None)
    kept: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    following = page.next_cursor
    return answer_page(
        "lobby/series.html",
        lines=[_line(one) for one in page.series],
        chosen=chosen,
        statuses=STATUSES,
        first=url_for(".all_series", **kept) if cursor else None,
        following=following and url_for(".all_series", **kept, cursor=following),
        filtered=bool(kept),
    )


def _line(series: ShownSeries) -> SeriesLine:
    first, last = series.matches[0], series.last._replace(names=series.names)
    return SeriesLine(
        url_for(".series", series_id=series.id),
        first.view.game,
        [
            (last.word(one), profile_of(last, one), points(series.half_points(one)))
            for one in series.players
        ],
        series_of(series.terms),
        series.score.status,
        first.view.visibility,
        last.word(series.score.champion),
        first.view.created_at,
    )
