"""What happens around every request: its address, an id, one line in the log, headers, figures.

What was sent and what was answered is not logged: both may hold tokens, passwords or
moves that are a secret. Nor are the query and the path, which may be an invitation, the id of an
unlisted match or a cursor: the log has the pattern of the route instead.

Headers keep a browser from doing more with an answer than it should. Figures for Prometheus are
shown at an address of their own, see ``services.runtime.metrics``: which routes are asked for
tells what players do in secret.

The address that people reach the service by may have a path of its own. Behind a proxy that serves
it at ``https://host/plybook`` every address that it gives begins with ``/plybook``: the root of the
application, which WSGI calls its script name. Whether the proxy takes the root away before it asks
is the same here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import getrandbits
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

import structlog
from flask import Flask, Request, request
from flask.globals import request_ctx
from flask.sessions import NullSession, SessionInterface, SessionMixin
from prometheus_client import CollectorRegistry, Counter, Histogram
from structlog.contextvars import bind_contextvars
from typing_extensions import override

from services.runtime.settings import ROOT, Settings, read_public_root
from web.capacity.clients import Budget, client_of
from web.site import get_site, site_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication


Environ: TypeAlias = dict[str, Any]
"""The environment of a WSGI request."""

_KEY = "plybook.watched"

UNMATCHED = "(unmatched)"
"""Stands for every path that no route has: somebody's invitation may be mistyped in it."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_OTHER = "(other)"


@dataclass(slots=True)
class Watched:
    """A request that is being answered: its id, when that began, its route, and whose it is."""

    request_id: str
    began: float
    route: str = UNMATCHED
    caller: str | None = None

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


def get_request_id() -> str:
    """Return the id of the request that is being answered."""
    watched: Watched = request.environ[_KEY]
    return watched.request_id


def log_answer(environ: Environ, status: int, seconds: float) -> None:
    """Log how a request was answered."""
    watched: Watched = environ[_KEY]
    method = environ["REQUEST_METHOD"]
    _log.info(
        "request",
        # Whoever asks may invent a method, and put anything into it.
        method=method if method in _METHODS else _OTHER,
        path=watched.route,
        status=status,
        milliseconds=round(seconds * 1000, 1),
    )


def get_route() -> str:
    """Return the pattern of the route that answers the present request."""
    rule = request_ctx.request.url_rule
    return UNMATCHED if rule is None else rule.rule


class NoSessions(SessionInterface):
    """None of the framework's sessions: who is logged in stands in a cookie of ours."""

    _none = NullSession()

    @override
    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        return self._none

    @override
    def is_null_session(self, obj: object) -> bool:
        return True


FIGURES = "plybook-figures"
"""Names the figures among the extensions of an application."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The figures of one application, in this process alone."""

    def __init__(self, app: Flask) -> None:
        app.extensions[FIGURES] = registry = CollectorRegistry()
        self._requests = Counter(
            "plybook_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "plybook_request_seconds",
            "Seconds until the answer began.",
            ("route",),
            buckets=BUCKETS,
            registry=registry,
        )

    def count(self, status: int, seconds: float) -> None:
        """Count an answer to the present request, begun after so many seconds."""
        asked = request_ctx.request
        # The rule, not the path: what somebody invents must not become a figure of its own.
        rule = asked.url_rule
        route = rule.rule if rule is not None else "none"
        method = asked.method if rule is not None else "none"
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)


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


class AnswerStream:
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


def add_headers(app: Flask, settings: Settings) -> None:
    """Add the headers to every answer of ``app``; log and count it.

    All of that is done where the server takes the answer: through Flask's own headers and
    hooks the same cost several times as much.
    """
    https = settings.public_url.startswith("https://")
    always = (*ALWAYS, HTTPS_ONLY) if https else ALWAYS
    inner, budget, metrics = app.wsgi_app, site_of(app).budget, Metrics(app)

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
            watched.route = get_route()
            answered, seconds = int(status[:3]), watched.seconds
            metrics.count(answered, seconds)
            log_answer(environ, answered, seconds)
            return start_response(status, headers, *error)

        watched = watch(environ)
        began = thread_time()
        chunks = inner(environ, start)
        _charge(budget, environ, thread_time() - began)
        return (
            chunks if isinstance(chunks, list) else AnswerStream(chunks, environ, watched, budget)
        )

    app.wsgi_app = answer  # type: ignore[method-assign]


def _charge(budget: Budget, environ: Environ, seconds: float) -> bool:
    """Count what a client's answer took, if it is worth counting."""
    if seconds > TRIFLE:
        budget.charge(client_of(environ.get("REMOTE_ADDR")), seconds)
    return seconds > TRIFLE


class Rooted:
    """An application under the path of its public address.

    Without one, and where proxies are trusted, ``X-Forwarded-Prefix`` of the nearest one counts.
    """

    def __init__(self, app: WSGIApplication, public_url: str, *, trusting: bool) -> None:
        """``trusting``: there are proxies whose headers are believed."""
        self._app = app
        self._root = read_public_root(public_url)
        self._trusting = trusting and not public_url

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, whether it comes with the root or without."""
        root = self._root or self._read_forwarded(environ)
        if root:
            path = environ.get("PATH_INFO", "")
            if path == root or path.startswith(f"{root}/"):
                environ["PATH_INFO"] = path[len(root) :] or "/"
            environ["SCRIPT_NAME"] = root
        return self._app(environ, start_response)

    def _read_forwarded(self, environ: Environ) -> str:
        if not self._trusting:
            return ""
        given = environ.get("HTTP_X_FORWARDED_PREFIX", "").rpartition(",")[2].strip().rstrip("/")
        return given if ROOT.fullmatch(given) else ""


def add_root(path: str) -> str:
    """Return a path of ours with the root of the application."""
    return request.root_path + path


def make_public_url(path: str) -> str:
    """Return the address of a path (one with the root) as people reach this service."""
    public = urlsplit(get_site().house.settings.public_url)
    origin = f"{public.scheme}://{public.netloc}/" if public.netloc else request.host_url
    return origin.rstrip("/") + path


def get_cookie_path() -> str:
    """Return the path under which cookies are sent back: to nobody else on the same host."""
    return request.root_path or "/"
