"""Challenges that are declined, invitations, rematches."""

from __future__ import annotations

from marshmallow import fields

from services.lobby.challenges import INVITATION_DAYS, LONGEST_INVITATION, REASON_LENGTH, STATES
from services.lobby.lists import BY_ME, BY_OTHERS, LIMIT, MOST
from web.api.fields import Text, Whole, WholeParameter, Word
from web.api.resources.matches_of_schemas import Match
from web.api.resources.talk_of_schemas import Prose
from web.http.base import Body, Query, Shown, instant, text, words


class Declining(Body):
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


class Decline(Shown):
    """Why a challenge was declined."""

    player = text("The name of the player who declined.")
    reason = text("Plain text, with line breaks; show it as such.")
    at = instant("When that was.")


class NewInvitation(Body):
    """An invitation to make."""

    days = Whole(
        1,
        LONGEST_INVITATION,
        load_default=INVITATION_DAYS,
        metadata={"description": "How long the seat is kept; never longer than the match waits."},
    )


class MadeInvitation(Shown):
    """A new invitation."""

    id = text("To revoke it by.")
    token = text("The secret that is in the link, shown this once.")
    url = text("The link: the page that it leads to takes whoever comes first.")
    match = text("The match's id.")
    created_at = instant("When it was made.")
    expires_at = instant("Until when the seat is kept.")


class Invitation(Shown):
    """An invitation, without its secret."""

    id = text("To revoke it by.")
    match = text("The match's id.")
    state = words("What has become of it.", *STATES)
    created_at = instant("When it was made.")
    expires_at = instant("Until when the seat is kept.")
    used_by = text("The name of the player who came with it.", null=True)


class Invitations(Shown):
    """Invitations."""

    invitations = fields.List(fields.Nested(Invitation), required=True)


class OwnInvitations(Invitations):
    """A page of one's invitations that somebody could still come with, the newest first."""

    next_cursor = text("For the next page; null: this is the last.", null=True)


class Challenge(Shown):
    """A challenge that is not answered yet."""

    match = fields.Nested(Match, required=True)
    expires_at = instant("When it lapses, if nobody answers it.")


class Challenges(Shown):
    """A page of challenges, the newest first."""

    challenges = fields.List(fields.Nested(Challenge), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)


class PageQuery(Query):
    """Which page of a list."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = Text(1, 4000, load_default=None, metadata={"description": "`next_cursor` of a page."})


class ChallengesQuery(PageQuery):
    """Which challenges."""

    by = Word(
        (BY_OTHERS, BY_ME),
        load_default=BY_OTHERS,
        metadata={"description": "Who has made them: others to you, or you."},
    )


class Invited(Shown):
    """What somebody with an invitation may see."""

    match = fields.Nested(Match, required=True)
    expires_at = instant("Until when the seat is kept.")


class RematchAsked(Body):
    """Asking for a rematch: there is nothing to say."""


class Leaving(Body):
    """Closing one's own account."""

    password = fields.String(
        required=True,
        metadata={"description": "Your password, once more.", "format": "password"},
    )
