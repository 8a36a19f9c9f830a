"""Exports: a match in the format of somebody's tools, and all matches of a choice.

They are files to be kept: downloads, sent as they are made, compressed if wanted.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from http import HTTPStatus
from time import monotonic

from flask import Response, request

from domain.json_types import JsonObject
from domain.log.event_format import hash_bytes
from services.exchange.exports import Exported, ExportFilter, ExportRequest
from services.exchange.formats import FORMATS, MANY, VERIFIER_NAME, read_verifier
from services.exchange.proofs import ProofRequest
from services.matches.access import SIGHTS
from web.api import fields
from web.api.operations import BASE, OPEN, Call, asks, gives, refuses, route
from web.http.answers import BY_CALLER, OWN, answer_no_content, format_next_link, knows_tag
from web.http.inputs import QuerySchema
from web.http.requests import add_root
from web.http.streaming import OpenStream

MOST_MATCHES = 1000


_INSTANT = {"anyOf": [{"format": "date"}, {"format": "date-time"}]}


class _ProofQuerySchema(QuerySchema):
    link = fields.WholeParameter(
        "With `proof`: the size of a checkpoint that you kept. Then the proof that the "
        "newest one continues it comes as well.",
        1,
    )


class ExportQuerySchema(_ProofQuerySchema):
    """One match: in which format, and through whose eyes."""

    format = fields.Word(tuple(FORMATS), "The format; otherwise the one that `Accept` likes best.")
    at = fields.WholeParameter("The step after this event alone (text and pictures).", 1)
    proof = fields.FlagParameter(
        "With the proof that it is in the newest checkpoint (not as csv, text or a picture).",
        load_default=False,
    )
    as_ = fields.Word(SIGHTS, "What this viewer sees (once the match is finished).", data_key="as")


class ExportsQuerySchema(_ProofQuerySchema):
    """Which matches, in which format."""

    format = fields.Word(tuple(MANY))
    game = fields.Text("Of this game (a slug).")
    player = fields.Text("Of the player of this name.")
    since = fields.Text(
        "Whose last event happened then or later: a date or an instant. That chooses; it "
        "is no way to ask for what is new (an event may become visible after later ones, "
        "and imports bring old ones), which `cursor` is for.",
        form=_INSTANT,
    )
    until = fields.Text("Whose last event happened before that.", form=_INSTANT)
    proof = fields.FlagParameter(
        "Behind each match that the newest checkpoint has, the proof that it is in there (ndjson).",
        load_default=False,
    )
    limit = fields.WholeParameter(
        "At most so many matches; `Link` leads to the next.", 1, MOST_MATCHES
    )
    cursor = fields.Text(
        "Go on behind a match: `match,version,hash` of the last line that you have of it."
        " All comes that has become visible since, whatever instant it is of."
    )


VARY = f"Accept, Accept-Encoding, {BY_CALLER}"

_GZIP = zlib.MAX_WBITS | 16
"""How zlib is told to write gzip's header and trailer."""
_PACKED = ("image/png", "application/zip")


def answer_file(
    chunks: Iterable[bytes], *, name: str, kind: str, tag: str | None = None
) -> Response:
    """Answer with a download under a file name of ASCII letters, digits, ``.`` and ``-``.

    ``tag`` tells this content of the file from any other; who has it already gets 304.
    """
    packed = kind not in _PACKED and request.accept_encodings.quality("gzip") > 0
    headers = {"Cache-Control": OWN, "Vary": VARY}
    if tag is not None:
        # The same file packed is another sequence of bytes, and needs a tag of its own.
        headers["ETag"] = f'"{tag}z"' if packed else f'"{tag}"'
        if knows_tag(headers["ETag"]):
            return answer_no_content(headers, HTTPStatus.NOT_MODIFIED)
    headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if packed:
        headers["Content-Encoding"] = "gzip"
    body = _pack(chunks) if packed else chunks
    return Response(body, headers=headers, content_type=kind)


