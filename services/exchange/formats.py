"""The formats of a single match: their names and types, and what makes each of them.

JSON is one document of header and events, text a transcript of steps, SVG and PNG pictures of a
step. A bundle is an archive of all that somebody needs to verify a match: its block, its steps, and
the verifier (``verify_match.py``), which is given out as it stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import orjson

from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.move_count import tell_count
from domain.match.views import build_scene
from services.drawing.raster import rasterise
from services.drawing.sheet import Caption, draw_sheet
from services.drawing.text.board import WIDTH
from services.drawing.text.frames import (
    Names,
    describe_standing,
    draw_board,
    draw_heading,
    draw_rule,
)
from services.errors import NotFound, Unavailable
from services.exchange.block_format import Subject
from services.exchange.proofs import Proved
from services.matches.match_json import ShownMatch, match_json
from services.matches.queries import Asker
from services.replays.replay import Frame, Replays, frame_json


class Format(NamedTuple):
    """A format. ``steps``: it can be had of a single step. ``stream``: it is made on the way."""

    name: str
    kind: str
    ending: str
    steps: bool = False
    stream: bool = False


ANALYSED = "csv-analysis"
"""CSV with further columns: what an analysis says of a move."""

FORMATS = {
    form.name: form
    for form in (
        Format("ndjson", "application/x-ndjson", "ndjson", stream=True),
        Format("json", "application/json", "json"),
        Format(ANALYSED, "text/csv; charset=utf-8", "csv", stream=True),
        # Of two formats of one media type, that which is sent without being named comes last.
        Format("csv", "text/csv; charset=utf-8", "csv", stream=True),
        Format("text", "text/plain; charset=utf-8", "txt", steps=True),
        Format("svg", "image/svg+xml", "svg", steps=True),
        Format("png", "image/png", "png", steps=True),
        Format("bundle", "application/zip", "zip"),
    )
}
"""The formats of a single match, the default first."""

PICTURES = ("svg", "png")
"""The formats that show a single step."""

TABLES = ("csv", ANALYSED)
"""The formats with a row an event."""

MANY = tuple(form.name for form in FORMATS.values() if form.stream)
"""The formats of many matches, the default first."""


@dataclass(frozen=True, slots=True)
class FormatMaker:
    """Makes these formats of one match, for the one who looks."""

    replays: Replays
    look: Asker
    subject: Subject
    shown: ShownMatch

    def make(self, form: str, at: int | None, proved: Proved | None = None) -> bytes:
        """Return the match in a format; ``at``: the step after this event. Raises ``NotFound``."""
        count = self.subject.events
        if at is not None and not 1 <= at <= count:
            raise NotFound(f"This match has the events 1 to {count}.")
        last = count if at is None else at
        # Further events may have come since the export looked; they are not in it.
        frames = self.replays.replay(self.look, self.subject.match, last=last).frames
        if form in PICTURES:
            return _draw_picture(form, self.subject, self.shown, frames[-1])
        if form == "text":
            return write_transcript(self.subject, self.shown, frames if at is None else frames[-1:])
        queries, upto = self.replays.queries, frames[0].version
        setup = queries.show_events(self.look, self.subject.match, limit=upto).events
        return write_document(self.subject, self.shown, setup, frames, proved)


DOCUMENT_FORMAT = "plybook/replay"
DOCUMENT_VERSION = 1


def write_document(
    subject: Subject,
    shown: ShownMatch,
    setup: Sequence[JsonObject],
    frames: Sequence[Frame],
    proved: Proved | None,
) -> bytes:
    """Return the document.

    ``setup`` are the events before the first frame, ``frames`` those from there on; so all events
    that the export covers are in it, in order. ``proof`` and ``consistency`` are left out where
    there are none.
    """
    whole: JsonObject = {
        "format": DOCUMENT_FORMAT,
        "format_version": DOCUMENT_VERSION,
        "header": subject.make_header(),
        "match": match_json(shown._replace(you=None, imported=None)),
        "setup": list(setup),
        "frames": [frame_json(frame) for frame in frames],
    }
    if proved is not None:
        named = proved._asdict().items()
        whole.update({name: value for name, value in named if value is not None})
    return orjson.dumps(whole) + b"\n"


def _draw_picture(form: str, subject: Subject, shown: ShownMatch, frame: Frame) -> bytes:
    """Return a step as an SVG document that loads nothing from anywhere, or as a PNG of it.

    The comment of the PNG is the JSON that the SVG has as metadata. Raises ``Unavailable``.
    """
    caption = _make_caption(subject, shown, frame)
    svg = draw_sheet(build_scene(frame.view), caption)
    if form == "svg":
        return svg.encode()
    try:
        return rasterise(svg, json.dumps(dict(caption.facts), sort_keys=True))
    except OSError as error:
        raise Unavailable("The picture could not be painted.") from error


def _make_caption(subject: Subject, shown: ShownMatch, frame: Frame) -> Caption:
    view, names = frame.view, Names(shown.names)
    sides = " against ".join(names.name_seat(view, seat) for seat in (1, 2))
    facts: Mapping[str, Json] = {
        "match": subject.match,
        "version": frame.version,
        "head": subject.head,
        "viewer": subject.viewer.value,
        "names": dict(subject.names),
    }
    lines = (
        sides,
        f"{tell_count(frame.place, shown.view.ply)}, match {subject.match}",
        frame.text,
        describe_standing(view, names).plain,
    )
    return Caption(view.game.name, lines, facts)


def write_transcript(subject: Subject, shown: ShownMatch, frames: Sequence[Frame]) -> bytes:
    """Return the transcript of ``frames`` as UTF-8, in lines of about 80 characters."""
    view = shown.view
    names = Names(shown.names)
    moves = f"{view.ply} move{'' if view.ply == 1 else 's'}"
    about = (
        f"Rules version {subject.rules_version}, {moves} in {subject.events} events, "
        f"seen as {subject.viewer.value}. Last hash:\n{subject.head}"
    )
    parts = [draw_heading(view, names, WIDTH).plain, about]
    for frame in frames:
        at = "" if frame.event is None else f" ({frame.event['at'][:19].replace('T', ' ')} UTC)"
        parts += [draw_rule().plain, f"{tell_count(frame.place)}{at}: {frame.text}"]
        parts += [draw_board(frame.view, WIDTH).plain, describe_standing(frame.view, names).plain]
    text = "\n\n".join(parts)
    return "".join(f"{line.rstrip()}\n" for line in text.split("\n")).encode()


VERIFIER_NAME = "verify_match.py"


@cache
def read_verifier() -> bytes:
    """Return the source of the standalone verifier."""
    return (files("services.exchange") / VERIFIER_NAME).read_bytes()


def write_bundle(subject: Subject, block: bytes, proved: Proved | None) -> bytes:
    """Return a zip file; the same match and proof give the same bytes.

    ``block`` is the match as NDJSON. Without a proof (no checkpoint has the match yet) there are
    neither ``proof.json`` nor ``checkpoint.json``; ``consistency.json`` is there if it was asked
    for.
    """
    members = {f"{subject.match}.ndjson": block}
    if proved is not None:
        proof, link = proved
        members["proof.json"] = write_canonical(proof) + b"\n"
        members["checkpoint.json"] = write_canonical(proof["checkpoint"]) + b"\n"
        if link is not None:
            members["consistency.json"] = write_canonical(link) + b"\n"
    members[VERIFIER_NAME] = read_verifier()
    packed = BytesIO()
    when = datetime.fromisoformat(subject.at)
    at = when.year, when.month, when.day, when.hour, when.minute, when.second
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = ZipInfo(name, at)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return packed.getvalue()
