"""One line in the log for every request, and an id that ties together what it led to.

What was sent and what was answered never stands there: both may hold tokens, passwords or
moves that are a secret. Nor does the query.
"""

from __future__ import annotations

from secrets import token_hex
from time import perf_counter

import structlog
from flask import Flask, Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars

_log = structlog.get_logger("web.requests")


def log_requests(app: Flask) -> None:
    """Give every request of ``app`` an id, and log how it was answered."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.began = perf_counter()
    g.request_id = token_hex(8)
    clear_contextvars()
    bind_contextvars(request_id=g.request_id)


def _end(answer: Response) -> Response:
    _log.info(
        "request",
        method=request.method,
        path=request.path,
        status=answer.status_code,
        milliseconds=round((perf_counter() - g.began) * 1000, 1),
    )
    return answer
