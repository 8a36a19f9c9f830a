"""How a match finds its second player: challenges and declining them, invitations, rematches."""

from __future__ import annotations

import orjson
from flask import Response
from marshmallow import fields

from services.accounts.accounts import PLAY, READ
from services.lobby.challenges import (
    INVITATION_DAYS,
    LONGEST_INVITATION,
    REASON_LENGTH,
    STATES,
    NewInvitation,
)
from services.lobby.lists import BY_ME, BY_OTHERS, LIMIT, MOST, Filters
from services.matches.match_json import match_json
from services.matches.requests import CommandResult, Repeatable, StoredAnswer
from web.api.fields import Text, Whole, WholeParameter, Word
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    players_only,
    refuses,
    repeatable,
    route,
    takes,
)
from web.api.resources import matches
from web.api.resources.commands import asked, created, joined
from web.api.resources.matches import MatchSchema
from web.api.resources.talk import Prose
from web.http.answers import JSON, NO_STORE, json_answer, next_link, no_content, stored_answer
from web.http.inputs import AnswerSchema, BodySchema, QuerySchema, fingerprint, instant, text, words
from web.http.requests import rooted, whole


class DecliningSchema(BodySchema):
    """Turning a challenge down."""

    reason = Prose(
        load_default=None,
        allow_none=True,
        metadata={
            "description": f"Plain text of 1 to {REASON_LENGTH} characters, for the challenger.",
            "form": {"minLength": 1, "maxLength": REASON_LENGTH},
            "example": "No time before spring, sorry.",
        },
    )


class DeclineSchema(AnswerSchema):
    """Why a challenge was declined."""

    player = text("The name of the player who declined.")
    reason = text("Plain text, with line breaks; show it as such.")
    at = instant("When that was.")


class NewInvitationSchema(BodySchema):
    """An invitation to make."""

    days = Whole(
        1,
        LONGEST_INVITATION,
        load_default=INVITATION_DAYS,
        metadata={"description": "How long the seat is kept; never longer than the match waits."},
    )


class MadeInvitationSchema(AnswerSchema):
    """A new invitation."""

    id = text("To revoke it by.")
    token = text("The secret that is in the link, shown this once.")
    url = text("The link: the page that it leads to takes whoever comes first.")
    match = text("The match's id.")
    created_at = instant("When it was made.")
    expires_at = instant("Until when the seat is kept.")


class InvitationSchema(AnswerSchema):
    """An invitation, without its secret."""

    id = text("To revoke it by.")
    match = text("The match's id.")
    state = words("What has become of it.", *STATES)
    created_at = instant("When it was made.")
    expires_at = instant("Until when the seat is kept.")
    used_by = text("The name of the player who came with it.", null=True)


class InvitationsSchema(AnswerSchema):
    """Invitations."""

    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class OwnInvitationsSchema(InvitationsSchema):
    """A page of one's invitations that somebody could still come with, the newest first."""

    next_cursor = text("For the next page; null: this is the last.", null=True)


class ChallengeSchema(AnswerSchema):
    """A challenge that is not answered yet."""

    match = fields.Nested(MatchSchema, required=True)
    expires_at = instant("When it lapses, if nobody answers it.")


class ChallengesSchema(AnswerSchema):
    """A page of challenges, the newest first."""

    challenges = fields.List(fields.Nested(ChallengeSchema), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)


class PageQuerySchema(QuerySchema):
    """Which page of a list."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = Text(1, 4000, load_default=None, metadata={"description": "`next_cursor` of a page."})


class ChallengesQuerySchema(PageQuerySchema):
    """Which challenges."""

    by = Word(
        (BY_OTHERS, BY_ME),
        load_default=BY_OTHERS,
        metadata={"description": "Who has made them: others to you, or you."},
    )


class InvitedSchema(AnswerSchema):
    """What somebody with an invitation may see."""

    match = fields.Nested(MatchSchema, required=True)
    expires_at = instant("Until when the seat is kept.")


class RematchAskedSchema(BodySchema):
    """Asking for a rematch: there is nothing to say."""


class LeavingSchema(BodySchema):
    """Closing one's own account."""

    password = fields.String(
        required=True,
        metadata={"description": "Your password, once more.", "format": "password"},
    )


TAG = "Starting"


@route("POST", "/matches/<match_id>/decline", TAG)
@players_only(PLAY)
@about(a_match)
@takes(DecliningSchema(), required=False)
@repeatable()
@gives(200, matches.MatchSchema(), "The match, aborted.", headers=("ETag",))
@refuses("not-found", "match-not-open", "not-your-seat", "invalid-text")
def decline_challenge(call: Call, match_id: str) -> Response:
    """Decline a challenge, with a reason if you like.

    The reason is for the challenger. It stands in no event.
    """
    done = call.house.starting.decline(asked(call, joined), match_id, call.body.get("reason"))
    return stored_answer(done.answer or joined(done))


@route("GET", "/matches/<match_id>/decline", TAG)
@players_only(READ)
@about(a_match)
@gives(200, DeclineSchema(), "The reason.", headers=("ETag",))
@refuses("not-found")
def read_decline(call: Call, match_id: str) -> Response:
    """Read why a challenge was declined; only its two players can."""
    return json_answer(call.house.starting.declined(call.player.player, match_id)._asdict())


