"""The list of matches."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Response, request, url_for
from markupsafe import Markup

from domain.views import drawn
from services.drawing.svg import thumbnail
from services.errors import InvalidRequest
from services.lobby import STATUSES, Filters
from services.looking import Look
from services.sessions import Session
from services.showing import Shown
from web.pages.answers import answer_page
from web.pages.visitors import the_player, visitor
from web.site import this_site

PER_PAGE = 12


class Row(NamedTuple):
    """One match of a list, with its board as a small picture (None: not started)."""

    shown: Shown
    picture: Markup | None
    night: bool


def show_matches() -> Response:
    """Show the public matches, or the visitor's own, newest first, filtered as the address says.

    Before all of them a player finds those that wait for a move of theirs. Empty values filter
    nothing: a form sends them for what was left open. Raises ``InvalidRequest`` for a status or
    cursor that cannot be, ``UnknownGame``, and ``LogInFirst``.
    """
    chosen = {name: _asked(name) for name in ("game", "status", "player", "mine")}
    player = the_player() if chosen["mine"] else visitor()
    look = Look(None if player is None else player.player)
    lobby, cursor = this_site().house.lobby, request.args.get("cursor") or None
    page = lobby.matches(look, _filters(chosen), limit=PER_PAGE, cursor=cursor)
    kept: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    following = page.next_cursor and url_for(".matches", **kept, cursor=page.next_cursor)
    return answer_page(
        "matches.html",
        rows=[_row(shown) for shown in page.matches],
        waiting=[] if kept or cursor or player is None else _waiting(look, player),
        chosen=chosen,
        statuses=STATUSES,
        first=url_for(".matches", **kept) if cursor else None,
        following=following,
        filtered=bool(kept),
    )


def _asked(name: str) -> str:
    return request.args.get(name, "").replace("\0", "\ufffd").strip()


def _waiting(look: Look, player: Session) -> list[Row]:
    """Return the matches in which it is the player's turn."""
    turns = Filters(status="active", to_act=player.name, mine=True)
    page = this_site().house.lobby.matches(look, turns, limit=PER_PAGE)
    return [_row(shown) for shown in page.matches]


def _filters(chosen: dict[str, str]) -> Filters:
    if chosen["game"]:
        this_site().house.games.get(chosen["game"])
    if chosen["status"] and chosen["status"] not in STATUSES:
        raise InvalidRequest(f"A status is one of {', '.join(STATUSES)}.", pointer="/status")
    if chosen["mine"] not in ("", "true"):
        raise InvalidRequest("'mine' is true, or left out.", pointer="/mine")
    return Filters(
        chosen["game"] or None,
        chosen["status"] or None,
        chosen["player"] or None,
        mine=bool(chosen["mine"]),
    )


def _row(shown: Shown) -> Row:
    scene = drawn(shown.view)
    if scene is None:
        return Row(shown, None, night=False)
    return Row(shown, thumbnail(scene, f"t-{shown.view.id}"), night=bool(scene.trails))
