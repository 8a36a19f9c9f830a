"""What players send from a match's page: a seat taken, a move, an action."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import IllegalMove, InvalidSettings, MalformedMove
from services.errors import InvalidRequest, StaleVersion
from services.looking import Look
from services.matches import Action
from web.pages.answers import lead_to
from web.pages.desk import ACTIONS
from web.pages.entry import ANCHOR, entry_url
from web.pages.fields import given
from web.pages.forms import answer_command, text
from web.pages.match import match_page
from web.pages.visitors import the_player
from web.site import this_site


def join_match(match_id: str) -> Response:
    """Take the free seat of a match."""
    house, player = this_site().house, the_player()
    game = house.looking.show(Look(player.player), match_id).view.game
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
    house, player = this_site().house, the_player()
    written, version = text("move"), _version()
    game = house.looking.show(Look(player.player), match_id).view.game
    try:
        move = game.notation.read(written)
        return answer_command(
            lambda request: house.matches.play(request, match_id, move), _address, version
        )
    except StaleVersion:
        # What was chosen stays where it is still possible, and the page tells what happened.
        return lead_to(entry_url(match_id, version, request.form.getlist("path")))
    except (IllegalMove, MalformedMove):
        return lead_to(entry_url(match_id, version, (), move=written))


def take_action(match_id: str) -> Response:
    """Resign, or abort, after the second question."""
    matches, action, version = this_site().house.matches, text("action"), _version()
    the_player()
    if action not in ACTIONS:
        raise InvalidRequest(f"An action is one of {', '.join(ACTIONS)}.", pointer="/action")
    try:
        return answer_command(
            lambda request: matches.act(request, match_id, Action(action)), _address, version
        )
    except StaleVersion:
        asked = url_for("pages.match", match_id=match_id, on=version, ask=action, _anchor=ANCHOR)
        return lead_to(asked)


def _version() -> int:
    """Return the version that a form was decided on. Raises ``InvalidRequest``."""
    version = text("version")
    if not (version.isascii() and version.isdecimal() and len(version) < 10):  # noqa: PLR2004
        raise InvalidRequest("This form does not say what it was decided on.", pointer="/version")
    return int(version)


def _address(match_id: str) -> str:
    return url_for("pages.match", match_id=match_id, _anchor=ANCHOR)
