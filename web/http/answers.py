"""Writing answers: JSON, validators and what caches may do with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import orjson
from flask import Request, Response, request
from typing_extensions import override

from domain.json_types import Json
from services.matches.requests import StoredAnswer
from web.http.problems import NotAcceptable
from web.http.requests import Environ, here

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

JSON = "application/json"
NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"

NO_STORE = "no-store"
"""Of secrets, and of answers that make sense once only."""
OWN = "private, no-cache"
"""Of what depends on who asks: kept by their own cache alone, and asked for each time."""
SHARED = "no-cache"
"""Of what is the same for everybody, until the next release."""
FOREVER = "private, max-age=31536000, immutable"
"""Of the events of a match that is over."""
FOR_ALL_FOREVER = "public, max-age=31536000, immutable"
"""Of what is the same for everybody and never changes."""

BY_CALLER = "Authorization, Cookie"

_BODILESS = (204, 304)


class Ready(Response):
    """An answer whose bytes and headers are all there: the server takes it as it is.

    An iterator, which any other answer is for the server, costs it a tenth of a move's time.
    """

    @override
    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        bodiless = environ["REQUEST_METHOD"] == "HEAD" or self.status_code in _BODILESS
        headers = self.headers.to_wsgi_list()
        if bodiless or "Location" in dict(headers):
            return super().__call__(environ, start_response)
        start_response(self.status, headers)
        return cast("list[bytes]", self.response)


def json_answer(
    value: Json,
    status: int = 200,
    *,
    version: int | None = None,
    cache: str = OWN,
    vary: str = BY_CALLER,
) -> Response:
    """Answer with JSON; a GET that names this very answer in If-None-Match gets 304.

    ``version`` is that of the match, where the answer is about one.
    """
    return bytes_answer(
        orjson.dumps(value), status, kind=JSON, version=version, cache=cache, vary=vary
    )


def bytes_answer(  # noqa: PLR0913 - a table of headers
    body: bytes,
    status: int = 200,
    *,
    kind: str,
    version: int | None = None,
    cache: str = OWN,
    vary: str = BY_CALLER,
) -> Response:
    """Answer with ``body`` as it is, as ``json_answer`` does."""
    headers = {"Cache-Control": cache}
    if cache != NO_STORE:
        headers["ETag"] = etag(body, version)
    if cache in (OWN, FOREVER):
        headers["Vary"] = vary
    if request.method in ("GET", "HEAD") and known(headers.get("ETag")):
        answer = Response(status=304, headers=headers)
        del answer.headers["Content-Type"]
        return answer
    return Ready(body, status, headers, content_type=kind)


def no_content(headers: Mapping[str, str] | None = None) -> Response:
    """Answer with 204, which has nothing whose kind could be told."""
    answer = Response(status=204, headers=headers)
    del answer.headers["Content-Type"]
    return answer


def stored_answer(answer: StoredAnswer, *, replayed: bool = False) -> Response:
    """Answer with what an idempotency record keeps."""
    response = Ready(answer.body, answer.status, dict(answer.headers))
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def etag(body: bytes, version: int | None = None) -> str:
    """Return the ETag of an answer: the match's version, if any, and a digest of the whole."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}.{digest}"'


def next_link(**changes: str) -> str:
    """Return the Link header that leads from this page of a list to the next one."""
    query = urlencode({**request.args.to_dict(), **changes})
    return f'<{here()}?{query}>; rel="next"'


def negotiate(kinds: tuple[str, ...], asked: Request) -> str:
    """Return which of ``kinds`` the client likes best. Raises ``NotAcceptable``."""
    wanted = asked.environ.get("HTTP_ACCEPT")
    if wanted is None or wanted in ("*/*", kinds[0]):
        return kinds[0]
    best = asked.accept_mimetypes.best_match(kinds)
    if best is None:
        raise NotAcceptable(f"This is to be had as: {', '.join(kinds)}.")
    return best


def known(tag: str | None) -> bool:
    """Whether the client says that it has the answer with this tag."""
    given = request.environ.get("HTTP_IF_NONE_MATCH")
    if given is None or tag is None:
        return False
    return given.strip() == "*" or request.if_none_match.contains_weak(tag[1:-1])
