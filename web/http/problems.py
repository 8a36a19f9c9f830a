"""The one table of failures, and the answer to every refusal (RFC 9457).

The table says what status and title each code has, and what it means. Codes belong to the
refusals of ``domain`` and ``services``; what status they travel under is decided here and nowhere
else. Requests that cannot be read are refused with codes of this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import orjson
from flask import Response, request

from domain.errors import Refusal
from domain.json_types import JsonObject
from services.errors import InvalidRequest, StaleVersion, TooOften, UnknownVersion
from web.http.requests import rooted, this_request_id, whole


class Problem(NamedTuple):
    """A row of the table.

    ``member``: where in a body the value stands that the refusal's pointer starts from.
    """

    status: int
    title: str
    meaning: str
    member: str = ""


PROBLEMS: dict[str, Problem] = {
    "malformed-request": Problem(
        400,
        "Malformed request",
        "The request cannot be read: its body, a parameter or a header is not of the form that "
        "the documentation gives. `errors` says where.",
    ),
    "unauthenticated": Problem(
        401,
        "Not authenticated",
        "This needs a token (`Authorization: Bearer ...`), and there was none, or it is unknown, "
        "expired or revoked; or a name and a password do not belong together.",
    ),
    "missing-scope": Problem(
        403,
        "Missing scope",
        "The token, or the account, does not reach this far. `detail` names the scope.",
    ),
    "not-your-seat": Problem(
        403, "Not your seat", "Only a player of the match, or only that seat, may do or see this."
    ),
    "spectators-only": Problem(
        403,
        "Spectators only",
        "What spectators say is shut to the players of a match until it is over.",
    ),
    "not-yours": Problem(403, "Not yours", "Only who wrote it, or an administrator, may do this."),
    "suspended": Problem(
        403, "Suspended", "An administrator has suspended this account. `detail` says why."
    ),
    "not-found": Problem(
        404, "Not found", "There is no such thing, or nothing that you may know of."
    ),
    "no-analysis": Problem(
        404,
        "No analysis",
        "Nobody has asked yet for an analysis of this match: ask for it by POST.",
    ),
    "method-not-allowed": Problem(
        405, "Method not allowed", "This address knows other methods; `Allow` names them."
    ),
    "not-acceptable": Problem(
        406, "Not acceptable", "`Accept` asks for a media type that this address does not give."
    ),
    "not-your-turn": Problem(409, "Not your turn", "The other seat is to act."),
    "your-turn": Problem(
        409,
        "Your turn",
        "Conditional moves answer a move of your opponent, and you are to act: move first.",
    ),
    "too-many-notes": Problem(
        409, "Too many notes", "There may be so many notes on one match, and you have as many."
    ),
    "match-not-open": Problem(
        409, "Match not open", "Both seats are taken, so nobody can join or change the dice."
    ),
    "match-not-active": Problem(
        409, "Match not active", "The match has not started yet, or it is over."
    ),
    "seat-reserved": Problem(
        409, "Seat reserved", "The free seat is kept for the player who was challenged."
    ),
    "own-match": Problem(409, "Own match", "Nobody plays against themselves."),
    "too-late-to-abort": Problem(
        409,
        "Too late to abort",
        "After two moves, or once chance has decided something, one player alone cannot abort a "
        "match any more. Resigning is always possible.",
    ),
    "offer-pending": Problem(
        409, "Offer pending", "An offer of this kind waits for an answer already."
    ),
    "no-such-offer": Problem(
        409,
        "No such offer",
        "Your opponent offers nothing of the kind, or the offer has lapsed: offers do when the "
        "match goes on.",
    ),
    "clock-forbids": Problem(
        409,
        "The clock forbids it",
        "The match has no clock, its pace does not allow this, or a limit is reached.",
    ),
    "cannot-take-back": Problem(
        409,
        "Cannot take back",
        "Nothing can be taken back to that version, or a seat has seen something hidden since.",
    ),
    "no-series": Problem(409, "No series", "The match stands alone: there is no series to leave."),
    "series-over": Problem(
        409, "Series over", "The series was decided, or ended undecided, before."
    ),
    "on-vacation": Problem(
        409, "On vacation", "You are on vacation already; or you are not, and cannot come back."
    ),
    "vacation-used-up": Problem(
        409, "Vacation used up", "You have fewer days of vacation left in this year."
    ),
    "already-contributed": Problem(
        409, "Already contributed", "A seat adds to the dice once, and that stands."
    ),
    "name-taken": Problem(
        409,
        "Name taken",
        "Somebody has this name or one that looks like it, or had; names are not given out twice.",
    ),
    "cannot-be-challenged": Problem(
        409,
        "Cannot be challenged",
        "There is no challenge, no new match and no chat between you and this player.",
    ),
    "too-many-relations": Problem(
        409, "Too many players", "You follow, or have blocked, as many players as you may."
    ),
    "outside-range": Problem(
        409,
        "Outside of the range",
        "Whoever created the match has named a range of ratings, and yours lies outside.",
    ),
    "no-rematch": Problem(
        409, "No rematch", "A rematch is for when a match has been played and is over."
    ),
    "too-many-invitations": Problem(
        409,
        "Too many invitations",
        "As many people hold an invitation to this match as there may be. Revoke one first.",
    ),
    "too-many-webhooks": Problem(
        409, "Too many webhooks", "You have as many webhooks as there may be. Delete one first."
    ),
    "webhook-off": Problem(
        409, "Webhook off", "Nothing is sent to a webhook that is off. Turn it on first."
    ),
    "no-hints": Problem(
        409, "No hints", "There are hints in practice matches alone, in games that the house plays."
    ),
    "too-many-house-matches": Problem(
        409,
        "Too many matches against the house",
        "You have as many running matches against the house as there may be. Finish or give up "
        "one of them first.",
    ),
    "match-not-over": Problem(
        409, "Match not over", "Only a match that was played to its end is analysed."
    ),
    "unknown-version": Problem(
        409,
        "Unknown version",
        "The events that you want to go on behind are not in the history of this match: the "
        "version lies beyond its end, or the id or cursor is of another history, as after a "
        "backup has been restored. `version` is the present one: begin with the first event.",
    ),
    "cursor-gone": Problem(
        410,
        "Cursor gone",
        "The cursor was given out in another history than the present one, as before a backup was "
        "restored. What you have of it may be no longer true: begin anew, without a cursor.",
    ),
    "stale-version": Problem(
        412,
        "Stale version",
        "The match has gone on since the version that this was decided on. `version` is the "
        "present one: look at the match again, then decide again.",
    ),
    "payload-too-large": Problem(413, "Payload too large", "The body is longer than is taken."),
    "unsupported-media-type": Problem(
        415, "Unsupported media type", "Bodies are JSON: `Content-Type: application/json`."
    ),
    "malformed-move": Problem(
        422,
        "Malformed move",
        "The move is not of a form that the game's rule book gives.",
        "/move",
    ),
    "illegal-move": Problem(
        422,
        "Illegal move",
        "The move is well formed, and a rule of the game forbids it now. `detail` says which.",
        "/move",
    ),
    "invalid-conditional-moves": Problem(
        422,
        "Invalid conditional moves",
        "A line is not of the form, the rules do not allow a move of it, or it depends on what "
        "you cannot know. `detail` says which, and `errors` where.",
    ),
    "invalid-text": Problem(
        422,
        "Invalid text",
        "The text is empty, too long, or has characters that nobody sees and that change how "
        "other text is shown.",
    ),
    "invalid-options": Problem(
        422, "Invalid options", "An option is unknown, or its value does not fit.", "/options"
    ),
    "invalid-series": Problem(
        422,
        "Invalid series",
        "A series has 2 to 21 matches; one that ends early has an odd number of them.",
    ),
    "invalid-settings": Problem(
        422,
        "Invalid settings",
        "What the seat brings along is unknown to the game, or against its rules.",
        "/settings",
    ),
    "cannot-be-rated": Problem(
        422,
        "Cannot be rated",
        "Rated matches are public and played with a game's usual options; practice, and a house "
        "that was not measured, count for nothing.",
    ),
    "invalid-player": Problem(
        422, "Invalid player", "The name or the password does not fit the rules for them."
    ),
    "invalid-webhook": Problem(
        422,
        "Invalid webhook",
        "Notices go to addresses that begin with https:// and lead into the internet, not to those "
        "of the service's own network.",
    ),
    "unknown-opponent": Problem(
        422, "Unknown opponent", "There is nobody of that name to challenge."
    ),
    "idempotency-key-reused": Problem(
        422,
        "Idempotency key reused",
        "You have used this `Idempotency-Key` for a request that was different.",
    ),
    "precondition-required": Problem(
        428,
        "Precondition required",
        "A move or an action says which version of the match it was decided on: by `If-Match` or "
        "by `expected_version`.",
    ),
    "rate-limited": Problem(
        429, "Too many requests", "Wait for as long as `Retry-After` says, in seconds."
    ),
    "analysis-under-way": Problem(
        429,
        "Analysis under way",
        "Another match is being analysed for you. Everybody waits for one at a time.",
    ),
    "too-many-analyses": Problem(
        429,
        "Too many analyses",
        "As many matches wait to be analysed as may. Try again after `Retry-After` seconds.",
    ),
    "internal": Problem(
        500,
        "Internal error",
        "A fault of the service. `request_id` leads its people to what happened.",
    ),
    "unavailable": Problem(
        503,
        "Unavailable",
        "The service cannot do this just now. The same request may succeed in a moment.",
    ),
}


PROBLEM_JSON = "application/problem+json"

RETRY_SECONDS = 2
"""When somebody may try again whom the service could not serve."""


class Malformed(InvalidRequest):
    """The request cannot be read; each of ``errors`` has a pointer, parameter or header."""

    def __init__(self, detail: str, errors: Iterable[JsonObject]) -> None:
        super().__init__(detail)
        self.errors = list(errors)


class NotAcceptable(Refusal):
    """No representation of what was asked for is one that the client takes."""

    code = "not-acceptable"


class PayloadTooLarge(Refusal):
    """The body is longer than the settings allow."""

    code = "payload-too-large"


class UnsupportedMediaType(Refusal):
    """The body is something else than JSON."""

    code = "unsupported-media-type"


def bad_header(name: str, detail: str) -> Malformed:
    """Return the refusal of a header that cannot be read."""
    return Malformed(detail, [{"header": name, "detail": detail}])


def bad_parameter(name: str, detail: str) -> Malformed:
    """Return the refusal of a query parameter that cannot be read."""
    return Malformed(detail, [{"parameter": name, "detail": detail}])


def problem_url(code: str) -> str:
    """Return the address of a code's explanation, absolute as RFC 9457 advises."""
    return whole(rooted(f"/api/v1/problems/{code}"))


