"""How a match finds its second player: challenges and declining them, invitations, rematches."""

from __future__ import annotations

from functools import partial

from flask import Response
from marshmallow import Schema

from services.lobby.challenges import (
    INVITATION_DAYS,
    LONGEST_INVITATION,
    REASON_LENGTH,
    STATES,
    Invitation,
)
from services.lobby.lists import BY_ME, BY_OTHERS, MatchFilter
from services.matches.match_json import match_json
from services.matches.requests import CommandResult, StoredAnswer
from web.api import fields
from web.api.operations import PLAYERS, Call, asks, gives, reads, refuses, route, takes
from web.api.paging import PageQuerySchema, answer_json_page, make_list_schema, make_page_schema
from web.api.resources.commands import (
    answer_change,
    read_joining,
    render_created,
    render_joined,
)
from web.api.resources.matches import JoiningSchema, MatchSchema
from web.http.answers import NO_STORE, answer_json, answer_no_content, make_stored_json
from web.http.inputs import BodySchema
from web.http.requests import add_root, make_public_url


class DecliningSchema(BodySchema):
    """Turning a challenge down."""

    reason = fields.Prose(
        f"Plain text of 1 to {REASON_LENGTH} characters, for the challenger.",
        form={"minLength": 1, "maxLength": REASON_LENGTH},
        example="No time before spring, sorry.",
    )


class DeclineSchema(Schema):
    """Why a challenge was declined."""

    player = fields.text("The name of the player who declined.")
    reason = fields.text("Plain text, with line breaks; show it as such.")
    at = fields.instant("When that was.")


class NewInvitationSchema(BodySchema):
    """An invitation to make."""

    days = fields.WholeNumber(
        "How long the seat is kept; never longer than the match waits.",
        1,
        LONGEST_INVITATION,
        load_default=INVITATION_DAYS,
    )


class _AnyInvitationSchema(Schema):
    id = fields.text("To revoke it by.")
    match = fields.text("The match's id.")
    created_at = fields.instant("When it was made.")
    expires_at = fields.instant("Until when the seat is kept.")


class MadeInvitationSchema(_AnyInvitationSchema):
    """A new invitation."""

    token = fields.text("The secret that is in the link, shown this once.")
    url = fields.text("The link: the page that it leads to takes whoever comes first.")


class InvitationSchema(_AnyInvitationSchema):
    """An invitation, without its secret."""

    state = fields.words("What has become of it.", *STATES)
    used_by = fields.text("The name of the player who came with it.", null=True)


class ChallengeSchema(Schema):
    """A challenge that is not answered yet."""

    match = fields.part(MatchSchema)
    expires_at = fields.instant("When it lapses, if nobody answers it.")


class ChallengesQuerySchema(PageQuerySchema):
    """Which challenges."""

    by = fields.Word(
        (BY_OTHERS, BY_ME), "Who has made them: others to you, or you.", load_default=BY_OTHERS
    )


class InvitedSchema(Schema):
    """What somebody with an invitation may see."""

    match = fields.part(MatchSchema)
    expires_at = fields.instant("Until when the seat is kept.")


class RematchAskedSchema(BodySchema):
    """Asking for a rematch: there is nothing to say."""


TAG = "Starting"


@route("POST", "/matches/<match_id>/decline", TAG, PLAYERS)
@takes(DecliningSchema(), required=False)
@reads("Idempotency-Key")
@gives(200, MatchSchema(), "The match, aborted.")
@refuses("match-not-open", "not-your-seat", "invalid-text")
def decline_challenge(call: Call, match_id: str) -> Response:
    """Decline a challenge, with a reason if you like.

    The reason is for the challenger. It stands in no event.
    """
    decline, reason = call.house.challenges.decline, call.body.get("reason")
    return answer_change(call, render_joined, lambda asked: decline(asked, match_id, reason))


@route("GET", "/matches/<match_id>/decline", TAG, PLAYERS)
@gives(200, DeclineSchema(), "The reason.")
def read_decline(call: Call, match_id: str) -> Response:
    """Read why a challenge was declined; only its two players can."""
    return answer_json(call.house.challenges.get_decline(call.player, match_id)._asdict())


