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
from web.http.answers import NO_STORE
from web.http.requests import add_root, get_request_id, make_public_url


class Problem(NamedTuple):
    """A row of the table.

    ``member``: where in a body the value stands that the refusal's pointer starts from.
    """

    status: int
    title: str
    meaning: str
    member: str = ""


_MEANINGS: dict[int, dict[str, str]] = {
    400: {
        "malformed-request": (
            "The request cannot be read: its body, a parameter or a header is not of the form that "
            "the documentation gives. `errors` says where."
        )
    },
    401: {
        "unauthenticated": (
            "This needs a token (`Authorization: Bearer ...`), and there was none, or it is "
            "unknown, expired or revoked; or a name and a password do not belong together."
        )
    },
    403: {
        "missing-scope": (
            "The token, or the account, does not reach this far. `detail` names the scope."
        ),
        "not-your-seat": "Only a player of the match, or only that seat, may do or see this.",
        "spectators-only": (
            "What spectators say is shut to the players of a match until it is over."
        ),
        "not-yours": "Only who wrote it, or an administrator, may do this.",
        "suspended": "An administrator has suspended this account. `detail` says why.",
    },
    404: {
        "not-found": "There is no such thing, or nothing that you may know of.",
        "no-analysis": "Nobody has asked yet for an analysis of this match: ask for it by POST.",
    },
    405: {"method-not-allowed": "This address knows other methods; `Allow` names them."},
    406: {"not-acceptable": "`Accept` asks for a media type that this address does not give."},
    409: {
        "not-your-turn": "The other seat is to act.",
        "your-turn": (
            "Conditional moves answer a move of your opponent, and you are to act: move first."
        ),
        "too-many-notes": "You have as many notes on this match as there may be.",
        "match-not-open": "Both seats are taken, so nobody can join or change the dice.",
        "match-not-active": "The match has not started yet, or it is over.",
        "seat-reserved": "The free seat is kept for the player who was challenged.",
        "own-match": "Nobody plays against themselves.",
        "too-late-to-abort": (
            "After two moves, or once chance has decided something, one player alone cannot abort "
            "a match any more. Resigning is always possible."
        ),
        "offer-pending": "An offer of this kind waits for an answer already.",
        "no-such-offer": (
            "Your opponent offers nothing of the kind, or the offer has lapsed: offers do when the "
            "match goes on."
        ),
        "clock-forbids": (
            "The match has no clock, its pace does not allow this, or a limit is reached."
        ),
        "cannot-take-back": (
            "Nothing can be taken back to that version, or a seat has seen something hidden since."
        ),
        "no-series": "The match stands alone: there is no series to leave.",
        "series-over": "The series was decided, or ended undecided, before.",
        "on-vacation": "You are on vacation already; or you are not, and cannot come back.",
        "vacation-used-up": "You have fewer days of vacation left in this year.",
        "already-contributed": "A seat adds to the dice once, and that stands.",
        "name-taken": (
            "Somebody has this name or one that looks like it, or had; names are not given out "
            "twice."
        ),
        "cannot-be-challenged": (
            "There is no challenge, no new match and no chat between you and this player."
        ),
        "too-many-relations": "You follow, or have blocked, as many players as you may.",
        "outside-range": (
            "Whoever created the match has named a range of ratings, and yours lies outside."
        ),
        "no-rematch": "A rematch is for when a match has been played and is over.",
        "too-many-invitations": (
            "As many people hold an invitation to this match as there may be. Revoke one first."
        ),
        "too-many-webhooks": "You have as many webhooks as there may be. Delete one first.",
        "webhook-off": "Nothing is sent to a webhook that is off. Turn it on first.",
        "no-hints": "There are hints in practice matches alone, in games that the house plays.",
        "too-many-house-matches": (
            "You have as many running matches against the house as there may be. Finish or give up "
            "one of them first."
        ),
        "match-not-over": "Only a match that was played to its end is analysed.",
        "unknown-version": (
            "The events that you want to go on behind are not in the history of this match: the "
            "version lies beyond its end, or the id or cursor is of another history, as after a "
            "backup has been restored. `version` is the present one: begin with the first event."
        ),
    },
    410: {
        "cursor-gone": (
            "The cursor was given out in another history than the present one, as before a backup "
            "was restored. What you have of it may be no longer true: begin anew, without a "
            "cursor."
        )
    },
    412: {
        "stale-version": (
            "The match has gone on since the version that this was decided on. `version` is the "
            "present one: look at the match again, then decide again."
        )
    },
    413: {"payload-too-large": "The body is longer than is taken."},
    415: {"unsupported-media-type": "Bodies are JSON: `Content-Type: application/json`."},
    422: {
        "malformed-move": "The move is not of a form that the game's rule book gives.",
        "illegal-move": (
            "The move is well formed, and a rule of the game forbids it now. `detail` says which."
        ),
        "invalid-conditional-moves": (
            "A line is not of the form, the rules do not allow a move of it, or it depends on what "
            "you cannot know. `detail` says which, and `errors` where."
        ),
        "invalid-text": (
            "The text is empty, too long, or has characters that nobody sees and that change how "
            "other text is shown."
        ),
        "invalid-options": "An option is unknown, or its value does not fit.",
        "invalid-series": (
            "A series has 2 to 21 matches; one that ends early has an odd number of them."
        ),
        "invalid-settings": (
            "What the seat brings along is unknown to the game, or against its rules."
        ),
        "cannot-be-rated": (
            "Rated matches are public and played with a game's usual options; practice, and a "
            "house that was not measured, count for nothing."
        ),
        "invalid-player": "The name or the password does not fit the rules for them.",
        "invalid-webhook": (
            "Notices go to addresses that begin with https:// and lead into the internet, not to "
            "those of the service's own network."
        ),
        "unknown-opponent": "There is nobody of that name to challenge.",
        "idempotency-key-reused": (
            "You have used this `Idempotency-Key` for a request that was different."
        ),
    },
    428: {
        "precondition-required": (
            "A move or an action says which version of the match it was decided on: by `If-Match` "
            "or by `expected_version`."
        )
    },
    429: {
        "rate-limited": "Wait for as long as `Retry-After` says, in seconds.",
        "analysis-under-way": (
            "Another match is being analysed for you. Everybody waits for one at a time."
        ),
        "too-many-analyses": (
            "As many matches wait to be analysed as may. Try again after `Retry-After` seconds."
        ),
    },
    500: {"internal": "A fault of the service. `request_id` leads its people to what happened."},
    503: {
        "unavailable": (
            "The service cannot do this just now. The same request may succeed in a moment."
        )
    },
}
"""Of each status its codes, and what they mean."""

