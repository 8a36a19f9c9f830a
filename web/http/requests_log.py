"""One line in the log for every request, and an id that ties together what it led to.

What was sent and what was answered never stands there: both may hold tokens, passwords or
moves that are a secret. Nor do the query and the path, which may be an invitation, the id of an
unlisted match or a cursor: the log has the pattern of the route instead.
"""

from __future__ import annotations

from random import getrandbits
from time import perf_counter
from typing import Any, TypeAlias

from flask import request
from flask.globals import request_ctx
from structlog.contextvars import bind_contextvars

from services.runtime.logs import at_once

Environ: TypeAlias = dict[str, Any]
"""The environment of a WSGI request."""

_KEY = "plybook.watched"

UNMATCHED = "(unmatched)"
"""Stands for every path that no route has: somebody's invitation may be mistyped in it."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "(other)"


class Watched:
    """A request that is being answered: its id, when that began, its route, and whose it is."""

    __slots__ = ("began", "caller", "request_id", "route")

    def __init__(self, request_id: str, began: float) -> None:
        self.request_id = request_id
        self.began = began
        self.route = UNMATCHED
        self.caller: str | None = None

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return perf_counter() - self.began


def watch(environ: Environ) -> Watched:
    """Give a request its id; log lines that it leads to carry it."""
    # No secret: asking the system for one lets go of the interpreter, which costs every request.
    watched = environ[_KEY] = Watched(f"{getrandbits(64):016x}", perf_counter())
    bind_contextvars(request_id=watched.request_id)
    return watched


def note_caller(environ: Environ, player: str | None) -> None:
    """Keep whose request it is, so that the answer says so."""
    watched: Watched = environ[_KEY]
    watched.caller = player


def this_request_id() -> str:
    """Return the id of the request that is being answered."""
    watched: Watched = request.environ[_KEY]
    return watched.request_id


def log_answer(environ: Environ, status: int, seconds: float) -> None:
    """Log how a request was answered."""
    watched: Watched = environ[_KEY]
    method = environ["REQUEST_METHOD"]
    line = {
        # Whoever asks may invent a method, and put anything into it.
        "method": method if method in _METHODS else _OTHER,
        "path": watched.route,
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    at_once.info("request", watched.request_id, line)


def this_route() -> str:
    """Return the pattern of the route that answers the present request."""
    rule = request_ctx.request.url_rule
    return UNMATCHED if rule is None else rule.rule
