"""Reading requests: bodies, query parameters and headers, strictly.

What is not asked for is an error, no type is bent into another, and every fault says where
it is. Only the envelope is judged here: what stands in a move, in options or in settings is
for the domain. Whole numbers are read however long they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import islice

import orjson
from flask import Request, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from domain.json_types import Json, JsonObject, make_pointer
from services.errors import NotFound
from services.matches.event_ids import EventId, read_event_id
from services.runtime.gateway import BROKEN_BODY
from web.http.problems import (
    Malformed,
    NotAcceptable,
    PayloadTooLarge,
    UnsupportedMediaType,
    make_header_fault,
)
from web.http.requests import Environ

LARGEST = 2**31 - 1
"""More than any version, and no more than every database takes."""

BEYOND = 10**20
"""Stands for any number that is larger: nothing takes it, and reading all digits takes long."""

_DIGITS = 20
_PLAIN = re.compile("0|[1-9][0-9]*", re.ASCII)


def read_whole(written: str) -> int:
    """Return the number that decimal digits, perhaps behind a minus, stand for.

    >>> read_whole("007"), read_whole("-3"), read_whole("-" + "9" * 21) == -BEYOND
    (7, -3, True)
    >>> read_whole("0" * 5000 + "7"), read_whole("0" * 5000)
    (7, 0)
    """
    digits = written.lstrip("-").lstrip("0")
    if len(digits) > _DIGITS:
        return -BEYOND if written.startswith("-") else BEYOND
    number = int(digits or "0")
    return -number if written.startswith("-") else number


def find_whole(written: str) -> int | None:
    """Return the number that decimal digits stand for, None for anything else.

    >>> find_whole("007"), find_whole(""), find_whole("-3"), find_whole("\u0663")
    (7, None, None, None)
    """
    return read_whole(written) if written.isascii() and written.isdecimal() else None


def read_path_number(written: str, digits: int = 9) -> int:
    """Return the number that a part of a path names. Raises ``NotFound`` for anything else."""
    if len(written) > digits or _PLAIN.fullmatch(written) is None:
        raise NotFound(f"There is nothing under {written[:40]}.")
    return int(written)


class BodySchema(Schema):
    """A JSON object whose members are all known."""

    error_messages = {  # noqa: RUF012 - marshmallow's way to set them
        "unknown": "There is no such member.",
        "type": "This must be a JSON object.",
    }


class QuerySchema(Schema):
    """Query parameters, all of them known."""

    error_messages = {"unknown": "There is no such parameter."}  # noqa: RUF012


JSON_TYPES = frozenset(
    {"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"}
)

MOST_ERRORS = 100
"""Faults of one request that are told."""

_IF_MATCH = re.compile(r'(?:W/)?"([0-9]+)(?:\.[0-9a-f]*)?"', re.ASCII)
_LONG = re.compile(rb"([0-9]{19})[0-9]*")
LINE_FORM = r"[0-9A-Za-z_-]{1,128}"
_LINE = re.compile(LINE_FORM, re.ASCII)
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,200}", re.ASCII)


def negotiate(kinds: tuple[str, ...], asked: Request) -> str:
    """Return which of ``kinds`` the client likes best. Raises ``NotAcceptable``."""
    wanted = asked.environ.get("HTTP_ACCEPT")
    if wanted is None or wanted in ("*/*", kinds[0]):
        return kinds[0]
    best = asked.accept_mimetypes.best_match(kinds)
    if best is None:
        raise NotAcceptable(f"This is to be had as: {', '.join(kinds)}.")
    return best


def read_query(schema: Schema | None, asked: Request) -> JsonObject:
    """Return the query parameters, loaded by ``schema`` (None: there are none to give).

    Raises ``Malformed``.
    """
    if schema is None and not asked.environ.get("QUERY_STRING"):
        return {}
    given = asked.args
    for name in given:
        if len(given.getlist(name)) > 1:
            detail = "This parameter is given more than once."
            raise Malformed(detail, [{"parameter": name, "detail": detail}])
    if schema is None:
        schema = _NOTHING
    try:
        loaded: JsonObject = schema.load(given.to_dict())
    except ValidationError as error:
        errors = _limit_errors(
            {"parameter": "".join(path[:1]), "detail": detail}
            for path, detail in _flatten_messages(error.messages)
        )
        raise Malformed("The query cannot be taken as it is.", errors) from None
    return loaded


def read_body(schema: Schema, asked: Request, *, required: bool) -> JsonObject:
    """Return the JSON body, loaded by ``schema``; an empty one is ``{}`` unless ``required``.

    Raises ``UnsupportedMediaType``, ``PayloadTooLarge`` or ``Malformed``.
    """
    raw = read_raw_body(asked)
    if not raw and not required:
        return {}
    if (asked.environ.get("CONTENT_TYPE") or "").lower() not in JSON_TYPES:
        raise UnsupportedMediaType("Send the body as Content-Type: application/json.")
    try:
        loaded: JsonObject = schema.load(_parse(raw))
    except ValidationError as error:
        errors = _limit_errors(
            {"pointer": make_pointer(*path), "detail": detail}
            for path, detail in _flatten_messages(error.messages)
        )
        raise Malformed("The body is not of the form that is documented.", errors) from None
    return loaded


def refuse_broken_body() -> None:
    """Refuse a request of which part is missing: what is left may say another.

    Raises ``Malformed``.
    """
    if BROKEN_BODY in request.environ:
        raise Malformed("The body did not come whole, or not in time.", [])


def read_raw_body(asked: Request) -> bytes:
    """Return the bytes of the body. Raises ``PayloadTooLarge``."""
    try:
        return asked.get_data()
    except RequestEntityTooLarge:
        limit = asked.max_content_length
        raise PayloadTooLarge(f"A body has at most {limit} bytes.") from None
    except ClientDisconnected:
        raise Malformed("The body ended before its announced length.", []) from None


def read_expected_version(environ: Environ, body: JsonObject) -> int | None:
    """Return the version that a request says it was decided on, None if it does not say.

    ``If-Match: *`` says nothing. Raises ``Malformed`` when header and body disagree.
    """
    stated: int | None = body.get("expected_version")
    header = environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return stated
    match = _IF_MATCH.fullmatch(header.strip())
    if match is None:
        raise make_header_fault("If-Match", 'If-Match takes one ETag of the match, such as "5".')
    version = read_whole(match[1])
    if version > LARGEST:
        raise make_header_fault(
            "If-Match", f"If-Match is out of range: versions go up to {LARGEST}."
        )
    if stated is not None and stated != version:
        raise make_header_fault(
            "If-Match", "If-Match and expected_version do not name the same version."
        )
    return version


def read_idempotency_key(environ: Environ) -> str | None:
    """Return the request's ``Idempotency-Key``, or None. Raises ``Malformed``."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and _IDEMPOTENCY_KEY.fullmatch(key) is None:
        raise make_header_fault(
            "Idempotency-Key", "An Idempotency-Key has 1 to 200 printable ASCII characters."
        )
    return key


