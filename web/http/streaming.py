"""The events of one match as they happen, as Server-Sent Events.

A stream reads from the log and from nothing else; a wake-up only makes it look at once. One who
comes back with the last id misses nothing and gets nothing twice; if that is of another history
(a backup was restored), the stream says ``reset`` and begins with the first event.

What a match's spectators are told is read and written once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from typing import NamedTuple, TypeAlias

import orjson
from flask import Response, request

from domain.json_types import JsonObject
from services.matches.event_ids import START, EventId, make_event_id
from services.matches.queries import EventPage
from web.capacity.shared_portions import Told
from web.http.answers import BY_CALLER, EVENT_STREAM, NO_STORE, answer_no_content
from web.site import Site

BATCH = 100
"""Events read at once."""
KEEP_ALIVE = 15.0
"""Seconds without a byte, after which a comment tells that the line still stands."""
RETRY_MS = 2000
REPLACED = b"event: replaced\ndata: {}\n\n"
"""Tells that a newer stream of the same reader has the place of this one, which ends."""

HEADERS = {
    "Cache-Control": NO_STORE,
    "Vary": BY_CALLER,
    # Tells proxies of the nginx kind not to hold the answer back.
    "X-Accel-Buffering": "no",
}

Read: TypeAlias = Callable[[EventId], EventPage | None]
"""Reads at most ``BATCH`` events behind another; None once the reader may see no more."""


class Stream(NamedTuple):
    """Whose stream it is, and of what.

    ``player``: the reader's id; None: anybody, who sees what all spectators see. ``listener``:
    whose other matches ring as well. ``beside``: gives what is to be told beside the match; None:
    the reader has gone. ``lingers``: after the match's end there is still something to be told.
    """

    site: Site
    match: str
    player: str | None
    read: Read
    listener: str | None = None
    beside: Callable[[], bytes | None] = lambda: b""
    lingers: bool = False


def answer_stream(stream: Stream, after: EventId, first: EventPage) -> Response:
    """Answer with the events of a match behind ``after``, as they come.

    ``first``: what has been read already, to see whether there is anything to come. Raises
    ``Unavailable``.
    """
    if first.known and first.over and after.version == first.version:
        return answer_no_content({"Cache-Control": NO_STORE})
    if request.method == "HEAD":
        return Response(headers=HEADERS, content_type=EVENT_STREAM)
    return Response(EventStream(stream, after), headers=HEADERS, content_type=EVENT_STREAM)


class OpenStream:
    """A stream of pieces that holds places until it is closed."""

    __slots__ = ("_chunks", "_give_back")

    def __init__(self, chunks: Iterator[bytes], give_back: Callable[[], None]) -> None:
        """``give_back`` is called once, however the stream ends."""
        self._chunks = chunks
        self._give_back: Callable[[], None] | None = give_back

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._chunks)
        except BaseException:
            # At once, so that who comes back does not meet this stream in their own way.
            self.close()
            raise

    def close(self) -> None:
        """Give the places back; the server calls this however the stream ended."""
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


class EventStream(OpenStream):
    """An open stream of a match. It holds one of the process's places until it is closed."""

    __slots__ = ("_after", "_ear", "_place", "_stream")

    def __init__(self, stream: Stream, after: EventId) -> None:
        """Take a place. Raises ``Unavailable`` if none is free."""
        site, names = stream.site, [stream.match]
        self._stream, self._after = stream, after
        self._ear = ear = site.house.notifier.watch(stream.match)
        if stream.listener is not None:
            site.house.notifier.listen(stream.listener, ear)
            names.append(stream.listener)
        self._place = place = site.take_place(stream.listener or stream.player, ear, names)
        super().__init__(self._run(), partial(site.leave_place, place, ear, names))

    def _run(self) -> Iterator[bytes]:
        site, place, ear = self._stream.site, self._place, self._ear
        end = monotonic() + site.house.settings.stream_seconds
        sent = monotonic()
        yield b"retry: %d\n\n" % RETRY_MS
        while not place.replaced:
            told = self._read_news()
            beside = None if told is None else self._stream.beside()
            if told is None or beside is None:
                return
            if told.chunk or beside:
                yield told.chunk + beside
                sent = monotonic()
                self._after = told.last
            if told.more:
                continue
            over = told.over and not self._stream.lingers
            if over or monotonic() >= end or site.stopping.is_set():
                return
            if place.doubted or monotonic() - sent >= KEEP_ALIVE:
                place.doubted = False
                yield b": still here\n\n"
                sent = monotonic()
            ear.wait(min(sent + KEEP_ALIVE, end) - monotonic())
        yield REPLACED

    def _read_news(self) -> Told | None:
        """Return what is to be told now; None: the reader may see no more."""
        site, match, player, read, *_ = self._stream
        if player is not None:
            page = read(self._after)
            return None if page is None else _make_told(page)
        number = site.house.notifier.get_last_progress(match)
        told = site.told.get(match, self._after, number)
        if told is None:
            page = read(self._after)
            if page is None:
                return None
            told = _make_told(page)
            site.told.put(match, self._after, number, told)
        return told


def _make_told(page: EventPage) -> Told:
    if not page.known:
        return Told(_format_reset(page.version), START, more=True, over=False)
    chunk = b"".join(map(_format_message, page.events))
    more = page.last.version < page.version
    return Told(chunk, page.last, more, over=page.over and not more)


def _format_message(event: JsonObject) -> bytes:
    last = make_event_id(event["version"], event["hash"])
    return b"id: %b\ndata: %b\n\n" % (str(last).encode(), orjson.dumps(event))


def _format_reset(version: int) -> bytes:
    """Tell that what was read is of another history, and that all events of this one follow."""
    data = orjson.dumps({"version": version})
    return b"event: reset\nid: %b\ndata: %b\n\n" % (str(START).encode(), data)