@route("POST", "/matches/<match_id>/invitations", TAG)
@players_only(PLAY)
@about(a_match)
@takes(NewInvitationSchema(), required=False)
@repeatable()
@gives(201, MadeInvitationSchema(), "The invitation; its token is shown this once.")
@refuses("not-found", "match-not-open", "seat-reserved", "not-your-seat", "too-many-invitations")
def invite(call: Call, match_id: str) -> Response:
    """Invite somebody by a link to a match of yours.

    The seat is kept for whoever comes first with an invitation, until all of them have lapsed or
    are revoked. Only this answer has the token, and the same answer to the same Idempotency-Key.
    """
    player, days = call.player.player, call.body.get("days", INVITATION_DAYS)

    def render(made: NewInvitation) -> StoredAnswer:
        body = orjson.dumps({**made._asdict(), "url": whole(rooted(f"/i/{made.token}"))})
        return StoredAnswer(201, {"Content-Type": JSON, "Cache-Control": NO_STORE}, body)

    if call.key is None:
        return stored_answer(render(call.house.starting.invite(player, match_id, days)))
    record = Repeatable(call.key, fingerprint(), render)
    return stored_answer(call.house.starting.invite_once(player, match_id, days, record))


@route("GET", "/me/invitations", TAG)
@players_only(READ)
@asks(PageQuerySchema())
@gives(200, OwnInvitationsSchema(), "A page of them, newest first.", headers=("ETag", "Link"))
@refuses("cursor-gone")
def list_own_invitations(call: Call) -> Response:
    """List all your invitations that somebody could still come with."""
    found, cursor = call.house.starting.own_invitations(
        call.player.player, call.query["limit"], call.query["cursor"]
    )
    answer = json_answer({"invitations": [one._asdict() for one in found], "next_cursor": cursor})
    if cursor is not None:
        answer.headers["Link"] = next_link(cursor=cursor)
    return answer


@route("GET", "/me/challenges", TAG)
@players_only(READ)
@asks(ChallengesQuerySchema())
@gives(200, ChallengesSchema(), "A page of them, newest first.", headers=("ETag", "Link"))
@refuses("cursor-gone")
def list_own_challenges(call: Call) -> Response:
    """List the challenges that are not answered yet: those to you, or those that you made."""
    query = call.query
    page = call.house.lobby.matches(
        call.look,
        Filters(mine=True, challenges=query["by"]),
        sort="created",
        limit=query["limit"],
        cursor=query["cursor"],
    )
    listed = [{"match": match_json(one), "expires_at": one.view.lapses_at} for one in page.matches]
    answer = json_answer({"challenges": listed, "next_cursor": page.next_cursor})
    if page.next_cursor is not None:
        answer.headers["Link"] = next_link(cursor=page.next_cursor)
    return answer


@route("GET", "/matches/<match_id>/invitations", TAG)
@players_only(READ)
@about(a_match)
@gives(200, InvitationsSchema(), "Your invitations.", headers=("ETag",))
@refuses("not-found", "not-your-seat")
def list_invitations(call: Call, match_id: str) -> Response:
    """List the invitations to a match of yours, and what has become of each."""
    found = call.house.starting.invitations(call.player.player, match_id)
    return json_answer({"invitations": [one._asdict() for one in found]})


@route("DELETE", "/matches/<match_id>/invitations/<invitation_id>", TAG)
@players_only(PLAY)
@about(a_match)
@gives(204, None, "Nobody comes with it any more.")
@refuses("not-found", "not-your-seat")
def revoke_invitation(call: Call, match_id: str, invitation_id: str) -> Response:
    """Revoke an invitation."""
    call.house.starting.revoke(call.player.player, match_id, invitation_id)
    return no_content()


@route("GET", "/invitations/<token>", TAG)
@players_only(READ)
@gives(200, InvitedSchema(), "The match, and until when the seat is kept.")
@refuses("not-found")
def look_at_invitation(call: Call, token: str) -> Response:
    """Look at the match that you are invited to."""
    invited = call.house.starting.invited(token)
    shown = {"match": match_json(invited.shown), "expires_at": invited.expires_at}
    return json_answer(shown, cache=NO_STORE)


@route("POST", "/invitations/<token>/accept", TAG)
@players_only(PLAY)
@takes(matches.JoiningSchema(), required=False)
@repeatable()
@gives(200, matches.MatchSchema(), "The match, started.", headers=("ETag",))
@refuses("not-found", "match-not-open", "own-match", "invalid-settings")
def accept_invitation(call: Call, token: str) -> Response:
    """Accept an invitation; the match starts."""
    done = call.house.starting.accept(
        asked(call, joined), token, call.body.get("settings", {}), call.body.get("contribution")
    )
    return stored_answer(done.answer or joined(done))


@route("POST", "/matches/<match_id>/rematch", TAG)
@players_only(PLAY)
@about(a_match)
@takes(RematchAskedSchema(), required=False)
@repeatable()
@gives(201, matches.MatchSchema(), "The challenge.", headers=("ETag", "Location"))
@gives(
    200, matches.MatchSchema(), "The rematch that there is, or has just started.", headers=("ETag",)
)
@refuses(
    "not-found",
    "not-your-seat",
    "no-rematch",
    "match-not-open",
    "unknown-opponent",
    "invalid-options",
    "invalid-settings",
)
def ask_for_rematch(call: Call, match_id: str) -> Response:
    """Ask for a rematch: the same again, with seats swapped.

    It is a challenge to the same opponent. When the opponent asks for one too, it starts; who
    asks twice gets the same one.
    """
    rematch = call.house.rematches.ask(asked(call, _rematch), match_id)
    render = created if rematch.created else joined
    return stored_answer(rematch.done.answer or render(rematch.done))


def _rematch(done: CommandResult) -> StoredAnswer:
    """Render what is kept for a repetition: a new challenge, or the rematch that there is."""
    is_new = done.events and done.shown.view.status == "open"
    return (created if is_new else joined)(done)
