"""Headers that every answer carries, so that a browser does no more with it than it should."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import thread_time
from typing import Any

import structlog
from flask import Flask

from services.runtime.settings import Settings
from web.capacity.clients import client_of
from web.capacity.costs import Budget
from web.http.metrics import Metrics
from web.http.requests_log import Environ, Watched, log_answer, this_route, watch
from web.site import site_of

_POLICY = "Content-Security-Policy"
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For answers that bring no policy of their own: nothing may be loaded, nothing may frame it."""

ALWAYS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)

UNFRAMED = ("X-Frame-Options", "DENY")
"""For whatever does not say in its policy that everybody may frame it."""

ANYWHERE = "frame-ancestors *"

CALLER = "Plybook-Caller"
"""Whose answer it is: the id of the player that a token or a session names."""

HTTPS_ONLY = ("Strict-Transport-Security", "max-age=31536000")

TRIFLE = 0.005
"""Seconds that nobody counts: moves and most looks take less, and are limited by number."""

_log = structlog.get_logger(__name__)


class BrokenOffError(Exception):
    """An answer cannot be told to its end; why stands in the log already."""


class Telling:
    """The rest of an answer that has begun. What it fails by is logged here.

    The server itself would log the whole of what the exception says, and that of a database goes
    on with a statement's values.
    """

    def __init__(
        self, chunks: Iterable[bytes], environ: Environ, watched: Watched, budget: Budget
    ) -> None:
        self._chunks = chunks
        self._budget = budget
        self._each = iter(chunks)
        self._environ = environ
        self._watched = watched
        self._took = 0.0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        began = thread_time()
        try:
            return next(self._each)
        except StopIteration:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the server would log it
            told = {"method": self._environ["REQUEST_METHOD"], "path": self._watched.route}
            _log.error("broken_off", **told, request_id=self._watched.request_id, exc_info=error)
        finally:
            self._took += thread_time() - began
            if _charge(self._budget, self._environ, self._took):
                self._took = 0.0
        raise BrokenOffError("the log says why")

    def close(self) -> None:
        """Let go of what the answer holds."""
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()


def add_headers(app: Flask, settings: Settings, metrics: Metrics) -> None:
    """Add the headers to every answer of ``app``; log and count it.

    All of that is done where the server takes the answer: through Flask's own headers and
    hooks the same cost several times as much.
    """
    https = settings.public_url.startswith("https://")
    always = (*ALWAYS, HTTPS_ONLY) if https else ALWAYS
    inner, budget = app.wsgi_app, site_of(app).budget

    def answer(environ: Any, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401 - WSGI
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:  # noqa: ANN401
            policy = next((text for name, text in headers if name == _POLICY), None)
            if policy is None:
                headers.append((_POLICY, POLICY))
            if policy is None or not policy.endswith(ANYWHERE):
                headers.append(UNFRAMED)
            headers.extend(always)
            headers.append(("X-Request-Id", watched.request_id))
            if watched.caller is not None:
                headers.append((CALLER, watched.caller))
            watched.route = this_route()
            answered, seconds = int(status[:3]), watched.seconds
            metrics.count(answered, seconds)
            log_answer(environ, answered, seconds)
            return start_response(status, headers, *error)

        watched = watch(environ)
        began = thread_time()
        chunks = inner(environ, start)
        _charge(budget, environ, thread_time() - began)
        return chunks if isinstance(chunks, list) else Telling(chunks, environ, watched, budget)

    app.wsgi_app = answer  # type: ignore[method-assign]


def _charge(budget: Budget, environ: Environ, seconds: float) -> bool:
    """Count what a client's answer took, if it is worth counting."""
    if seconds > TRIFLE:
        budget.charge(client_of(environ.get("REMOTE_ADDR")), seconds)
    return seconds > TRIFLE
