"""A game's leaderboard."""

from __future__ import annotations

from flask import Response, request

from services.ratings.leaderboards import LEAST_MATCHES, RECENT_DAYS
from web.pages.common.answers import answer_page
from web.pages.common.forms import link_pages
from web.site import get_site

PER_PAGE = 25


def show_ratings(slug: str) -> Response:
    """Show a game's players by their ratings. Raises ``UnknownGame`` and ``InvalidRequest``."""
    house, cursor = get_site().house, request.args.get("cursor") or None
    game = house.games.get(slug)
    page = house.leaderboards.list_ranked(slug, limit=PER_PAGE, cursor=cursor)
    return answer_page(
        "ratings.html",
        game=game,
        players=page.listed,
        least=LEAST_MATCHES,
        days=RECENT_DAYS,
        **link_pages(page),
    )
