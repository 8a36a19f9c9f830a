"""The lists of matches: every filter stands in the address."""

from __future__ import annotations

from flask import Response, request

from services.lobby.lists import PACES, SORTS, STATUSES, MatchFilter
from services.matches.queries import Asker
from web.i18n import N_
from web.pages.boards.cards import make_cards
from web.pages.common.answers import answer_page
from web.pages.common.forms import link_pages, read_filters
from web.pages.common.visitors import find_visitor, get_player, player_of
from web.site import get_site

PER_PAGE = 12

SEEKS = "seeks"
"""Beside the statuses: open matches that anybody may join."""

TURNS = ("me", "others")

_CHOICES: dict[str, tuple[str, ...]] = {
    "game": (),
    "status": (*STATUSES, SEEKS),
    "player": (),
    "pace": PACES,
    "mine": ("true",),
    "turn": TURNS,
    "sort": SORTS,
}
"""What an address may choose."""

PACE_NAMES = dict(
    zip(PACES, (N_("no clock"), N_("days for each turn"), N_("a bank of hours")), strict=True)
)
SORT_NAMES = dict(zip(SORTS, (N_("newest move first"), N_("newest match first")), strict=True))


def show_matches() -> Response:
    """Show the public matches, or the visitor's own, newest first, filtered as the address says.

    Raises ``InvalidRequest`` for a value or cursor that cannot be, ``UnknownGame``, and
    ``LogInFirst``.
    """
    chosen = read_filters(**_CHOICES)
    own, cursor = chosen["mine"] or chosen["turn"], request.args.get("cursor") or None
    player, house = get_player() if own else find_visitor(), get_site().house
    look = Asker(player_of(player))
    # Later pages are those of the moment of the first one.
    mark = house.agenda.make_mark(player.player) if player and own and not cursor else None
    page = house.lobby.list_matches(
        look,
        _make_filter(chosen, player.name if player else None),
        sort=chosen["sort"] or SORTS[0],
        limit=PER_PAGE,
        cursor=cursor,
    )
    return answer_page(
        "lobby/lists.html",
        cards=make_cards(page.listed),
        chosen=chosen,
        statuses=STATUSES,
        paces=PACE_NAMES,
        sorts=SORT_NAMES,
        mark=mark,
        filtered=any(chosen[name] for name in _CHOICES if name != "sort"),
        **link_pages(page, chosen),
    )


def _make_filter(chosen: dict[str, str], name: str | None) -> MatchFilter:
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