def read_last_event_id(environ: Environ) -> EventId | None:
    """Return the event after which a stream is to go on, or None. Raises ``Malformed``."""
    given: str | None = environ.get("HTTP_LAST_EVENT_ID")
    found = None if given is None else read_event_id(given)
    if given is not None and found is None:
        raise make_header_fault(
            "Last-Event-ID", "Last-Event-ID is the id of an event of the stream."
        )
    return found


def read_last_line_id(environ: Environ) -> str | None:
    """Return the line after which a player's stream is to go on, or None. Raises ``Malformed``."""
    given: str | None = environ.get("HTTP_LAST_EVENT_ID")
    if given is not None and _LINE.fullmatch(given) is None:
        raise make_header_fault(
            "Last-Event-ID", "Last-Event-ID is the id of a line of your stream."
        )
    return given


def compute_fingerprint() -> str:
    """Return the digest of all that has to be the same when a request is repeated."""
    return compute_digest(
        request.method.encode(),
        request.path.encode(),
        request.environ.get("HTTP_IF_MATCH", "").encode("latin-1"),
        request.get_data(),
    )


def compute_digest(*parts: bytes) -> str:
    """Return a digest of these parts, and of where each of them ends."""
    digest = sha256()
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def _parse(raw: bytes) -> Json:
    is_long = _LONG.search(raw) is not None
    try:
        # orjson calls a number of 309 digits infinite; that it is one, its beginning tells as well.
        found: Json = orjson.loads(_LONG.sub(rb"\1", raw) if is_long else raw)
    except orjson.JSONDecodeError as error:
        detail = f"The body is not JSON: {error}."
        raise Malformed(detail, [{"pointer": "", "detail": detail}]) from None
    if is_long:
        # orjson makes a fraction of an integer beyond 64 bits, but only Python nests deeper.
        with suppress(RecursionError):
            found = json.loads(raw, parse_int=read_whole)
    return found


def _limit_errors(errors: Iterator[JsonObject]) -> list[JsonObject]:
    """Return the first faults of a request, and that there are more.

    A body of nothing but wrong members would have an answer ten times its size.
    """
    found = [*islice(errors, MOST_ERRORS + 1)]
    if len(found) > MOST_ERRORS:
        found[-1] = {**dict.fromkeys(found[-1], ""), "detail": "There are more, not told here."}
    return found


def _flatten_messages(
    messages: Json, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Flatten marshmallow's messages into pairs of a path and a sentence."""
    if isinstance(messages, dict):
        for name, inner in messages.items():
            below = path if name == "_schema" else (*path, str(name))
            yield from _flatten_messages(inner, below)
    elif isinstance(messages, list):
        for one in messages:
            yield from _flatten_messages(one, path)
    else:
        yield path, str(messages)


_NOTHING = QuerySchema()
