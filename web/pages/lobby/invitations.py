"""Invitations by a link: making and revoking them, and the page that a link leads to."""

from __future__ import annotations

from flask import Response, url_for

from domain.errors import InvalidSettings, MatchNotOpen, SeatReserved
from services.errors import TooManyInvitations
from services.lobby.challenges import LIVE, NewInvitation
from services.matches.queries import Asker
from web.http.problems import PROBLEMS
from web.http.requests import make_public_url
from web.pages.boards.entry import make_entry_url
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import (
    answer_command,
    make_fields,
    make_key,
    place_refusal,
    read_options,
    read_text,
)
from web.pages.common.visitors import find_visitor, get_player
from web.site import get_site


def accept_invitation(token: str) -> Response:
    """Take the seat, and lead to the match."""
    house = get_site().house
    get_player()
    game = house.challenges.game_of(token)
    settings = {} if game is None else read_options(game.settings, "settings")
    try:
        return answer_command(
            lambda request: house.challenges.accept(request, token, settings), make_entry_url
        )
    except InvalidSettings as refusal:
        return show_invitation(token, *place_refusal(refusal))


def make_invitation(match_id: str) -> Response:
    """Make an invitation, and show its link, this once."""
    get_player()
    try:
        return answer_invitation(match_id)
    except (MatchNotOpen, SeatReserved, TooManyInvitations) as refusal:
        return show_invitations(
            match_id, status=PROBLEMS[refusal.code].status, error=refusal.detail
        )


def revoke_invitation(match_id: str) -> Response:
    """Revoke an invitation, and lead back to those that there are."""
    player = get_player()
    get_site().house.challenges.revoke(player.player, match_id, read_text("invitation"))
    return lead_to(make_invitations_url(match_id))


def make_invitations_url(match_id: str) -> str:
    """Return the address of the invitations to a match."""
    return url_for("pages.invitations", match_id=match_id)


def answer_invitation(match_id: str) -> Response:
    """Invite somebody to a match; the answer shows the link. Raises what ``invite`` raises."""
    made, _ = get_site().house.challenges.invite(get_player().player, match_id)
    return show_invitations(match_id, made)


def show_invitations(
    match_id: str, made: NewInvitation | None = None, status: int = 200, error: str | None = None
) -> Response:
    """Show the invitations to a match, to the player who created it."""
    player, house = get_player().player, get_site().house
    found = house.challenges.list_invitations(player, match_id)
    return answer_page(
        "lobby/invitations.html",
        status=status,
        match=house.queries.show(Asker(player), match_id).view,
        found=found,
        live=LIVE,
        made=made,
        link=made and make_public_url(url_for("pages.invitation", token=made.token)),
        error=error,
    )


def show_invitation(
    token: str, status: int = 200, errors: dict[str, str] | None = None
) -> Response:
    """Show the match that an invitation is for, to whoever has it. Raises ``NotFound``."""
    reader = find_visitor()
    invited = get_site().house.challenges.show_invited(token)
    view = invited.shown.view
    return answer_page(
        "lobby/invitation.html",
        status=status,
        own=True,
        token=token,
        match=view,
        shown=invited.shown,
        inviter=invited.shown.tell_name(view.creator),
        is_own=reader is not None and view.creator == reader.player,
        expires_at=invited.expires_at,
        settings=make_fields(view.game.settings, "settings"),
        errors=errors or {},
        key=make_key(),
    )
