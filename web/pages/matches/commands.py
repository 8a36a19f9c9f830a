"""What players send from a match's page: a seat taken, a move, an action."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from domain.errors import (
    CannotTakeBack,
    ClockForbids,
    IllegalMove,
    InvalidSettings,
    MalformedMove,
    MatchNotActive,
    NoSuchOffer,
    OfferPending,
)
from services.errors import StaleVersion
from services.matches.actions import Action
from services.matches.queries import Asker
from web.pages.boards.entry import ANCHOR, entry_url
from web.pages.common.answers import lead_to
from web.pages.common.forms import answer_command, at_its_field, decided_on, given, number, text
from web.pages.common.visitors import the_actor, the_player
from web.pages.matches.match import refused_at, show_match
from web.pages.matches.offers import SURE
from web.site import this_site


def join_match(match_id: str) -> Response:
    """Take the free seat of a match."""
    house, player = this_site().house, the_player()
    game = house.looking.show(Asker(player.player), match_id).view.game
    settings = given(game.settings, "settings")
    try:
        return answer_command(
            lambda request: house.matches.join(request, match_id, settings), entry_url
        )
    except InvalidSettings as refusal:
        return show_match(match_id, *at_its_field(refusal))


def play_move(match_id: str) -> Response:
    """Make the move that was confirmed; if it cannot be made, lead to the page that says why."""
    house, player = this_site().house, the_actor()
    written, version = text("move"), decided_on("version")
    game = house.looking.show(Asker(player.player), match_id).view.game
    try:
        move = game.notation.read(written)
        return answer_command(
            lambda request: house.matches.play(request, match_id, move), entry_url, version, player
        )
    except StaleVersion:
        # What was chosen stays where it is still possible, and the page tells what happened.
        return lead_to(entry_url(match_id, version, request.form.getlist("path")))
    except (IllegalMove, MalformedMove):
        return lead_to(entry_url(match_id, version, (), move=written))


# Refusals after which the match is as it was, and its page is the place to go on.
@refused_at("action", CannotTakeBack, ClockForbids, MatchNotActive, NoSuchOffer, OfferPending)
def take_action(match_id: str) -> Response:
    """Carry out an action: resign, propose, answer, give time; what cannot be is said there."""
    matches, version = this_site().house.matches, decided_on("version")
    the_player()
    action = Action(text("action"), None, number("to_version"), number("days"), number("hours"))
    path = request.form.getlist("path")
    try:
        return answer_command(
            lambda asked: matches.act(asked, match_id, action),
            lambda _: entry_url(match_id, version, path),
            version,
        )
    except StaleVersion:
        ask = action.name if action.name in SURE else None
        told: dict[str, Any] = {"match_id": match_id, "path": path, "on": version, "ask": ask}
        return lead_to(url_for("pages.match", **told, _anchor=ANCHOR))
