"""Handlers of failures, of the whole application: refusals, HTTP's own errors, and faults.

Whoever asked the API, or for its health, gets a problem; whoever asked for a page, a page.
"""

from __future__ import annotations

import structlog
from flask import Flask, Response, g, request
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from domain.errors import Refusal
from services.errors import reason_of
from services.matches.requests import AlreadyAnswered
from web.http.answers import answer_stored
from web.http.problems import PROBLEMS, answer_problem, answer_refusal
from web.http.requests import get_route
from web.pages.common.failures import answer_failure

FOR_PROGRAMS = ("/api/", "/healthz", "/readyz")

_CODES = {problem.status: code for code, problem in reversed(PROBLEMS.items())}
"""The first code of each status, for what the framework itself refuses."""

_log = structlog.get_logger(__name__)


def handle_failures(app: Flask) -> None:
    """Let every failure of ``app`` be answered."""
    app.register_error_handler(AlreadyAnswered, _answer_replayed)
    app.register_error_handler(RateLimitExceeded, _answer_too_many)
    app.register_error_handler(Exception, _answer_error)


def _answer_replayed(replayed: AlreadyAnswered) -> Response:
    return answer_stored(replayed.answer, replayed=True)


def _answer_too_many(error: RateLimitExceeded) -> Response:
    error.retry_after = g.retry_after
    return _answer_error(error)


def _answer_error(error: Exception) -> Response:
    if isinstance(error, Refusal):
        if error.code == "unavailable":
            _log.warning("unavailable", detail=reason_of(error))
    elif not isinstance(error, HTTPException):
        # What was sent is left out on purpose: it may hold a move that is a secret.
        _log.error("fault", method=request.method, path=get_route(), exc_info=error)
    if not f"{request.path}/".startswith(FOR_PROGRAMS):
        return answer_failure(error)
    if isinstance(error, Refusal):
        return answer_refusal(error)
    if isinstance(error, HTTPException):
        return _answer_http_error(error)
    return answer_problem("internal", PROBLEMS["internal"].meaning)


def _answer_http_error(error: HTTPException) -> Response:
    code = _CODES.get(error.code or 500, "malformed-request")
    missing = code == "not-found"
    detail = "There is nothing at this address." if missing else PROBLEMS[code].meaning
    answer = answer_problem(code, detail)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    if isinstance(error, RateLimitExceeded):
        answer.headers["Retry-After"] = str(error.retry_after)
    return answer
