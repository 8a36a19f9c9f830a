"""Talking to a service: which one, who one is there, requests that may be repeated, failures.

Address and token are kept in a file of one's own, or told by the environment.
"""

from __future__ import annotations

import http.client
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from secrets import token_urlsafe
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from typing_extensions import override

from cli.terminal.exits import NOT_FOUND, NOT_TEXT, REFUSED, USAGE, Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from domain.json_types import JsonObject


PATIENCE = 30.0
SILENCE = 60.0
"""Seconds without a byte after which a stream is taken for broken; it tells more often."""

WAITS = (0.5, 1.0, 2.0)
"""Seconds before a request is sent again whose answer did not come."""

MISSING, UNKNOWN_CALLER, BUSY, UNAVAILABLE = 404, 401, 429, 503
NO_CONTENT = 204

Broken = (OSError, http.client.HTTPException)
"""What the standard library raises when a line is cut or nobody answers."""


class Connection:
    """A service at ``url``; ``token`` None: as anybody."""

    def __init__(self, url: str, token: str | None) -> None:
        self.url = url
        self._token = token

    def get(self, path: str, **query: object) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON at a path below the API's base. Raises ``Failure``."""
        return self._send(self._build_request("GET", path, query=query))

    def post(self, path: str, body: JsonObject | None = None, *, keyed: bool = True) -> Any:  # noqa: ANN401 - JSON
        """Post JSON and return the answer; it is done once, though an answer may be lost.

        ``keyed``: the operation takes an Idempotency-Key; others are sent once.
        """
        headers = {"Idempotency-Key": token_urlsafe(16)} if keyed else {}
        return self._send(self._build_request("POST", path, body or {}, headers), once=not keyed)

    def put(self, path: str, body: JsonObject, *, once: bool = False) -> Any:  # noqa: ANN401 - JSON
        """Put JSON in the place of what is at a path, and return the answer.

        ``once``: what it changes can be changed so only once; it is not sent again.
        """
        return self._send(self._build_request("PUT", path, body), once=once)

    def patch(self, path: str, body: JsonObject) -> Any:  # noqa: ANN401 - JSON
        """Change members of what is at a path, and return the answer."""
        return self._send(self._build_request("PATCH", path, body))

    def delete(self, path: str, version: int | None = None) -> Any:  # noqa: ANN401 - JSON
        """Delete what is at a path, as it was at ``version`` where it has versions."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        request = self._build_request("DELETE", path, headers=headers)
        return self._send(request, once=version is not None)

    def act(self, match_id: str, action: str, **members: object) -> None:
        """Take an action in a match, as it stands now."""
        version = self.get(f"/matches/{match_id}")["version"]
        body = {"action": action, "expected_version": version, **members}
        self.post(f"/matches/{match_id}/actions", body)

    def iter_all(self, path: str, member: str, **query: object) -> Iterator[JsonObject]:
        """Yield the members of a list, page by page."""
        cursor = None
        while True:
            page = self.get(path, cursor=cursor, **query)
            yield from page[member]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def list_first(self, path: str, limit: int, **filters: object) -> list[JsonObject]:
        """Return the first so many of a list, and one more if there is; its path names them.

        A game that there is not is a slip of the pen: that is told, not an empty list.
        """
        if filters["game"] is not None:
            self.get(f"/games/{filters['game']}")
        found = self.iter_all(path, path.strip("/"), limit=min(limit + 1, 100), **filters)
        return list(islice(found, limit + 1))

    @contextmanager
    def stream(self, path: str, last: str) -> Iterator[IO[bytes] | None]:
        """Open a stream behind the id ``last``; None: nothing will come any more."""
        headers = {"Last-Event-ID": last, "Accept": "text/event-stream"}
        request = self._build_request("GET", path, headers=headers)
        try:
            answer = _get_opener().open(request, timeout=SILENCE)
        except HTTPError as refused:
            failure = _make_failure(refused)
            raise NoAnswer(failure.message) if refused.code == UNAVAILABLE else failure from None
        with answer:
            yield None if answer.status == NO_CONTENT else answer

    def _build_request(
        self,
        method: str,
        path: str,
        body: JsonObject | None = None,
        headers: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
    ) -> Request:
        asked = {
            name: _format_parameter(value) for name, value in query.items() if value is not None
        }
        address = f"{self.url}/api/v1{quote(path)}{'?' if asked else ''}{urlencode(asked)}"
        data = None if body is None else _dump_json(body)
        request = Request(address, data, dict(headers), method=method)  # noqa: S310 - http or https: see saved
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self._token is not None:
            request.add_header("Authorization", f"Bearer {self._token}")
        return request

    def _send(self, request: Request, *, once: bool = False) -> Any:  # noqa: ANN401 - JSON
        for wait in () if once else WAITS:
            try:
                return self._send_once(request)
            except NoAnswer:
                time.sleep(wait)
        return self._send_once(request)

    def _send_once(self, request: Request) -> Any:  # noqa: ANN401 - JSON
        import orjson

        try:
            with _get_opener().open(request, timeout=PATIENCE) as answer:
                body: bytes = answer.read()
                return orjson.loads(body) if body else None
        except HTTPError as refused:
            failure = _make_failure(refused)
            if refused.code == UNAVAILABLE:
                raise NoAnswer(failure.message) from None
            raise failure from None
        except Broken as lost:
            reason = getattr(lost, "reason", None) or lost
            raise NoAnswer(f"{self.url} does not answer: {reason}.") from None
        except ValueError:
            raise Failure(f"{self.url} does not speak this API.") from None


class _NoRedirects(HTTPRedirectHandler):
    """Goes nowhere else: the token is for the service that was named."""

    @override
    def redirect_request(self, *_: object) -> None:
        """Take the answer for the failure that it is here."""


@cache
def _get_opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


class NoAnswer(Failure):
    """There was no answer; whether anything was done is not known."""


def _make_failure(refused: HTTPError) -> Failure:
    """Make a sentence of a problem (RFC 9457), or of whatever else was answered."""
    import orjson

    with refused:
        try:
            problem = orjson.loads(refused.read())
            detail = str(problem["detail"])
        except (*Broken, ValueError, KeyError, TypeError):
            detail = f"The service answered with {refused.code} and no more."
    if refused.code == UNKNOWN_CALLER:
        detail += " To log in: plybook remote login"
    if refused.code == BUSY:
        detail += f" Try again in {refused.headers.get('Retry-After', 'some')} seconds."
    return Failure(detail, NOT_FOUND if refused.code == MISSING else REFUSED)


def _format_parameter(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _dump_json(body: JsonObject) -> bytes:
    """Return JSON to send. Raises ``Failure`` for bytes in it that the terminal gave as no text."""
    import orjson

    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:
        raise Failure(NOT_TEXT, USAGE) from None


URL, TOKEN = "PLYBOOK_URL", "PLYBOOK_TOKEN"

ONLY_MINE = 0o600


class Login(NamedTuple):
    """A service and a token for it. ``token_id``: to revoke it by, where that is known."""

    url: str
    token: str
    token_id: str | None = None
    name: str | None = None


def get_login_path() -> Path:
    """Return where the login is kept."""
    from platformdirs import user_config_path

    return user_config_path("plybook") / "remote.json"


def save(login: Login) -> Path:
    """Keep a login where nobody else can read it; return where."""
    import orjson

    path = get_login_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    # Closed to others from the beginning, not only once something stands in it.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_MINE), "wb") as file:
        file.write(orjson.dumps(login._asdict()))
    new.replace(path)
    return path


def load_login() -> Login | None:
    """Return the login that is kept, or None. Raises ``Failure`` for a file that is none."""
    import orjson

    try:
        return Login(**orjson.loads(get_login_path().read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise Failure(f"{get_login_path()} cannot be read: {error}. Log in again.") from error


def make_connection() -> Connection:
    """Return the connection that the environment or the file asks for. Raises ``Failure``."""
    url, token = os.environ.get(URL), os.environ.get(TOKEN)
    if not (url and token):
        login = load_login()
        if login is None:
            raise Failure("You are not logged in anywhere: plybook remote login URL NAME", USAGE)
        if url and clean_url(url) != login.url and not token:
            raise Failure(f"{URL} names another service than your login: set {TOKEN} too.", USAGE)
        url, token = url or login.url, token or login.token
    return Connection(clean_url(url), token)


def clean_url(text: str) -> str:
    """Return the address of a service without what is too much of it. Raises ``Failure``.

    >>> clean_url("https://plybook.example/")
    'https://plybook.example'
    """
    url = text if "://" in text else f"https://{text}"
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and not parts.query
    except ValueError:
        fits = False
    if not fits:
        raise Failure(
            f"{text!r} is no address of a service, such as https://plybook.example", USAGE
        )
    return url.rstrip("/").removesuffix("/api/v1")
