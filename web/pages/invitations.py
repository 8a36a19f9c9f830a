"""The page that an invitation leads to: what one is invited to, and the seat to take."""

from __future__ import annotations

from flask import Response, url_for

from domain.errors import InvalidSettings
from web.pages.answers import answer_page
from web.pages.fields import fields, given
from web.pages.forms import answer_command, fresh_key
from web.pages.visitors import the_player
from web.site import this_site


def show_invitation(token: str) -> Response:
    """Show the match that an invitation is for. Raises ``LogInFirst`` and ``NotFound``."""
    return _page(token)


def accept_invitation(token: str) -> Response:
    """Take the seat, and lead to the match."""
    house = this_site().house
    the_player()
    settings = {}
    found = house.starting.game_of(token)
    if found is not None:
        settings = given(found.settings, "settings")
    try:
        return answer_command(
            lambda request: house.starting.accept(request, token, settings),
            lambda match_id: url_for("pages.match", match_id=match_id, _anchor="entry"),
        )
    except InvalidSettings as refusal:
        return _page(token, 422, {f"settings.{(refusal.pointer or '').strip('/')}": refusal.detail})


def _page(token: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    player = the_player()
    invited = this_site().house.starting.invited(token)
    view = invited.shown.view
    return answer_page(
        "invitation.html",
        status=status,
        own=True,
        token=token,
        match=view,
        shown=invited.shown,
        inviter=invited.shown.name(view.creator),
        is_own=view.creator == player.player,
        expires_at=invited.expires_at,
        settings=fields(view.game.settings, "settings"),
        errors=errors or {},
        key=fresh_key(),
    )
