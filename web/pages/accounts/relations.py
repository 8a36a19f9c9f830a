"""Blocking and following other players: from their pages, and all of them on one page."""

from __future__ import annotations

from flask import Response, url_for

from services.errors import CannotBeChallenged, InvalidRequest, TooManyRelations
from services.store.people.relations import BLOCKS, FOLLOWS
from web.http.problems import PROBLEMS
from web.pages.accounts.profiles import show_player
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import check_choice, text
from web.pages.common.visitors import LONGEST, the_player
from web.site import this_site

_DO = ("block", "unblock", "follow", "unfollow")


def relate(name: str) -> Response:
    """Block or follow the player of that name, or no more; lead back to where it was asked for."""
    player, relations = the_player().player, this_site().house.relations
    name, do = name[:LONGEST], text("do")
    check_choice("do", do, _DO)
    try:
        if do == "block":
            relations.block(player, name)
        elif do == "follow":
            relations.follow(player, name)
        else:
            relations.end(player, BLOCKS if do == "unblock" else FOLLOWS, name)
    except (CannotBeChallenged, InvalidRequest, TooManyRelations) as refusal:
        return show_player(name, PROBLEMS[refusal.code].status, refusal.detail)
    if text("from") == "people":
        return lead_to(url_for("pages.people"))
    return lead_to(url_for("pages.player", name=name))


def show_people() -> Response:
    """Show whom a player follows and has blocked, and the matches of those whom they follow."""
    player, house = the_player().player, this_site().house
    return answer_page("accounts/people.html", related=house.relations.of(player))
