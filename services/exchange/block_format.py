"""NDJSON: a match as a block of lines. The first is its header, then comes an event a line.

The header says what follows, and through whose eyes; events are read in groups and pages, and
written as they lie wherever nothing in them is sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from domain.errors import Corruption
from domain.game.game import Viewer
from domain.json_types import JsonObject
from domain.log.event_format import Stored, is_of_kind, open_seals, write_canonical, write_lines
from domain.match.kinds import ENDINGS
from domain.match.state import ABORTED, FINISHED, Match, find_result
from domain.match.views import show_event
from services.store.db.engine import Database
from services.store.log.codec import decode_event
from services.store.log.exports import (
    ExportLine,
    Extent,
    list_events,
    list_events_by_match,
)

FORMAT = "plybook/match"
FORMAT_VERSION = 1
"""The version of the form of headers and blocks; docs/exports.md says what it promises."""


class Subject(NamedTuple):
    """A match to be exported, as it stood when the export looked.

    ``events`` and ``head`` are the version and the hash of its last event. ``viewer`` is whose
    eyes it is seen through; with ``everything``, all seals are open to them. ``names`` are those
    of its players, by id.
    """

    match: str
    game: str
    rules_version: int
    status: str
    events: int
    head: str
    at: str
    result: JsonObject | None
    names: Mapping[str, str]
    viewer: Viewer
    everything: bool

    def make_header(self) -> JsonObject:
        """Return the members of the header line."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "match": self.match,
            "game": self.game,
            "rules_version": self.rules_version,
            "status": self.status,
            "result": self.result,
            "count": self.events,
            "head": self.head,
            "names": dict(self.names),
            "viewer": self.viewer.value,
        }

    def write_header(self) -> bytes:
        """Return the header as canonical JSON, without the line's end."""
        return write_canonical(self.make_header())


def subject_of(match: Match, viewer: Viewer, names: Mapping[str, str]) -> Subject:
    """Return a match as ``viewer`` is to be given it."""
    return Subject(
        match.id,
        match.game.slug,
        match.game.rules_version,
        match.status,
        match.version,
        match.head,
        match.updated_at,
        find_result(match),
        names,
        viewer,
        everything=match.status == FINISHED and viewer is Viewer.SERVER,
    )


def subject_of_line(line: ExportLine, viewer: Viewer, names: Mapping[str, str]) -> Subject:
    """Return the same from a line of the lists, which the events are compared with later."""
    over = line.status in (FINISHED, ABORTED)
    return Subject(
        line.id,
        line.game,
        line.rules_version,
        line.status,
        line.version,
        line.head,
        line.updated_at,
        {"winner": line.winner, "reason": line.reason} if over else None,
        names,
        viewer,
        everything=viewer is Viewer.SERVER,
    )


AT_ONCE = 2_000
"""Events read and held at once: what makes an export's memory the same for any match."""

_LAST = {status: kind for kind, status in ENDINGS.items()}
"""The kind of the last event of a match that is over, by its status."""


class Reader:
    """Reads the events of matches; no transaction stays open while they are given away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._whole: dict[str, list[Stored]] = {}

    def fetch(self, subjects: Sequence[Subject]) -> None:
        """Read several matches at once, in place of those before; a long one is read in pages."""
        short = [
            Extent(one.match, one.events, one.head) for one in subjects if one.events <= AT_ONCE
        ]
        with self._database.read() as connection:
            self._whole = list_events_by_match(connection, short) if short else {}

    def iter_pages(self, subject: Subject) -> Iterator[Sequence[Stored]]:
        """Yield a match's events up to the version that the subject names.

        Raises ``Corruption`` when they do not lead to where the subject says that it stands.
        """
        read, last = 0, None
        while read < subject.events:
            events: Sequence[Stored] | None = self._whole.pop(subject.match, None)
            if events is None:
                with self._database.read() as connection:
                    events = list_events(connection, subject.match, read, subject.events, AT_ONCE)
            # More may have come since the export looked; they are not in it.
            events = events[: subject.events]
            if not events:
                break
            read, last = read + len(events), events[-1]
            yield events
        _compare(subject, read, last)


def group_subjects(subjects: Iterable[Subject]) -> Iterator[list[Subject]]:
    """Yield matches in groups that are read at once, a long one by itself."""
    group: list[Subject] = []
    events = 0
    for subject in subjects:
        if group and events + subject.events > AT_ONCE:
            yield group
            group, events = [], 0
        group.append(subject)
        events += subject.events
    if group:
        yield group


def write_block(reader: Reader, subject: Subject) -> Iterator[bytes]:
    """Yield a match's block in pieces: the header, then an event a line."""
    start = subject.write_header() + b"\n"
    all_open = subject.everything or subject.viewer is Viewer.SERVER
    sealed = partial(open_seals, viewer=None if all_open else subject.viewer.value)
    for events in reader.iter_pages(subject):
        yield start + write_lines(events, sealed)
        start = b""


def show_stored(stored: Stored, subject: Subject) -> JsonObject:
    """Return an event as the subject's viewer may see it."""
    return show_event(decode_event(*stored), subject.viewer, finished=subject.everything)


def _compare(subject: Subject, read: int, last: Stored | None) -> None:
    ending = _LAST.get(subject.status)
    if (
        last is None
        or read != subject.events
        or last[1] != subject.head
        or (ending is not None and not is_of_kind(last[0], ending))
    ):
        raise Corruption(
            f"the events of match {subject.match} do not lead to where the lists say that it "
            f"stands; `plybook verify {subject.match}` says more"
        )
