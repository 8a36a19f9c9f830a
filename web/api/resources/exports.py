"""Exports: a match in the format of somebody's tools, and all matches of a choice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import monotonic

from flask import Response, request

from domain.json_types import JsonObject
from domain.log.chain import digest
from services.accounts.accounts import READ
from services.exchange.choosing import Choice
from services.exchange.exporting import Exported, Wish
from services.exchange.formats import FORMATS, MANY
from services.exchange.proofs_of_exports import Wanted
from services.exchange.verifier import NAME, verifier
from web.api.callers import Access, admit
from web.api.operations import BASE, Call, a_match, about, asks, gives, open_to_all, refuses, route
from web.api.resources import exports_of_schemas as exports
from web.api.resources.files import file_answer
from web.http.addresses import rooted
from web.http.answers import next_link

TAG = "Exports"

PYTHON = "text/x-python"

KINDS = {form.kind.partition(";")[0]: form.name for form in FORMATS.values()}
"""The formats by their media types."""
PAINTED = ("png",)
"""The formats that a process of their own makes."""
LOOK_EVERY = 1.0
"""Seconds after which it is looked whether whoever gets an export may still have it."""
_MANY_KINDS = tuple(kind for kind, name in KINDS.items() if name in MANY)


@route("GET", "/matches/<match_id>/export", TAG)
@open_to_all(READ)
@about(a_match)
@asks(exports.ExportQuery())
@gives(
    200,
    None,
    "A download, as the caller may see the match.",
    kinds=tuple(KINDS),
    headers=("ETag", "Content-Disposition", "Link"),
)
@refuses("not-found", "not-your-seat")
def export_match(call: Call, match_id: str) -> Response:
    """Export a match.

    As NDJSON it can be verified and imported elsewhere; the formats are documented in
    docs/exports.md.
    """
    query = call.query
    wish = Wish(query["format"] or KINDS[call.kind], query["at"], _proofs(query))
    make = partial(call.site.workshop.have, call.client, elsewhere=wish.format in PAINTED)
    made = call.house.exports.one(call.look, match_id, wish, make)
    answer = file_answer(
        made.chunks, name=made.name, kind=made.kind, tag=f"{made.version}.{made.tag}"
    )
    answer.headers["Link"] = _verifier_link()
    return answer


@route("GET", "/export", TAG)
@open_to_all(READ)
@asks(exports.ExportsQuery())
@gives(
    200,
    None,
    "A download: public matches and the caller's own, by their last event, the oldest first.",
    kinds=_MANY_KINDS,
    headers=("Content-Disposition", "Link"),
)
@refuses("not-found", "cursor-gone")
def export_matches(call: Call) -> Response:
    """Export the matches of a player, a game, a span of time, or all.

    Sent while it is read, in the memory of one match. Matches that go on are as the caller may
    see them. They come in the order in which their last events became visible. To go on after a
    break, or to ask for what is new, give the cursor of the last complete match: nothing is
    missed. A cursor of another history, as before a backup was restored, is refused.
    """
    query, house = call.query, call.house
    names = ("game", "player", "since", "until", "cursor")
    choice = Choice(*(query[name] for name in names))
    form = query["format"] or KINDS[call.kind]
    limit, end = query["limit"], None
    if limit is not None:
        end = house.exports.end_of(call.look, choice, limit)
    matches = house.exports.many(call.look, choice, form, end, _proofs(query))
    head = house.exports.head(choice, form)
    body = () if request.method == "HEAD" else _Sending(call, head, matches)
    kind = FORMATS[form].kind
    answer = file_answer(body, name=f"plybook-export.{FORMATS[form].ending}", kind=kind)
    answer.headers.add("Link", _verifier_link())
    if end is not None:
        answer.headers.add("Link", next_link(cursor=end))
    return answer


@route("GET", "/verifier", TAG)
@gives(200, None, "The program.", kinds=(PYTHON,), headers=("ETag", "Content-Disposition"))
@refuses("not-found")
def give_verifier(_: Call) -> Response:
    """Give the program that checks an exported match without this service.

    One file that needs nothing but Python.
    """
    source = verifier()
    return file_answer((source,), name=NAME, kind=PYTHON, tag=digest(source))


def _proofs(query: JsonObject) -> Wanted:
    return Wanted(query["proof"], query["link"])


def _verifier_link() -> str:
    """Say where the program is that checks an export without this service."""
    return f'<{rooted(f"{BASE}/verifier")}>; rel="describedby"; title="verifier"'


class _Sending:
    """An export on its way. It holds one of the process's places for exports."""

    def __init__(self, call: Call, head: bytes, matches: Iterator[Exported]) -> None:
        self._places, self._client = call.site.exports, call.client
        self._places.come(self._client)
        self._open = True
        self._chunks = self._run(call, head, matches)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._chunks)
        except StopIteration:
            self.close()
            raise

    def close(self) -> None:
        """Give the place back; the server calls this however the answer ended."""
        if self._open:
            self._open = False
            self._places.go(self._client)

    @staticmethod
    def _run(call: Call, head: bytes, matches: Iterator[Exported]) -> Iterator[bytes]:
        if head:
            yield head
        looked = monotonic()
        for match in matches:
            if monotonic() - looked >= LOOK_EVERY:
                # The token may have been revoked meanwhile. That ends the answer before its end,
                # as a lost connection would, so that nobody takes it for the whole.
                admit(call.house, call.authorization, Access.OPEN, READ)
                looked = monotonic()
            yield b"".join(match.chunks)
