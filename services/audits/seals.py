"""The seals: what was opened is what was sealed, written in the one way there is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from domain.log import event_format
from domain.match.events import Event
from services.audits.faults import SEALS, Fault
from services.store.log.audits import RawRow
from services.store.log.codec import to_openings

_SALT = re.compile(r"[0-9a-f]{64}", re.ASCII)


def seal_faults(stream: Iterable[Event], *, complete: bool = True) -> Iterator[Fault]:
    """Check that every opening is what was sealed; ``complete``: and that none is missing."""
    for event in stream:
        for seal in event.sealed:
            if seal.salt is None:
                if complete:
                    yield Fault(event.version, SEALS, f"Event {event.version} has lost an opening.")
            elif not _opens(seal.salt, seal.value, seal.commitment):
                yield Fault(
                    event.version, SEALS, f"A sealed value of event {event.version} is another."
                )


def _opens(salt: object, value: object, commitment: str) -> bool:
    # A salt in capitals has the same bytes, and would be a change that nobody sees.
    if type(salt) is not str or not _SALT.fullmatch(salt):
        return False
    return event_format.commitment(salt, value) == commitment


def opening_faults(stream: Iterable[Event], rows: Iterable[RawRow]) -> Iterator[Fault]:
    """Check that openings are stored in canonical form, where each byte counts."""
    for event, row in zip(stream, rows, strict=True):
        openings = row[-1]
        if openings is not None and to_openings(event.sealed) != openings:
            detail = f"The openings of event {event.version} are not written as they were stored."
            yield Fault(event.version, SEALS, detail)
