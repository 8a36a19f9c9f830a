"""A whole match, all of it open, judged in the same way wherever its events came from.

Stored events and those of a file are given as rows of the table of events, whose links hold. There
are two ways to judge them: ``holding`` is quick and says only whether they hold, ``judged`` looks
at one thing after the other and says what does not, and where.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from domain.errors import Corruption
from domain.game.registry import Games
from services.audits.decisions import Repeated, decided_again, deciding_again
from services.audits.faults import CHAIN, SEALS, Fault, told
from services.audits.plain import PlainMoves
from services.audits.reading import Reading, is_canonical
from services.audits.seals import opening_faults, seal_faults
from services.audits.steps import Steps
from services.store.log.audits import RawRow
from services.store.log.codec import CODEC

_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_FORM = b"0000-00-00T00:00:00.000000Z"


class Judged(NamedTuple):
    """What judging came to; without a fault, ``repeated`` has the state and some on the way."""

    faults: list[Fault]
    repeated: Repeated | None = None


def holding(
    rows: Sequence[RawRow], others: Collection[int], games: Games, keep: Collection[int] = ()
) -> Steps[Repeated | None]:
    """Find out whether seals and decisions hold, as quickly as can be; None: they do not.

    ``others`` are the indexes of the rows that are not bare; ``keep``: the versions whose states
    are wanted. Raises ``Corruption``.
    """
    stream = Reading(rows)
    if not all(is_canonical(rows[index][5]) for index in others):
        return None
    if not are_instants([row[4] for row in rows]):
        return None
    sealed = [stream[index] for index in others]
    openings = (rows[index] for index in others)
    if any(seal_faults(sealed)) or any(opening_faults(sealed, openings)):
        return None
    plain = PlainMoves(rows, others, keep)
    repeated = yield from deciding_again(stream, games, keep, plain)
    return repeated if repeated.fault is None else None


def judged(rows: Sequence[RawRow], games: Games, keep: Collection[int] = ()) -> Judged:
    """Say what does not hold of what a chain that holds does not say: seals and decisions."""
    try:
        stream = CODEC.decode(row[5:] for row in rows)
    except Corruption as error:
        return Judged([_unreadable(rows, error)])
    for row in rows:
        if not is_canonical(row[5]):
            return Judged([Fault(row[2], CHAIN, f"Event {row[2]} is not in canonical form.")])
        if not are_instants([row[4]]):
            return Judged([Fault(row[2], CHAIN, f"Event {row[2]} has no instant as its time.")])
    faults = told(chain(seal_faults(stream), opening_faults(stream, rows)))
    if faults:
        return Judged(faults)
    repeated = decided_again(stream, games, keep)
    return Judged([] if repeated.fault is None else [repeated.fault], repeated)


def are_instants(instants: Sequence[str]) -> bool:
    """Whether all of them are instants, in the one form that there is."""
    forms = ",".join(instants).encode(errors="surrogateescape").translate(_ZEROS)
    if forms != b",".join([_FORM] * len(instants)):
        return False
    try:
        return all(map(datetime.fromisoformat, instants))
    except ValueError:
        return False


def _unreadable(rows: Sequence[RawRow], error: Corruption) -> Fault:
    """Return which event cannot be read, and why."""
    for _, _, version, _, _, body, hashed, openings in rows:
        try:
            CODEC.one(body, hashed, openings)
        except Corruption as reason:
            return Fault(version, SEALS, f"Event {version} cannot be read: {reason}.")
    return Fault(None, SEALS, f"It cannot be read: {error}.")
