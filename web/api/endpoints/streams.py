"""The events of a match as they happen: Server-Sent Events.

A stream reads from the log and from nothing else; a wake-up only makes it look at once. Its
ids are versions, so one who comes back with the last id misses nothing and gets nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import orjson
from flask import Response, request

from domain.errors import Refusal
from domain.json_types import JsonObject
from services.accounts import READ
from services.errors import Unavailable
from services.looking import EventPage
from web.api.answers import BY_CALLER, EVENT_STREAM
from web.api.callers import Access, admit
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    open_to_all,
    refuses,
    resumable,
    route,
)
from web.api.schemas import events

TAG = "Events"

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


@route("GET", "/matches/<match_id>/stream", TAG)
@open_to_all(READ)
@about(a_match)
@asks(events.StreamQuery())
@resumable()
@gives(200, events.Event(), "Events, each with its version as `id`.", kinds=(EVENT_STREAM,))
@gives(204, None, "The match is over, and you have had its last event: do not come back.")
@refuses("not-found")
def stream_events(call: Call, match_id: str) -> Response:
    """Stream the events of a match, from `Last-Event-ID` or `after` on."""
    after = call.resume if call.resume is not None else call.query["after"] or 0
    look = call.look
    first = call.house.looking.events(look, match_id, after, BATCH)
    if first.over and after >= first.version:
        return Response(status=204, headers={"Cache-Control": "no-store"})
    if request.method == "HEAD":
        return Response(headers=HEADERS, content_type=EVENT_STREAM)
    return Response(_Stream(call, match_id, after), headers=HEADERS, content_type=EVENT_STREAM)


class _Stream:
    """An open stream. It holds one of the process's places until it is closed."""

    def __init__(self, call: Call, match_id: str, after: int) -> None:
        if not call.site.streams.acquire(blocking=False):
            raise Unavailable("As many streams are open as there may be.")
        self._call = call
        self._match = match_id
        self._after = after
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
            self._call.site.streams.release()

    def _run(self) -> Iterator[bytes]:
        site = self._call.site
        end = monotonic() + site.settings.stream_seconds
        sent = monotonic()
        yield b"retry: %d\n\n" % RETRY_MS
        while True:
            page = self._look()
            if page is None:
                return
            if page.events:
                yield b"".join(map(_message, page.events))
                sent = monotonic()
                self._after = page.events[-1]["version"]
            if page.over and self._after >= page.version:
                return
            if self._after < page.version:
                continue
            if monotonic() >= end or site.stopping.is_set():
                return
            if monotonic() - sent >= KEEP_ALIVE:
                yield b": still here\n\n"
                sent = monotonic()
            site.house.waker.wait(self._match, self._after, min(LOOK_EVERY, end - monotonic()))

    def _look(self) -> EventPage | None:
        """Read on, or return None: the token may have been revoked meanwhile.

        Whatever is refused, it is too late for an answer that says so.
        """
        call = self._call
        try:
            admit(call.house, call.authorization, Access.OPEN, READ)
            return call.house.looking.events(call.look, self._match, self._after, BATCH)
        except Refusal:
            return None


def _message(event: JsonObject) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event["version"], orjson.dumps(event))
