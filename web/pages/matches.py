"""The list of matches."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Response, request, url_for
from markupsafe import Markup

from services.errors import InvalidRequest
from services.lobby import STATUSES, Filters
from services.looking import Look
from services.showing import Shown
from web.pages.answers import answer_page
from web.site import this_site
from web.svg import thumbnail

PER_PAGE = 12


class Row(NamedTuple):
    """One match of the list, with its board as a small picture (None: not started)."""

    shown: Shown
    picture: Markup | None
    night: bool


def show_matches() -> Response:
    """Show the public matches, newest first, filtered as the address says.

    Empty values filter nothing: a form sends them for what was left open. Raises
    ``InvalidRequest`` for a status or cursor that cannot be, ``UnknownGame``.
    """
    chosen = {name: request.args.get(name, "").strip() for name in ("game", "status", "player")}
    house = this_site().house
    cursor = request.args.get("cursor") or None
    page = house.lobby.matches(Look(), _filters(chosen), limit=PER_PAGE, cursor=cursor)
    kept: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    following = page.next_cursor and url_for(".matches", **kept, cursor=page.next_cursor)
    return answer_page(
        "matches.html",
        rows=[_row(shown) for shown in page.matches],
        chosen=chosen,
        statuses=STATUSES,
        first=url_for(".matches", **kept) if cursor else None,
        following=following,
        filtered=bool(kept),
    )


def _filters(chosen: dict[str, str]) -> Filters:
    if chosen["game"]:
        this_site().house.games.get(chosen["game"])
    if chosen["status"] and chosen["status"] not in STATUSES:
        raise InvalidRequest(f"A status is one of {', '.join(STATUSES)}.", pointer="/status")
    return Filters(chosen["game"] or None, chosen["status"] or None, chosen["player"] or None)


def _row(shown: Shown) -> Row:
    view = shown.view
    if view.sight is None:
        return Row(shown, None, night=False)
    scene = view.game.scene(view.sight, view.last)
    return Row(shown, thumbnail(scene, f"t-{view.id}"), night=bool(scene.trails))
