"""The stream of a player's own matches, for programs that play: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import monotonic

import orjson
from flask import Response, request
from marshmallow import Schema

from domain.errors import Refusal
from services.lobby.player_stream import KINDS, StreamLine, StreamPage
from services.matches.match_json import match_json
from services.store.log.feed import FeedPosition
from web.api import fields
from web.api.operations import PLAYERS, Call, asks, gives, reads, refuses, route
from web.api.resources.matches import MatchSchema
from web.capacity.places import Share
from web.http.answers import NDJSON
from web.http.inputs import LINE_FORM, QuerySchema
from web.http.streaming import HEADERS, OpenStream

KEEP_ALIVE = "keep-alive"
REPLACED = "replaced"


class OwnStreamQuerySchema(QuerySchema):
    """Where a stream begins; ``Last-Event-ID`` goes before it."""

    after = fields.Text("The id of a line.", 1, 128, form={"pattern": f"^{LINE_FORM}$"})


class OwnLineSchema(Schema):
    """A line of the stream."""

    id = fields.text(
        "To go on from, by `Last-Event-ID` or `after`.",
        example="9mAk5LmzfBBhwEdc4TI5IWYLumBaSloCO4jRqtEoG7fL4jxHqcN5f9w",
    )
    kind = fields.words("What it is about.", *KINDS, KEEP_ALIVE, REPLACED)
    match = fields.part(
        MatchSchema, "As you may see it; `keep-alive` and `replaced` have none.", always=False
    )


TAG = "Bots"

LOOK_EVERY = 1.0
"""Seconds until a stream looks by itself: other processes write too, and do not wake it."""
SILENCE = 15.0
"""Seconds without a line, after which one tells that all is well."""


@route("GET", "/me/stream", TAG, PLAYERS)
@asks(OwnStreamQuerySchema())
@reads("Last-Event-ID of a line")
@gives(
    200,
    None,
    "Lines, one JSON object each; the schema is that of a line.",
    kinds=(NDJSON,),
    line=OwnLineSchema(),
)
@refuses("cursor-gone")
def stream_own_matches(call: Call) -> Response:
    """Stream what happens in your matches.

    Every line shows a match as it stands. What is present (challenges to you, matches in which
    you are to act) is told on every opening, and with `Last-Event-ID` or `after` also what
    has happened since that line. An id of another history, as before a backup was restored, is
    refused: open the stream without one.
    """
    line = call.resume_line or call.query["after"]
    after = None if line is None else call.house.player_stream.get_place(call.player, line)
    if request.method == "HEAD":
        return Response(headers=HEADERS, content_type=NDJSON)
    return Response(_Stream(call, after), headers=HEADERS, content_type=NDJSON)


class _Stream(OpenStream):
    """An open stream. It holds a place of the process until it is closed."""

    def __init__(self, call: Call, after: FeedPosition | None) -> None:
        site, self._player = call.site, call.player
        self._call, names = call, [self._player]
        self._ear = ear = site.house.notifier.listen(self._player)
        own = Share(f"own {self._player}", site.house.settings.max_own_streams)
        self._place = place = site.take_place(self._player, ear, names, own)
        super().__init__(self._run(after), partial(site.leave_place, place, ear, names))

    def _run(self, after: FeedPosition | None) -> Iterator[bytes]:
        site = self._call.site
        end = monotonic() + site.house.settings.stream_seconds
        opening = self._read_opening(after)
        if opening is None:
            return
        place = opening.place
        # Always a line at once, so that whoever reads knows that all of the present is told.
        yield b"".join(map(_format_line, opening.lines)) + self._format_keep_alive(place)
        sent = monotonic()
        while monotonic() < end and not site.stopping.is_set():
            self._ear.wait(min(LOOK_EVERY, end - monotonic()))
            if self._place.replaced:
                yield _format_bare_line(REPLACED, self._get_id(place))
                return
            told = self._read_on(place)
            if told is None:
                return
            place = told.place
            if told.lines:
                yield b"".join(map(_format_line, told.lines))
                sent = monotonic()
            elif self._place.doubted or monotonic() - sent >= SILENCE:
                self._place.doubted = False
                yield self._format_keep_alive(place)
                sent = monotonic()
            if told.more:
                self._ear.ring()

    def _read_opening(self, after: FeedPosition | None) -> StreamPage | None:
        """Tell what has happened since ``after``, then of the present what that does not hold."""
        lines: list[StreamLine] = []
        while after is not None:
            told = self._read_on(after)
            if told is None:
                return None
            lines += told.lines
            after = told.place if told.more else None
        present = self._call.house.player_stream.list_waiting(self._player)
        known = {(line.shown.view.id, line.shown.view.version) for line in lines}
        new = [
            line
            for line in present.lines
            if (line.shown.view.id, line.shown.view.version) not in known
        ]
        return present._replace(lines=[*lines, *new])

    def _read_on(self, place: FeedPosition) -> StreamPage | None:
        """Read on, or return None: the token may have been revoked meanwhile.

        Whatever is refused, it is too late for an answer that says so.
        """
        call = self._call
        try:
            call.admit_again()
            return call.house.player_stream.list_since(self._player, place)
        except Refusal:
            return None

    def _format_keep_alive(self, place: FeedPosition) -> bytes:
        return _format_bare_line(KEEP_ALIVE, self._get_id(place))

    def _get_id(self, place: FeedPosition) -> str:
        return self._call.house.player_stream.make_id(self._player, place)


def _format_bare_line(kind: str, line: str) -> bytes:
    """Return a line without a match."""
    return orjson.dumps({"id": line, "kind": kind}) + b"\n"


def _format_line(line: StreamLine) -> bytes:
    match = match_json(line.shown)
    return orjson.dumps({"id": line.id, "kind": line.kind, "match": match}) + b"\n"
