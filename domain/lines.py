"""Events as lines: the canonical JSON of what the one door shows (``views.show_event``).

An export writes millions of them. An event that seals nothing is the same to every viewer, and
its stored bytes are canonical already, so there its hash is put in where the order of names has
it; only an event with seals is taken apart. A test holds these lines to the one door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import orjson

from domain.chain import canonical

Stored: TypeAlias = tuple[bytes, str, bytes | None, str]
"""An event as it is kept: the bytes that its hash covers, the hash, its openings, and its match.

Openings are JSON: for each seal ``[salt, value]``, or null.
"""

_AFTER_DATA = b',"kind":"'
_NOTHING_SEALED = b'"sealed":[],"version":'
# Neither can lie inside a string, where its quotation marks would have to be escaped. And behind
# the last kind, which is the event's own, nothing is nested but what is sealed.


def lines(stored: Iterable[Stored], sealed: Callable[[Stored], bytes]) -> list[bytes]:
    """Return the lines of events, without their ends; ``sealed`` writes those with seals."""
    written: list[bytes] = []
    for event in stored:
        body, hashed, _, _ = event
        at = body.rfind(_AFTER_DATA)
        if at < 0 or body.find(_NOTHING_SEALED, at) < 0:
            written.append(sealed(event))
        else:
            written.append(b'%b,"hash":"%b"%b' % (body[:at], hashed.encode(), body[at:]))
    return written


def opened(stored: Stored) -> bytes:
    """Return the line of an event for those to whom all its seals are open."""
    body, hashed, openings, _ = stored
    shown = orjson.loads(body)
    shown["hash"] = hashed
    pairs = orjson.loads(openings) if openings is not None else [None] * len(shown["sealed"])
    for seal, pair in zip(shown["sealed"], pairs, strict=True):
        if pair is not None:
            seal["salt"], seal["value"] = pair
    return canonical(shown)


def open_body(line: bytes, hashed: str) -> bytes:
    """Return the bytes that the hash covers, of the line of an event that seals nothing."""
    return line.replace(b',"hash":"%b"' % hashed.encode(), b"", 1)
