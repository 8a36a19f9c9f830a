"""Events as lines: the canonical JSON of what the one door shows (``views.show_event``).

An export writes millions of them. An event that seals nothing is the same to every viewer, and
its stored bytes are canonical already, so there its hash is put in where the order of names has
it; only an event with seals is taken apart.
"""

from __future__ import annotations

import re

from domain.chain import canonical
from domain.events import Event
from domain.viewer import Viewer
from domain.views import show_event

_AFTER_DATA = b',"kind":"'
# What follows on ``data`` in an event without seals, to its end. It cannot lie inside a string:
# there its quotation marks would have to be escaped.
_TAIL = re.compile(
    rb',"kind":"[a-z-]+","match":"[0-9a-z]{16}","previous":"[0-9a-f]{64}"'
    rb',"schema":[0-9]+,"sealed":\[\],"version":[0-9]+\}'
)


def event_line(event: Event, viewer: Viewer, *, finished: bool) -> bytes:
    """Return an event as ``viewer`` may see it: one line, without its end."""
    return open_line(event.body, event.hash) or canonical(
        show_event(event, viewer, finished=finished)
    )


def open_line(body: bytes, hashed: str) -> bytes | None:
    """Return the line of an event that seals nothing, None for any other.

    ``body``: the bytes that ``hashed``, the event's hash, covers.
    """
    at = body.rfind(_AFTER_DATA)
    if at < 0 or _TAIL.fullmatch(body, at) is None:
        return None
    return b'%b,"hash":"%b"%b' % (body[:at], hashed.encode(), body[at:])


def open_body(line: bytes, hashed: str) -> bytes:
    """Return the bytes that the hash covers, of the line of an event that seals nothing."""
    return line.replace(b',"hash":"%b"' % hashed.encode(), b"", 1)