def _pack(chunks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for chunk in chunks:
        some = packer.compress(chunk)
        if some:
            yield some
    yield packer.flush()


TAG = "Exports"

PYTHON = "text/x-python"

KINDS = {form.kind.partition(";")[0]: form.name for form in FORMATS.values()}
"""The formats by their media types."""
PAINTED = ("png",)
"""The formats that a process of their own makes."""
LOOK_EVERY = 1.0
"""Seconds after which it is looked whether whoever gets an export may still have it."""
_MANY_KINDS = tuple(kind for kind, name in KINDS.items() if name in MANY)


@route("GET", "/matches/<match_id>/export", TAG, OPEN)
@asks(ExportQuerySchema())
@gives(
    200,
    None,
    "A download, as the caller may see the match.",
    *("ETag", "Content-Disposition", "Link"),
    kinds=tuple(KINDS),
)
@refuses("not-your-seat")
def export_match(call: Call, match_id: str) -> Response:
    """Export a match.

    As NDJSON it can be verified and imported elsewhere; the formats are documented in
    docs/exports.md.
    """
    query = call.query
    wish = ExportRequest(query["format"] or KINDS[call.kind], query["at"], _read_proofs(query))
    make = partial(call.site.workshop.have, call.client, elsewhere=wish.format in PAINTED)
    made = call.house.exports.export_one(call.look, match_id, wish, make)
    answer = answer_file(made.chunks, name=made.name, kind=made.kind, tag=made.tag)
    answer.headers["Link"] = format_verifier_link()
    return answer


@route("GET", "/export", TAG, OPEN)
@asks(ExportsQuerySchema())
@gives(
    200,
    None,
    "A download: public matches and the caller's own, by their last event, the oldest first.",
    *("Content-Disposition", "Link"),
    kinds=_MANY_KINDS,
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
    choice = ExportFilter(*(query[name] for name in names))
    form = query["format"] or KINDS[call.kind]
    limit, end = query["limit"], None
    if limit is not None:
        end = house.exports.find_end(call.look, choice, limit)
    matches = house.exports.export_many(call.look, choice, form, end, _read_proofs(query))
    head = house.exports.write_head(choice, form)
    body = () if request.method == "HEAD" else _open_export(call, head, matches)
    kind = FORMATS[form].kind
    answer = answer_file(body, name=f"plybook-export.{FORMATS[form].ending}", kind=kind)
    answer.headers.add("Link", format_verifier_link())
    if end is not None:
        answer.headers.add("Link", format_next_link(cursor=end))
    return answer


@route("GET", "/verifier", TAG)
@gives(200, None, "The program.", "ETag", "Content-Disposition", kinds=(PYTHON,))
def give_verifier(_: Call) -> Response:
    """Give the program that checks an exported match without this service.

    One file that needs nothing but Python.
    """
    source = read_verifier()
    return answer_file((source,), name=VERIFIER_NAME, kind=PYTHON, tag=hash_bytes(source))


def _read_proofs(query: JsonObject) -> ProofRequest:
    return ProofRequest(query["proof"], query["link"])


def format_verifier_link() -> str:
    """Say where the program is that checks an export without this service."""
    return f'<{add_root(f"{BASE}/verifier")}>; rel="describedby"; title="verifier"'


def _open_export(call: Call, head: bytes, matches: Iterator[Exported]) -> OpenStream:
    """Return an export on its way. It holds one of the process's places for exports."""
    places, client = call.site.exports, call.client
    places.come(client)
    return OpenStream(_iter_chunks(call, head, matches), lambda: places.go(client))


def _iter_chunks(call: Call, head: bytes, matches: Iterator[Exported]) -> Iterator[bytes]:
    if head:
        yield head
    looked = monotonic()
    for match in matches:
        if monotonic() - looked >= LOOK_EVERY:
            # The token may have been revoked meanwhile. That ends the answer before its end,
            # as a lost connection would, so that nobody takes it for the whole.
            call.admit_again()
            looked = monotonic()
        yield b"".join(match.chunks)
