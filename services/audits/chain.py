"""The chain of a match and its seals, and the words in which audits say what they found.

``check_chain`` goes through all rows of a match: versions without gaps, hashes over the stored
bytes, links, and what the columns beside each event say. ``check_seals`` and ``check_openings``
hold what was opened against what was sealed, and against the one way to write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from domain.log import event_format
from domain.log.event_format import GENESIS, hash_bytes, read
from domain.match.events import Event
from services.store.log.audits import RawRow
from services.store.log.codec import to_openings

CHAIN, SEALS, DECISIONS, CACHES = "chain", "seals", "decisions", "caches"
HEADER, CHECKPOINT = "header", "checkpoint"


class Fault(NamedTuple):
    """Something that does not hold. ``check``: one of the names above."""

    version: int | None
    check: str
    detail: str


MOST_TOLD = 100
"""Faults of one match that are told: nobody reads more, and each event may have some."""


def limit_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first of many faults, and that there are more."""
    found = [*islice(faults, MOST_TOLD + 1)]
    if len(found) > MOST_TOLD:
        found[-1] = Fault(None, found[-1].check, "There are more faults, which are not told.")
    return found


class Verdict(NamedTuple):
    """What an audit of one match found.

    ``series``: the score of its series after it, of a file that tells.
    ``unchecked``: what could not be looked at, and why. ``undecided``: what was asked for, and
    could not be found out with what is at hand.
    """

    match: str
    events: int
    faults: list[Fault]
    unchecked: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    series: str | None = None

    @property
    def broken(self) -> bool:
        """Whether something does not hold."""
        return bool(self.faults)

    @property
    def holds(self) -> bool:
        """Whether everything that was looked at holds, and nothing is undecided."""
        return not self.faults and not self.undecided


def check_chain(rows: Sequence[RawRow], match_id: str) -> Fault | None:
    """Return the first fault in the order, the hashes and the links of all rows of a match."""
    if not rows:
        return Fault(None, CHAIN, "There are no events of this match.")
    previous, place = GENESIS, 0
    for number, row in enumerate(rows, 1):
        try:
            detail = _check_row(row, number, match_id, previous, place)
        except (AttributeError, KeyError, TypeError, ValueError):
            detail = f"What is stored as event {number} is no event."
        if detail is not None:
            return Fault(number, CHAIN, detail)
        previous, place = row[6], row[0]
    return None


def _check_row(  # noqa: PLR0911 - one for each thing that can be wrong
    row: RawRow, number: int, match_id: str, previous: str, place: int
) -> str | None:
    """Say what is wrong with a row that is to be event ``number``, behind another at ``place``."""
    position, match, version, kind, at, body, hashed, _ = row
    if version != number:
        return f"Event {number} is missing or stands elsewhere."
    if hash_bytes(body) != hashed:
        return f"Event {number} is not what was hashed."
    its_match, its_version, its_kind, _, _, its_at, _, _, before = read(body)
    if its_version != number or its_match != match_id:
        return f"Event {number} is missing or stands elsewhere."
    if before != previous:
        return f"Event {number} does not follow on the one before it."
    if its_kind != kind or its_at != at or match != match_id:
        return f"The columns beside event {number} say other things."
    if position <= place:
        return f"Event {number} was stored before the one that it follows on."
    return None


_SALT = re.compile(r"[0-9a-f]{64}", re.ASCII)


def check_seals(stream: Iterable[Event], *, complete: bool = True) -> Iterator[Fault]:
    """Check that every opening is what was sealed; ``complete``: and that none is missing."""
    for event in stream:
        for seal in event.sealed:
            if seal.salt is None:
                if complete:
                    yield Fault(event.version, SEALS, f"Event {event.version} has lost an opening.")
            # A salt in capitals has the same bytes, and would be a change that nobody sees.
            elif (
                type(seal.salt) is not str
                or not _SALT.fullmatch(seal.salt)
                or event_format.compute_commitment(seal.salt, seal.value) != seal.commitment
            ):
                yield Fault(
                    event.version, SEALS, f"A sealed value of event {event.version} is another."
                )


def check_openings(stream: Iterable[Event], rows: Iterable[RawRow]) -> Iterator[Fault]:
    """Check that openings are stored in canonical form, where each byte counts."""
    for event, row in zip(stream, rows, strict=True):
        openings = row[-1]
        if openings is not None and to_openings(event.sealed) != openings:
            detail = f"The openings of event {event.version} are not written as they were stored."
            yield Fault(event.version, SEALS, detail)
