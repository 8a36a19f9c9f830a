"""NDJSON: a match as a block of lines, its header first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.chain import canonical
from domain.errors import Corruption
from domain.events import Event
from domain.json_types import JsonObject
from domain.lines import open_line
from domain.match import ABORTED, FINISHED
from domain.views import show_event
from services.exports.header import Subject
from services.store.copies import StoredEvent, stored_events
from services.store.engine import Database

AT_ONCE = 500
"""Events read and held at once: what makes an export's memory the same for any match."""

_LAST = {FINISHED: b'"kind":"match-ended"', ABORTED: b'"kind":"match-aborted"'}


class Reader(NamedTuple):
    """Reads the events of matches, a page at a time; no transaction stays open in between."""

    database: Database

    def pages(self, subject: Subject) -> Iterator[list[StoredEvent]]:
        """Yield a match's events up to the version that the subject names.

        Raises ``Corruption`` when they do not lead to where the subject says that it stands.
        """
        read, last = 0, None
        while read < subject.count:
            with self.database.read() as connection:
                page = [*stored_events(connection, subject.match, read, subject.count, AT_ONCE)]
            if not page:
                break
            read, last = read + len(page), page[-1]
            yield page
        _compare(subject, read, last)

    def events(self, subject: Subject) -> Iterator[Event]:
        """Yield the same, decoded."""
        for page in self.pages(subject):
            for stored in page:
                yield stored.decoded()


def block(reader: Reader, subject: Subject) -> Iterator[bytes]:
    """Yield a match's block in pieces: the header, then an event a line."""
    yield subject.header_line() + b"\n"
    for page in reader.pages(subject):
        yield b"".join([_line(stored, subject) for stored in page])


def shown(stored: StoredEvent, subject: Subject) -> JsonObject:
    """Return an event as the subject's viewer may see it."""
    return show_event(stored.decoded(), subject.viewer, finished=subject.everything)


def _line(stored: StoredEvent, subject: Subject) -> bytes:
    plain = open_line(stored.body, stored.hash)
    return (plain if plain is not None else canonical(shown(stored, subject))) + b"\n"


def _compare(subject: Subject, read: int, last: StoredEvent | None) -> None:
    ending = _LAST.get(subject.status)
    if (
        last is None
        or read != subject.count
        or last.hash != subject.head
        or (ending is not None and ending not in last.body)
    ):
        raise Corruption(
            f"the events of match {subject.match} do not lead to where the lists say that it "
            f"stands; `plybook verify {subject.match}` says more"
        )
