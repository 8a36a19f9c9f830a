"""One line in the log for every request, and an id that ties together what it led to.

What was sent and what was answered never stands there: both may hold tokens, passwords or
moves that are a secret. Nor does the query.
"""

from __future__ import annotations

from random import getrandbits
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from flask import request
from structlog.contextvars import bind_contextvars

from services.logs import at_once

Environ: TypeAlias = dict[str, Any]
"""The environment of a WSGI request."""

_KEY = "plybook.watched"

_SECRET = ("/api/v1/invitations/", "/i/")
"""Whoever knows the address of an invitation can use it."""


class Watched(NamedTuple):
    """A request that is being answered: its id, and when that began."""

    request_id: str
    began: float

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


def this_request_id() -> str:
    """Return the id of the request that is being answered."""
    watched: Watched = request.environ[_KEY]
    return watched.request_id


def log_answer(environ: Environ, status: int, seconds: float) -> None:
    """Log how a request was answered."""
    watched: Watched = environ[_KEY]
    line = {
        "method": environ["REQUEST_METHOD"],
        "path": _told(environ.get("PATH_INFO", "")),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    at_once.info("request", watched.request_id, line)


def _told(path: str) -> str:
    """Return a path as it may be read in the log."""
    for start in _SECRET:
        if path.startswith(start):
            _, slash, rest = path.removeprefix(start).partition("/")
            return f"{start}...{slash}{rest}"
    return path
