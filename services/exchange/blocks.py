"""NDJSON: a match as a block of lines, its header first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from domain.errors import Corruption
from domain.game.game import Viewer
from domain.json_types import JsonObject
from domain.log.event_format import Stored, is_of_kind, lines, opened
from domain.match.kinds import ENDINGS
from domain.match.views import show_event
from services.exchange.header import Subject
from services.store.db.engine import Database
from services.store.log.exports import Extent, StoredEvent, decoded, page, whole

AT_ONCE = 2_000
"""Events read and held at once: what makes an export's memory the same for any match."""

_LAST = {status: kind for kind, status in ENDINGS.items()}
"""The kind of the last event of a match that is over, by its status."""


class Reader:
    """Reads the events of matches; no transaction stays open while they are given away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._whole: dict[str, list[StoredEvent]] = {}

    def fetch(self, subjects: Sequence[Subject]) -> None:
        """Read several matches at once, in place of those before; a long one is read in pages."""
        short = [
            Extent(one.match, one.events, one.head) for one in subjects if one.events <= AT_ONCE
        ]
        with self._database.read() as connection:
            self._whole = whole(connection, short) if short else {}

    def pages(self, subject: Subject) -> Iterator[Sequence[StoredEvent]]:
        """Yield a match's events up to the version that the subject names.

        Raises ``Corruption`` when they do not lead to where the subject says that it stands.
        """
        read, last = 0, None
        while read < subject.events:
            ready = self._whole.pop(subject.match, None)
            # More may have come since the export looked; they are not in it.
            events = self._page(subject, read) if ready is None else ready[: subject.events]
            if not events:
                break
            read, last = read + len(events), events[-1]
            yield events
        _compare(subject, read, last)

    def _page(self, subject: Subject, read: int) -> Sequence[StoredEvent]:
        with self._database.read() as connection:
            return page(connection, subject.match, read, subject.events, AT_ONCE)


def grouped(subjects: Iterable[Subject]) -> Iterator[list[Subject]]:
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


def block(reader: Reader, subject: Subject) -> Iterator[bytes]:
    """Yield a match's block in pieces: the header, then an event a line."""
    start = subject.header_line() + b"\n"
    for events in reader.pages(subject):
        yield start + lines(events, _sealed(subject))
        start = b""


def _sealed(subject: Subject) -> Callable[[Stored], bytes]:
    """Return what writes the line of an event with seals, for the subject's viewer."""
    if subject.everything or subject.viewer is Viewer.SERVER:
        return opened
    viewer = subject.viewer.value
    return lambda stored: opened(stored, viewer)


def shown(stored: StoredEvent, subject: Subject) -> JsonObject:
    """Return an event as the subject's viewer may see it."""
    return show_event(decoded(stored), subject.viewer, finished=subject.everything)


def _compare(subject: Subject, read: int, last: StoredEvent | None) -> None:
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
