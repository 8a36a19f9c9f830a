"""A whole match, all of it open, judged in the same way wherever its events came from.

Stored events and those of a file are given as rows of the table of events, whose links hold. One
thing after the other is looked at: what is said of a match is what does not hold first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from domain.errors import Corruption
from domain.game.registry import Games
from domain.log.event_format import is_canonical
from services.audits.decisions import Repeated, decided_again
from services.audits.faults import CHAIN, SEALS, Fault, told
from services.audits.seals import opening_faults, seal_faults
from services.store.log.audits import RawRow
from services.store.log.codec import CODEC

_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)


class Judged(NamedTuple):
    """What judging came to; without a fault, ``repeated`` has the state and some on the way."""

    faults: list[Fault]
    repeated: Repeated | None = None


def judged(rows: Sequence[RawRow], games: Games, keep: Collection[int] = ()) -> Judged:
    """Say what does not hold of what a chain that holds does not say: seals and decisions."""
    try:
        stream = CODEC.decode(row[5:] for row in rows)
    except Corruption as error:
        return Judged([_unreadable(rows, error)])
    for row in rows:
        if not is_canonical(row[5]):
            return Judged([Fault(row[2], CHAIN, f"Event {row[2]} is not in canonical form.")])
        if not is_instant(row[4]):
            return Judged([Fault(row[2], CHAIN, f"Event {row[2]} has no instant as its time.")])
    faults = told(chain(seal_faults(stream), opening_faults(stream, rows)))
    if faults:
        return Judged(faults)
    repeated = decided_again(stream, games, keep)
    return Judged([] if repeated.fault is None else [repeated.fault], repeated)


def is_instant(text: str) -> bool:
    """Whether a text is an instant, in the one form that there is."""
    if not _INSTANT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _unreadable(rows: Sequence[RawRow], error: Corruption) -> Fault:
    """Return which event cannot be read, and why."""
    for _, _, version, _, _, body, hashed, openings in rows:
        try:
            CODEC.one(body, hashed, openings)
        except Corruption as reason:
            return Fault(version, SEALS, f"Event {version} cannot be read: {reason}.")
    return Fault(None, SEALS, f"It cannot be read: {error}.")
