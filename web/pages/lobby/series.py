"""The list of series: public ones, or the visitor's own; every filter stands in the address."""

from __future__ import annotations

from flask import Response, request

from services.lobby.lists import STATUSES
from services.lobby.series import SeriesFilter
from services.matches.queries import Asker
from web.pages.common.answers import answer_page
from web.pages.common.forms import link_pages, read_filters
from web.pages.common.visitors import find_visitor, get_player, player_of
from web.pages.matches.series import list_standings
from web.site import get_site

PER_PAGE = 12


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
        found=[
            (one, one.last._replace(names=one.names), list_standings(one)) for one in page.listed
        ],
        chosen=chosen,
        statuses=STATUSES,
        filtered=any(chosen.values()),
        **link_pages(page, chosen),
    )
