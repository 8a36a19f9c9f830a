"""The chain: versions without gaps, hashes over the stored bytes, links, the columns beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import orjson

from domain import chain
from domain.events import Event
from services.audits.faults import CHAIN, Fault
from services.store.auditing import StoredRow


def chain_faults(stream: list[Event], match_id: str) -> Iterator[Fault]:
    """Check versions, hashes and links of decoded events over the bytes that they came from."""
    if not stream:
        yield Fault(None, CHAIN, "There are no events of this match.")
    expected = chain.GENESIS
    # Many events go through here in an import, hence one unpacking a round.
    for number, (match, version, _, _, _, _, _, _, previous, hashed, body) in enumerate(stream, 1):
        if version != number or match != match_id:
            yield _missing(number)
            return
        if sha256(body).hexdigest() != hashed:
            yield _changed(number)
            return
        if previous != expected:
            yield _unlinked(number)
            return
        expected = hashed


def row_fault(  # noqa: PLR0911 - one call for each event would cost as much as its hash
    rows: Sequence[StoredRow], match_id: str
) -> Fault | None:
    """Return the first fault of rows of the table of events; they are the whole match."""
    if not rows:
        return Fault(None, CHAIN, "There are no events of this match.")
    parsed, expected, place = orjson.loads, chain.GENESIS, 0
    number = 0
    try:
        for position, match, version, kind, at, body, hashed, _ in rows:
            number += 1
            if version != number:
                return _missing(number)
            if sha256(body).hexdigest() != hashed:
                return _changed(number)
            event = parsed(body)
            if event["version"] != number or event["match"] != match_id:
                return _missing(number)
            if event["previous"] != expected:
                return _unlinked(number)
            if event["kind"] != kind or event["at"] != at or match != match_id:
                return Fault(number, CHAIN, f"The columns beside event {number} say other things.")
            if position <= place:
                detail = f"Event {number} was stored before the one that it follows on."
                return Fault(number, CHAIN, detail)
            expected, place = hashed, position
    except (KeyError, TypeError, ValueError):
        return Fault(number, CHAIN, f"What is stored as event {number} is no event.")
    return None


def _missing(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} is missing or stands elsewhere.")


def _changed(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} is not what was hashed.")


def _unlinked(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} does not follow on the one before it.")
