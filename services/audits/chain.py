"""The chain: versions without gaps, hashes over the stored bytes, links, the columns beside."""

from __future__ import annotations

from collections.abc import Sequence

from domain.log.event_format import GENESIS, digest, read
from services.audits.faults import CHAIN, Fault
from services.store.log.audits import RawRow


def chain_fault(rows: Sequence[RawRow], match_id: str) -> Fault | None:
    """Return the first fault in the order, the hashes and the links of all rows of a match."""
    if not rows:
        return Fault(None, CHAIN, "There are no events of this match.")
    previous, place = GENESIS, 0
    for number, row in enumerate(rows, 1):
        try:
            detail = _row_fault(row, number, match_id, previous, place)
        except (AttributeError, KeyError, TypeError, ValueError):
            detail = f"What is stored as event {number} is no event."
        if detail is not None:
            return Fault(number, CHAIN, detail)
        previous, place = row[6], row[0]
    return None


def _row_fault(  # noqa: PLR0911 - one for each thing that can be wrong
    row: RawRow, number: int, match_id: str, previous: str, place: int
) -> str | None:
    """Say what is wrong with a row that is to be event ``number``, behind another at ``place``."""
    position, match, version, kind, at, body, hashed, _ = row
    if version != number:
        return f"Event {number} is missing or stands elsewhere."
    if digest(body) != hashed:
        return f"Event {number} is not what was hashed."
    event = read(body)
    if event.version != number or event.match != match_id:
        return f"Event {number} is missing or stands elsewhere."
    if event.previous != previous:
        return f"Event {number} does not follow on the one before it."
    if event.kind != kind or event.at != at or match != match_id:
        return f"The columns beside event {number} say other things."
    if position <= place:
        return f"Event {number} was stored before the one that it follows on."
    return None
