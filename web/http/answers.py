"""Writing answers: JSON, validators, what caches may do with them, and how they are packed.

Flask-Compress packs them for whoever takes them so (``Accept-Encoding``). Streams stay as they
are: nobody could say how much of one has to be held back. Whoever takes an encoding gets weak tags,
which are the same of every encoding: so nothing is packed to find out that they have it already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from http import HTTPStatus
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import orjson
from flask import Flask, Response, request
from flask_compress import Compress
from typing_extensions import override

from domain.json_types import Json
from services.matches.requests import StoredAnswer
from web.http.requests import Environ, add_root

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

ENCODINGS = ("br", "gzip")
"""Those that there are, the best first."""

AS_IT_IS = "identity"

PACKED = (
    *("text/html", "text/plain", "image/svg+xml"),
    *("application/json", "application/problem+json", "application/schema+json"),
)
"""Media types of what is packed when it is asked for: all of it is there, and it is text."""

WORTH_IT = 500
"""Bytes; of fewer a packet of the network is not filled anyway."""

SETTINGS = {
    "COMPRESS_REGISTER": False,
    "COMPRESS_ALGORITHM": ENCODINGS,
    "COMPRESS_MIMETYPES": PACKED,
    "COMPRESS_MIN_SIZE": WORTH_IT,
    "COMPRESS_STREAMS": False,
    # What is known already was answered before anything was packed.
    "COMPRESS_EVALUATE_CONDITIONAL_REQUEST": False,
    "COMPRESS_BR_LEVEL": 5,
    "COMPRESS_LEVEL": 5,
}


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


def answer_json(
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
    return answer_bytes(
        orjson.dumps(value), status, kind=JSON, version=version, cache=cache, vary=vary
    )


def answer_bytes(  # noqa: PLR0913 - a table of headers
    body: bytes,
    status: int = 200,
    *,
    kind: str,
    version: int | None = None,
    cache: str = OWN,
    vary: str = BY_CALLER,
) -> Response:
    """Answer with ``body`` as it is, as ``answer_json`` does."""
    headers = {"Cache-Control": cache}
    if cache != NO_STORE:
        headers["ETag"] = compute_etag(body, version)
    if cache in (OWN, FOREVER):
        headers["Vary"] = vary
    if request.method in ("GET", "HEAD") and knows_tag(headers.get("ETag")):
        return answer_no_content(headers, HTTPStatus.NOT_MODIFIED)
    return Ready(body, status, headers, content_type=kind)


def answer_no_content(headers: Mapping[str, str] | None = None, status: int = 204) -> Response:
    """Answer with a status that has no body, and so nothing whose kind could be told."""
    answer = Response(status=status, headers=headers)
    del answer.headers["Content-Type"]
    return answer


def make_stored_json(value: Json, status: int) -> StoredAnswer:
    """Return JSON as the answer that an idempotency record keeps, and nobody else."""
    headers = {"Content-Type": JSON, "Cache-Control": NO_STORE}
    return StoredAnswer(status, headers, orjson.dumps(value))


def answer_stored(answer: StoredAnswer, *, replayed: bool = False) -> Response:
    """Answer with what an idempotency record keeps."""
    response = Ready(answer.body, answer.status, dict(answer.headers))
    if replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def compute_etag(body: bytes, version: int | None) -> str:
    """Return the ETag of an answer: the match's version, if any, and a digest of the whole."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if version is None else f'"{version}.{digest}"'


def format_next_link(**changes: str) -> str:
    """Return the Link header that leads from this page of a list to the next one."""
    query = urlencode({**request.args.to_dict(), **changes})
    return f'<{add_root(request.path)}?{query}>; rel="next"'


def knows_tag(tag: str | None) -> bool:
    """Whether the client says that it has the answer with this tag."""
    given = request.environ.get("HTTP_IF_NONE_MATCH")
    if given is None or tag is None:
        return False
    return given.strip() == "*" or request.if_none_match.contains_weak(tag[1:-1])


def choose_encoding() -> str | None:
    """Return what the client likes best of ``ENCODINGS``; None: the answer as it is."""
    best = request.accept_encodings.best_match((*ENCODINGS, AS_IT_IS))
    return None if best == AS_IT_IS else best


def compress_answers(app: Flask) -> None:
    """Compress the answers of ``app`` that are there as a whole."""
    app.config.update(SETTINGS)
    compress = Compress(app)

    def pack(answer: Response) -> Response:
        vary = answer.headers.get("Vary")
        if request.environ.get("HTTP_ACCEPT_ENCODING") is None:
            # A client that says nothing is to have no part in what this costs.
            if vary is None or "Accept-Encoding" not in vary:
                answer.headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
            return answer
        encoding = None if _tells_others(answer) else choose_encoding()
        # It takes what is refused (`br;q=0`) for what is wished for.
        request.environ["HTTP_ACCEPT_ENCODING"] = encoding or AS_IT_IS
        # Files say themselves how they are packed.
        if encoding is not None and "Accept-Encoding" not in (vary or ""):
            _weaken_tag(answer)
        return compress.after_request(answer)

    app.after_request(pack)


def _tells_others(answer: Response) -> bool:
    """Whether the length of an answer, if it were packed, might tell somebody a secret in it.

    Another site can lead a browser here with words of its own in the address, and whoever sees the
    line could try them until one packs well (BREACH). So what is for one reader alone is not
    packed when another site asked for it.
    """
    if request.headers.get("Sec-Fetch-Site") not in ("cross-site", "same-site"):
        return False
    allowed = answer.headers.get("Cache-Control", "")
    return "private" in allowed or "no-store" in allowed


def _weaken_tag(answer: Response) -> None:
    if answer.mimetype in PACKED or answer.status_code == HTTPStatus.NOT_MODIFIED:
        tag, is_weak = answer.get_etag()
        if tag is not None and not is_weak:
            answer.set_etag(tag, weak=True)
