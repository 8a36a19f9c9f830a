"""The lists of matches: every filter stands in the address."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from services.lobby.lists import PACES, SORTS, STATUSES, MatchFilter
from services.matches.queries import Asker
from web.i18n import N_
from web.pages.boards.cards import cards
from web.pages.common.answers import answer_page
from web.pages.common.forms import check_choice
from web.pages.common.visitors import the_player, visitor
from web.site import this_site

PER_PAGE = 12

SEEKS = "seeks"
"""Beside the statuses: open matches that anybody may join."""

TURNS = ("me", "others")

_CHOICES = ("game", "status", "player", "pace", "mine", "turn", "sort")
"""What an address may choose."""

PACE_NAMES = dict(
    zip(PACES, (N_("no clock"), N_("days for each turn"), N_("a bank of hours")), strict=True)
)
SORT_NAMES = dict(zip(SORTS, (N_("newest move first"), N_("newest match first")), strict=True))


def show_matches() -> Response:
    """Show the public matches, or the visitor's own, newest first, filtered as the address says.

    Empty values filter nothing: a form sends them for what was left open. Raises
    ``InvalidRequest`` for a value or cursor that cannot be, ``UnknownGame``, and ``LogInFirst``.
    """
    chosen = {name: _asked(name) for name in _CHOICES}
    player = the_player() if chosen["mine"] or chosen["turn"] else visitor()
    look = Asker(None if player is None else player.player)
    filters = _filters(chosen, player.name if player else None)
    cursor = request.args.get("cursor") or None
    page = this_site().house.lobby.matches(
        look, filters, sort=chosen["sort"] or SORTS[0], limit=PER_PAGE, cursor=cursor
    )
    kept: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    return answer_page(
        "lobby/lists.html",
        cards=cards(page.matches),
        chosen=chosen,
        statuses=STATUSES,
        paces=PACE_NAMES,
        sorts=SORT_NAMES,
        first=url_for(".matches", **kept) if cursor else None,
        following=page.next_cursor and url_for(".matches", **kept, cursor=page.next_cursor),
        filtered=bool(kept.keys() - {"sort"}),
    )


def _asked(name: str) -> str:
    return request.args.get(name, "").replace("\0", "\ufffd").strip()


def _filters(chosen: dict[str, str], name: str | None) -> MatchFilter:
    if chosen["game"]:
        this_site().house.games.get(chosen["game"])
    for field, there in (
        ("status", (*STATUSES, SEEKS)),
        ("pace", PACES),
        ("mine", ("true",)),
        ("turn", TURNS),
        ("sort", SORTS),
    ):
        check_choice(field, chosen[field], ("", *there))
    status = chosen["status"]
    return MatchFilter(
        chosen["game"] or None,
        None if status in ("", SEEKS) else status,
        chosen["player"] or None,
        to_act=name if chosen["turn"] == "me" else None,
        not_to_act=name if chosen["turn"] == "others" else None,
        mine=bool(chosen["mine"] or chosen["turn"]),
        pace=chosen["pace"] or None,
        seeks=status == SEEKS,
    )