_TITLES = {
    "unauthenticated": "Not authenticated",
    "clock-forbids": "The clock forbids it",
    "too-many-relations": "Too many players",
    "outside-range": "Outside of the range",
    "too-many-house-matches": "Too many matches against the house",
    "rate-limited": "Too many requests",
    "internal": "Internal error",
}
"""Titles that are not the words of their code."""

_MEMBERS = {
    "malformed-move": "/move",
    "illegal-move": "/move",
    "invalid-options": "/options",
    "invalid-settings": "/settings",
}
"""Where in a body the value stands that the pointers of these refusals start from."""

PROBLEMS = {
    code: Problem(
        status,
        _TITLES.get(code, code.replace("-", " ").capitalize()),
        meaning,
        _MEMBERS.get(code, ""),
    )
    for status, meanings in _MEANINGS.items()
    for code, meaning in meanings.items()
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


def make_header_fault(name: str, detail: str) -> Malformed:
    """Return the refusal of a header that cannot be read."""
    return Malformed(detail, [{"header": name, "detail": detail}])


def answer_problem(code: str, detail: str, **members: object) -> Response:
    """Return the answer that tells a client of a problem; ``members``: more than all have."""
    problem = PROBLEMS[code]
    told = {
        # Absolute, as RFC 9457 advises.
        "type": make_public_url(add_root(f"/api/v1/problems/{code}")),
        "title": problem.title,
        "status": problem.status,
        "detail": detail,
        "code": code,
        "request_id": get_request_id(),
        **members,
    }
    answer = Response(orjson.dumps(told), problem.status, content_type=PROBLEM_JSON)
    answer.headers["Cache-Control"] = NO_STORE
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
        members["errors"] = [
            {**_locate_fault(refusal.code, refusal.pointer), "detail": refusal.detail}
        ]
    if isinstance(refusal, (StaleVersion, UnknownVersion)):
        members["version"] = refusal.version
    # What exactly is out of order is for the log: it may name hosts and paths.
    unavailable = refusal.code == "unavailable"
    detail = PROBLEMS["unavailable"].meaning if unavailable else refusal.detail
    answer = answer_problem(refusal.code, detail, **members)
    if isinstance(refusal, TooOften):
        answer.headers["Retry-After"] = str(refusal.seconds)
    return answer


def _locate_fault(code: str, pointer: str) -> JsonObject:
    """Say where the value at fault stands; use cases do not know how it came to them."""
    if request.method in ("GET", "HEAD"):
        return {"parameter": pointer.removeprefix("/")}
    return {"pointer": PROBLEMS[code].member + pointer}
