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
from domain.i18n import say
from services.errors import InvalidRequest, StaleVersion
from services.matches.actions import Action
from services.matches.queries import Asker
from web.http.problems import PROBLEMS
from web.pages.boards.entry import ANCHOR, entry_url
from web.pages.common.answers import lead_to
from web.pages.common.forms import answer_command, given, number, text
from web.pages.common.visitors import the_actor, the_player
from web.pages.matches.match import match_page
from web.pages.matches.offers import SURE
from web.site import this_site


def join_match(match_id: str) -> Response:
    """Take the free seat of a match."""
    house, player = this_site().house, the_player()
    game = house.looking.show(Asker(player.player), match_id).view.game
    settings = given(game.settings, "settings")
    try:
        return answer_command(
            lambda request: house.matches.join(request, match_id, settings), _address
        )
    except InvalidSettings as refusal:
        field = f"settings.{(refusal.pointer or '').strip('/')}"
        return match_page(match_id, 422, {field: refusal.detail})


def play_move(match_id: str) -> Response:
    """Make the move that was confirmed; if it cannot be made, lead to the page that says why."""
    house, player = this_site().house, the_actor()
    written, version = text("move"), _version()
    game = house.looking.show(Asker(player.player), match_id).view.game
    try:
        move = game.notation.read(written)
        return answer_command(
            lambda request: house.matches.play(request, match_id, move), _address, version, player
        )
    except StaleVersion:
        # What was chosen stays where it is still possible, and the page tells what happened.
        return lead_to(entry_url(match_id, version, request.form.getlist("path")))
    except (IllegalMove, MalformedMove):
        return lead_to(entry_url(match_id, version, (), move=written))


def take_action(match_id: str) -> Response:
    """Carry out an action: resign, propose, answer, give time; what cannot be is said there."""
    matches, version = this_site().house.matches, _version()
    the_player()
    action = _action()
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
    except _NOT_NOW as refusal:
        return match_page(match_id, PROBLEMS[refusal.code].status, {"action": refusal.detail})


_NOT_NOW = (CannotTakeBack, ClockForbids, MatchNotActive, NoSuchOffer, OfferPending)
"""Refusals after which the match is as it was, and its page is the place to go on."""


def _action() -> Action:
    """Read an action from a form. Raises ``InvalidRequest``."""
    return Action(
        text("action"),
        to_version=number("to_version"),
        days=number("days"),
        hours=number("hours"),
    )


def _version() -> int:
    """Return the version that a form was decided on. Raises ``InvalidRequest``."""
    version = number("version")
    if version is None:
        raise InvalidRequest(
            say("This form does not say what it was decided on."), pointer="/version"
        )
    return version


def _address(match_id: str) -> str:
    return url_for("pages.match", match_id=match_id, _anchor=ANCHOR)
