"""Refusals of requests that cannot be read, and the answer to every refusal (RFC 9457)."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from flask import Response, request

from domain.errors import Refusal
from domain.json_types import JsonObject
from services.errors import InvalidRequest, StaleVersion, TooOften, UnknownVersion
from web.http.addresses import rooted, whole
from web.http.problems_of_web import PROBLEMS
from web.http.requests_log import this_request_id

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
