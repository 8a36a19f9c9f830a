"""The list of series: public ones, or the visitor's own; every filter stands in the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Response, request, url_for

from domain.game.game import AnyGame
from domain.match.series import format_points
from services.lobby.lists import STATUSES
from services.lobby.series import SeriesFilter, ShownSeries
from services.matches.queries import Asker
from web.pages.common.answers import answer_page
from web.pages.common.forms import link_pages, read_filters
from web.pages.common.visitors import find_visitor, get_player, player_of
from web.pages.common.words import describe_series, profile_of
from web.site import get_site

PER_PAGE = 12


class SeriesLine(NamedTuple):
    """A series of the list. ``standings``: name, address and points of each player, by seats.

    ``champion``: name and address of who has won it.
    """

    url: str
    game: AnyGame
    standings: Sequence[tuple[str | None, str | None, str]]
    terms: str
    status: str
    visibility: str
    champion: tuple[str | None, str | None] | None
    began: str


def show_all_series() -> Response:
    """Show series, the newest first.

    Raises ``InvalidRequest`` for a value or cursor that cannot be, ``UnknownGame``, and
    ``LogInFirst``.
    """
    chosen = read_filters(game=(), status=STATUSES, player=(), mine=("true",))
    player = get_player() if chosen["mine"] else find_visitor()
    wanted = SeriesFilter(
        chosen["game"] or None,
        chosen["status"] or None,
        chosen["player"] or None,
        mine=bool(chosen["mine"]),
    )
    look, cursor = Asker(player_of(player)), request.args.get("cursor")
    page = get_site().house.series.list_series(look, wanted, limit=PER_PAGE, cursor=cursor or None)
    return answer_page(
        "lobby/series.html",
        lines=[_make_line(one) for one in page.listed],
        chosen=chosen,
        statuses=STATUSES,
        filtered=any(chosen.values()),
        **link_pages(page, chosen),
    )


def _make_line(series: ShownSeries) -> SeriesLine:
    champion = series.score.champion
    first, last = series.matches[0], series.last._replace(names=series.names)
    return SeriesLine(
        url_for(".series", series_id=series.id),
        first.view.game,
        [
            (
                last.tell_name(one),
                profile_of(last, one),
                format_points(series.count_half_points(one)),
            )
            for one in series.players
        ],
        describe_series(series.terms),
        series.score.status,
        first.view.visibility,
        None if champion is None else (last.tell_name(champion), profile_of(last, champion)),
        first.view.created_at,
    )
