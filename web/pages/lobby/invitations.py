"""Invitations by a link: making and revoking them, and the page that a link leads to."""

from __future__ import annotations

from flask import Response, url_for

from domain.errors import InvalidSettings, MatchNotOpen, SeatReserved
from services.errors import TooManyInvitations
from services.lobby.challenges import LIVE, NewInvitation
from services.matches.queries import Asker
from web.http.problems import PROBLEMS
from web.http.requests import whole
from web.pages.boards.entry import entry_url
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import answer_command, at_its_field, fields, fresh_key, given, text
from web.pages.common.visitors import the_player, visitor
from web.site import this_site


def accept_invitation(token: str) -> Response:
    """Take the seat, and lead to the match."""
    house = this_site().house
    the_player()
    game = house.challenges.game_of(token)
    settings = {} if game is None else given(game.settings, "settings")
    try:
        return answer_command(
            lambda request: house.challenges.accept(request, token, settings), entry_url
        )
    except InvalidSettings as refusal:
        return show_invitation(token, *at_its_field(refusal))


def make_invitation(match_id: str) -> Response:
    """Make an invitation, and show its link, this once."""
    the_player()
    try:
        return answer_invitation(match_id)
    except (MatchNotOpen, SeatReserved, TooManyInvitations) as refusal:
        return show_invitations(
            match_id, status=PROBLEMS[refusal.code].status, error=refusal.detail
        )


def revoke_invitation(match_id: str) -> Response:
    """Revoke an invitation, and lead back to those that there are."""
    player = the_player()
    this_site().house.challenges.revoke(player.player, match_id, text("invitation"))
    return lead_to(invitations_url(match_id))


def invitations_url(match_id: str) -> str:
    """Return the address of the invitations to a match."""
    return url_for("pages.invitations", match_id=match_id)


def answer_invitation(match_id: str) -> Response:
    """Invite somebody to a match; the answer shows the link. Raises what ``invite`` raises."""
    made, _ = this_site().house.challenges.invite(the_player().player, match_id)
    return show_invitations(match_id, made)


def show_invitations(
    match_id: str, made: NewInvitation | None = None, status: int = 200, error: str | None = None
) -> Response:
    """Show the invitations to a match, to the player who created it."""
    player, house = the_player().player, this_site().house
    found = house.challenges.invitations(player, match_id)
    return answer_page(
        "lobby/invitations.html",
        status=status,
        match=house.queries.show(Asker(player), match_id).view,
        found=found,
        live=LIVE,
        made=made,
        link=made and whole(url_for("pages.invitation", token=made.token)),
        error=error,
    )


def show_invitation(
    token: str, status: int = 200, errors: dict[str, str] | None = None
) -> Response:
    """Show the match that an invitation is for, to whoever has it. Raises ``NotFound``."""
    reader = visitor()
    invited = this_site().house.challenges.invited(token)
    view = invited.shown.view
    return answer_page(
        "lobby/invitation.html",
        status=status,
        own=True,
        token=token,
        match=view,
        shown=invited.shown,
        inviter=invited.shown.word(view.creator),
        is_own=reader is not None and view.creator == reader.player,
        expires_at=invited.expires_at,
        settings=fields(view.game.settings, "settings"),
        errors=errors or {},
        key=fresh_key(),
    )
