"""The events of one match as they happen, as Server-Sent Events.

A stream reads from the log and from nothing else; a wake-up only makes it look at once. One who
comes back with the last id misses nothing and gets nothing twice; if that is of another history
(a backup was restored), the stream says ``reset`` and begins with the first event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TypeAlias

import orjson
from flask import Response, request

from domain.json_types import JsonObject
from services.errors import Unavailable
from services.event_ids import START, EventId, event_id
from services.looking import EventPage
from web.api.answers import BY_CALLER, EVENT_STREAM
from web.site import Site

BATCH = 100
"""Events read at once."""
LOOK_EVERY = 1.0
"""Seconds until a stream looks by itself: other processes write too, and do not wake it."""
KEEP_ALIVE = 15.0
"""Seconds without a byte, after which a comment tells that the line still stands."""
RETRY_MS = 2000

HEADERS = {
    "Cache-Control": "no-store",
    "Vary": BY_CALLER,
    # Tells proxies of the nginx kind not to hold the answer back.
    "X-Accel-Buffering": "no",
}

Read: TypeAlias = Callable[[EventId], EventPage | None]
"""Reads at most ``BATCH`` events behind another; None once the reader may see no more."""


def answer_stream(
    site: Site, match_id: str, after: EventId, first: EventPage, read: Read
) -> Response:
    """Answer with the events of a match behind ``after``, as they come.

    ``first``: what has been read already, to see whether there is anything to come. Raises
    ``Unavailable``.
    """
    if first.known and first.over and after.version == first.version:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    if request.method == "HEAD":
        return Response(headers=HEADERS, content_type=EVENT_STREAM)
    stream = EventStream(site, match_id, after, read)
    return Response(stream, headers=HEADERS, content_type=EVENT_STREAM)


class EventStream:
    """An open stream. It holds one of the process's places until it is closed."""

    def __init__(self, site: Site, match_id: str, after: EventId, read: Read) -> None:
        """Take a place. Raises ``Unavailable`` if none is free."""
        if not site.streams.acquire(blocking=False):
            raise Unavailable("As many streams are open as there may be.")
        self._site = site
        self._match = match_id
        self._after = after
        self._read = read
        self._open = True
        self._chunks = self._run()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        """Give the place back; the server calls this however the stream ended."""
        if self._open:
            self._open = False
            self._site.streams.release()

    def _run(self) -> Iterator[bytes]:
        site = self._site
        end = monotonic() + site.settings.stream_seconds
        sent = monotonic()
        yield b"retry: %d\n\n" % RETRY_MS
        while True:
            page = self._read(self._after)
            if page is None:
                return
            if not page.known:
                yield _reset(page.version)
                self._after = START
                continue
            if page.events:
                yield b"".join(map(_message, page.events))
                sent = monotonic()
                self._after = page.last
            if self._after.version < page.version:
                continue
            if page.over:
                return
            if monotonic() >= end or site.stopping.is_set():
                return
            if monotonic() - sent >= KEEP_ALIVE:
                yield b": still here\n\n"
                sent = monotonic()
            patience = min(LOOK_EVERY, end - monotonic())
            site.house.waker.wait(self._match, self._after.version, patience)


def _message(event: JsonObject) -> bytes:
    last = event_id(event["version"], event["hash"])
    return b"id: %b\ndata: %b\n\n" % (str(last).encode(), orjson.dumps(event))


def _reset(version: int) -> bytes:
    """Tell that what was read is of another history, and that all events of this one follow."""
    data = orjson.dumps({"version": version})
    return b"event: reset\nid: %b\ndata: %b\n\n" % (str(START).encode(), data)