@route("POST", "/matches/<match_id>/invitations", TAG, PLAYERS)
@takes(NewInvitationSchema(), required=False)
@reads("Idempotency-Key")
@gives(201, MadeInvitationSchema(), "Its token is shown this once.", cache=NO_STORE)
@refuses("match-not-open", "seat-reserved", "not-your-seat", "too-many-invitations")
def invite(call: Call, match_id: str) -> Response:
    """Invite somebody by a link to a match of yours.

    The seat is kept for whoever comes first with an invitation, until all of them have lapsed or
    are revoked. Only this answer has the token, and the same answer to the same Idempotency-Key.
    """
    days = call.body.get("days", INVITATION_DAYS)
    return call.do_once(
        lambda made: make_stored_json(
            {**made._asdict(), "url": make_public_url(add_root(f"/i/{made.token}"))}, 201
        ),
        partial(call.house.challenges.invite, call.player, match_id, days),
    )


@route("GET", "/me/invitations", TAG, PLAYERS)
@asks(PageQuerySchema())
@gives(
    200,
    make_page_schema(InvitationSchema, "invitations", "OwnInvitations"),
    "A page of them, newest first.",
)
@refuses("cursor-gone")
def list_own_invitations(call: Call) -> Response:
    """List all your invitations that somebody could still come with."""
    page = call.house.challenges.list_own_invitations(call.player, **call.paging)
    return answer_json_page("invitations", page, Invitation._asdict)


@route("GET", "/me/challenges", TAG, PLAYERS)
@asks(ChallengesQuerySchema())
@gives(200, make_page_schema(ChallengeSchema, "challenges"), "A page of them, newest first.")
@refuses("cursor-gone")
def list_own_challenges(call: Call) -> Response:
    """List the challenges that are not answered yet: those to you, or those that you made."""
    filters = MatchFilter(mine=True, challenges=call.query["by"])
    page = call.house.lobby.list_matches(call.look, filters, sort="created", **call.paging)
    return answer_json_page(
        "challenges", page, lambda one: {"match": match_json(one), "expires_at": one.view.lapses_at}
    )


@route("GET", "/matches/<match_id>/invitations", TAG, PLAYERS)
@gives(200, make_list_schema(InvitationSchema, "invitations"), "Your invitations.")
@refuses("not-your-seat")
def list_invitations(call: Call, match_id: str) -> Response:
    """List the invitations to a match of yours, and what has become of each."""
    found = call.house.challenges.list_invitations(call.player, match_id)
    return answer_json({"invitations": [one._asdict() for one in found]})


@route("DELETE", "/matches/<match_id>/invitations/<invitation_id>", TAG, PLAYERS)
@gives(204, None, "Nobody comes with it any more.")
@refuses("not-your-seat")
def revoke_invitation(call: Call, match_id: str, invitation_id: str) -> Response:
    """Revoke an invitation."""
    call.house.challenges.revoke(call.player, match_id, invitation_id)
    return answer_no_content()


@route("GET", "/invitations/<token>", TAG, PLAYERS)
@gives(200, InvitedSchema(), "The match, and until when the seat is kept.", cache=NO_STORE)
def look_at_invitation(call: Call, token: str) -> Response:
    """Look at the match that you are invited to."""
    invited = call.house.challenges.show_invited(token)
    shown = {"match": match_json(invited.shown), "expires_at": invited.expires_at}
    return answer_json(shown, cache=NO_STORE)


@route("POST", "/invitations/<token>/accept", TAG, PLAYERS)
@takes(JoiningSchema(), required=False)
@reads("Idempotency-Key")
@gives(200, MatchSchema(), "The match, started.")
@refuses("match-not-open", "own-match", "cannot-be-challenged", "invalid-settings")
def accept_invitation(call: Call, token: str) -> Response:
    """Accept an invitation; the match starts."""
    accept, brought = call.house.challenges.accept, read_joining(call)
    return answer_change(call, render_joined, lambda asked: accept(asked, token, *brought))


@route("POST", "/matches/<match_id>/rematch", TAG, PLAYERS)
@takes(RematchAskedSchema(), required=False)
@reads("Idempotency-Key")
@gives(201, MatchSchema(), "The challenge.", "Location")
@gives(200, MatchSchema(), "The rematch that there is, or has just started.")
@refuses(
    "not-your-seat",
    "no-rematch",
    "match-not-open",
    "unknown-opponent",
    "cannot-be-challenged",
    "invalid-options",
    "invalid-settings",
)
def ask_for_rematch(call: Call, match_id: str) -> Response:
    """Ask for a rematch: the same again, with seats swapped.

    It is a challenge to the same opponent. When the opponent asks for one too, it starts; who
    asks twice gets the same one.
    """
    ask = call.house.rematches.ask
    return answer_change(call, _render_rematch, lambda asked: ask(asked, match_id))


def _render_rematch(done: CommandResult) -> StoredAnswer:
    """Render a new challenge, or the rematch that there is."""
    is_new = any(event["version"] == 1 for event in done.events)
    return (render_created if is_new else render_joined)(done)
