"""The chain: versions without gaps, hashes over the stored bytes, links, the columns beside."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import compress, count
from operator import ge, not_
from typing import NamedTuple

import orjson

from domain.log import chain
from domain.match.events import Event
from services.audits.faults import CHAIN, Fault
from services.store.log.audits import RawRow
from services.store.log.fields import FEW, Fields


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


_SEAT, _CREATOR = slice(18, 52), slice(19, 53)
"""Where ``at`` stands in an event's bytes: behind a seat or the server, or the creator."""


class Linked(NamedTuple):
    """What the links of a match's rows came to: the first fault, and which rows are not bare.

    A row is bare when its event seals nothing, and its bytes end as they must and have the instant
    in its place; only its actor and its data are still to be looked at. ``others`` holds the
    indexes of the rest.
    """

    fault: Fault | None
    others: frozenset[int] = frozenset()


def linked(rows: Sequence[RawRow], match_id: str) -> Linked:
    """Check rows of the table of events, which are the whole match, as to their order and links.

    The members that count here stand at the end of canonical bytes, and are compared there. Only
    what differs is taken apart, and judged.
    """
    if not rows:
        return Linked(Fault(None, CHAIN, "There are no events of this match."))
    middle = f'","match":"{match_id}","previous":"'
    others: list[int] = []
    previous, place, number = chain.GENESIS, 0, 0
    try:
        for number, row in enumerate(rows, 1):
            position, match, version, kind, at, body, hashed, openings = row
            ending = (
                f'}},"kind":"{kind}{middle}{previous}","schema":1,"sealed":[],"version":{number}}}'
            ).encode()
            if not (
                sha256(body).hexdigest() == hashed
                and body.endswith(ending)
                and (body[_SEAT] == (said := f'"at":"{at}"'.encode()) or body[_CREATOR] == said)
                and version == number
                and match == match_id
                and position > place
                and openings is None
            ):
                fault = _row_fault(row, number, match_id, previous, place)
                if fault is not None:
                    return Linked(fault)
                others.append(number - 1)
            previous, place = hashed, position
    except (AttributeError, KeyError, TypeError, ValueError):
        return Linked(Fault(number, CHAIN, f"What is stored as event {number} is no event."))
    return Linked(None, frozenset(others))


def _ending(number: int) -> str:
    return f'","schema":1,"sealed":[],"version":{number}}}\n'


_ENDINGS = tuple(map(_ending, range(1, FEW + 1)))


def endings(number: int) -> Iterable[str]:
    """Return how so many bare events end, the first first, behind their links: each a line."""
    return _ENDINGS[:number] if number <= FEW else map(_ending, range(1, number + 1))


def linked_fields(fields: Fields) -> list[frozenset[int]] | None:
    """Check the same of fields, of many at a time; None: row by row it is told what is wrong.

    Returns for each match the indexes of its events that are not bare, as ``linked`` does. Hashes
    are those of the bodies, as they came apart.
    """
    back = compress(count(1), map(ge, fields.positions, fields.positions[1:]))
    if not {*fields.stops}.issuperset(back):
        return None
    pasts = _pasts(fields)
    ends = _ends(fields, pasts)
    if len(ends) != len(fields.bodies) + 1:
        return None
    bare = map(bytes.endswith, fields.bodies, ends)
    others = sorted({*compress(count(), map(not_, bare)), *fields.openings})
    return _parted(others, fields.stops) if _are_linked(fields, others, pasts, ends) else None


def _pasts(fields: Fields) -> list[str]:
    """Return the hash that each event is to follow on."""
    pasts = ["", *fields.hashes[:-1]]
    for start in fields.starts:
        pasts[start] = chain.GENESIS
    return pasts


def _parted(others: Iterable[int], stops: Sequence[int]) -> list[frozenset[int]]:
    """Return indexes within their matches."""
    parts: list[set[int]] = [set() for _ in stops]
    for index in others:
        number = bisect_right(stops, index)
        parts[number].add(index - (stops[number - 1] if number else 0))
    return [*map(frozenset, parts)]


def _ends(fields: Fields, pasts: Sequence[str]) -> list[bytes]:
    """Return the bytes with which bare events end, and nothing behind the last of them."""
    middles: list[str] = []
    numbers: list[str] = []
    for match, start, stop in zip(fields.matches, fields.starts, fields.stops, strict=True):
        number = stop - start
        middles += [f'","match":"{match}","previous":"'] * number
        numbers += endings(number)
    parts = ['},"kind":"'] * (5 * len(pasts))
    parts[1::5], parts[2::5], parts[3::5], parts[4::5] = fields.kinds, middles, pasts, numbers
    return "".join(parts).encode().split(b"\n")


def _are_linked(
    fields: Fields, others: Iterable[int], pasts: Sequence[str], ends: Sequence[bytes]
) -> bool:
    """Whether the events that are not bare stand where they should."""
    try:
        for index in others:
            if _ends_sealed(fields.bodies[index], ends[index]):
                continue
            row = fields.row(index)
            match, version = row[1], row[2]
            place = fields.positions[index - 1] if version > 1 else 0
            if _row_fault(row, version, match, pasts[index], place):
                return False
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return True


_SEAL = rb'\{"commitment":"[0-9a-f]{64}","for":\[[a-z0-9,"-]+\]\}'
_SEALS = re.compile(rb"%b(?:,%b)*" % (_SEAL, _SEAL))
"""What stands in ``sealed``. Nothing in it can be taken for another member of the event."""


def _ends_sealed(body: bytes, ending: bytes) -> bool:
    """Whether an event's bytes end as they must when it seals something, in the usual form.

    ``ending``: how they would end if it sealed nothing.
    """
    start, end, version = ending.rpartition(b"]")
    behind = body.rpartition(start)[2]
    end += version
    return behind.endswith(end) and _SEALS.fullmatch(behind, 0, len(behind) - len(end)) is not None


def _row_fault(  # noqa: PLR0911 - one for each thing that can be wrong
    row: RawRow, number: int, match_id: str, previous: str, place: int
) -> Fault | None:
    """Return what is wrong with a row, if there is anything: whatever its event seals."""
    position, match, version, kind, at, body, hashed, _ = row
    if version != number:
        return _missing(number)
    if sha256(body).hexdigest() != hashed:
        return _changed(number)
    event = orjson.loads(body)
    if event["version"] != number or event["match"] != match_id:
        return _missing(number)
    if event["previous"] != previous:
        return _unlinked(number)
    if event["kind"] != kind or event["at"] != at or match != match_id:
        return Fault(number, CHAIN, f"The columns beside event {number} say other things.")
    if position <= place:
        detail = f"Event {number} was stored before the one that it follows on."
        return Fault(number, CHAIN, detail)
    return None


def _missing(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} is missing or stands elsewhere.")


def _changed(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} is not what was hashed.")


def _unlinked(number: int) -> Fault:
    return Fault(number, CHAIN, f"Event {number} does not follow on the one before it.")