def problem_json(code: str, detail: str, **members: object) -> JsonObject:
    """Return the body of a problem; ``members`` are further ones."""
    problem = PROBLEMS[code]
    return {
        "type": problem_url(code),
        "title": problem.title,
        "status": problem.status,
        "detail": detail,
        "code": code,
        "request_id": this_request_id(),
        **members,
    }


def answer_problem(code: str, detail: str, **members: object) -> Response:
    """Return the answer that tells a client of a problem."""
    body = orjson.dumps(problem_json(code, detail, **members))
    answer = Response(body, PROBLEMS[code].status, content_type=PROBLEM_JSON)
    answer.headers["Cache-Control"] = "no-store"
    if code == "unauthenticated":
        answer.headers["WWW-Authenticate"] = 'Bearer realm="plybook"'
    elif code == "unavailable":
        answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def answer_refusal(refusal: Refusal) -> Response:
    """Return the answer for a refusal of any room."""
    members: JsonObject = {}
    if isinstance(refusal, Malformed):
        members["errors"] = refusal.errors
    elif refusal.pointer is not None:
        members["errors"] = [{**_place(refusal.code, refusal.pointer), "detail": refusal.detail}]
    if isinstance(refusal, (StaleVersion, UnknownVersion)):
        members["version"] = refusal.version
    # What exactly is out of order is for the log: it may name hosts and paths.
    unavailable = refusal.code == "unavailable"
    detail = PROBLEMS["unavailable"].meaning if unavailable else refusal.detail
    answer = answer_problem(refusal.code, detail, **members)
    if isinstance(refusal, TooOften):
        answer.headers["Retry-After"] = str(refusal.seconds)
    return answer


def _place(code: str, pointer: str) -> JsonObject:
    """Say where the value at fault stands; use cases do not know how it came to them."""
    if request.method in ("GET", "HEAD"):
        return {"parameter": pointer.removeprefix("/")}
    return {"pointer": PROBLEMS[code].member + pointer}
