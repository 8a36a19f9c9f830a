"""Starting a match: first the game, then everything else, with good defaults."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import InvalidOptions, InvalidSettings, Refusal
from domain.game import AnyGame
from services.access import VISIBILITIES
from services.errors import InvalidRequest, UnknownOpponent
from services.matches import NewMatch
from web.api.problems import PROBLEMS
from web.pages.answers import answer_page
from web.pages.fields import fields, given
from web.pages.forms import answer_command, fresh_key, text
from web.pages.visitors import the_player
from web.site import this_site

SEATS = {"random": None, "1": 1, "2": 2}
"""What the form calls the seats; None: by chance."""

_MEMBERS = {"invalid-options": "options.", "invalid-settings": "settings."}
"""What stands before the name of a field that one of these refusals is about."""


def show_new_match() -> Response:
    """Show the games to choose from, or the form for the one that was chosen."""
    the_player()
    slug = request.args.get("game")
    if slug is None:
        return answer_page("new_match.html", game=None)
    return _form(this_site().house.games.get(slug))


def create_match() -> Response:
    """Create a match, and lead to it."""
    matches, games = this_site().house.matches, this_site().house.games
    game = games.get(text("game"))
    try:
        new = _new_match(game)
        return answer_command(lambda request: matches.create(request, new), _address)
    except (InvalidOptions, InvalidSettings, UnknownOpponent, InvalidRequest) as refusal:
        return _form(game, PROBLEMS[refusal.code].status, _at_its_field(refusal))


def _new_match(game: AnyGame) -> NewMatch:
    seat, visibility = text("seat") or "random", text("visibility") or VISIBILITIES[0]
    if seat not in SEATS:
        raise InvalidRequest("Choose one of the seats.", pointer="/seat")
    if visibility not in VISIBILITIES:
        raise InvalidRequest("Choose who may see the match.", pointer="/visibility")
    return NewMatch(
        game.slug,
        given(game.options, "options"),
        given(game.settings, "settings"),
        SEATS[seat],
        text("opponent") or None,
        visibility,
    )


def _form(game: AnyGame, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    return answer_page(
        "new_match.html",
        status=status,
        game=game,
        options=fields(game.options, "options"),
        settings=fields(game.settings, "settings"),
        seat=text("seat") or "random",
        opponent=text("opponent"),
        visibility=text("visibility") or VISIBILITIES[0],
        errors=errors or {},
        key=fresh_key(),
    )


def _at_its_field(refusal: Refusal) -> dict[str, str]:
    field = _MEMBERS.get(refusal.code, "") + (refusal.pointer or "").strip("/")
    return {field: refusal.detail}


def _address(match_id: str) -> str:
    return url_for("pages.match", match_id=match_id)
