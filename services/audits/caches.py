"""Audits of caches: lists and snapshots must agree with the events, and be of matches there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.errors import Corruption
from domain.match.state import Match, format_of
from services.audits.chain import CACHES, Fault
from services.audits.decisions import Repeated
from services.matches.repository import is_state, row_of
from services.store.log.audits import RawRow
from services.store.log.snapshots import Snapshot
from services.store.matches import MatchRow


def end_fault(last: RawRow, line: MatchRow | None) -> Fault | None:
    """Compare where a match's line says that it ends with where its events end."""
    _, _, version, _, _, _, head, _ = last
    if line is None:
        return Fault(None, CACHES, "There are events of this match, and the lists do not have it.")
    if line.version > version:
        detail = f"The lists know event {line.version}, and the events end before: they were cut."
        return Fault(version + 1, CACHES, detail)
    if (line.version, line.head) != (version, head):
        return Fault(None, CACHES, "The match's line in the lists differs from its events.")
    return None


def cache_faults(
    repeated: Repeated, line: MatchRow | None, snapshots: Sequence[Snapshot]
) -> Iterator[Fault]:
    """Compare a match's line and its snapshots with what deciding again has come to.

    ``repeated`` has the states at the versions of the snapshots, as far as there are events.
    """
    if repeated.match is not None and line != row_of(repeated.match):
        yield Fault(None, CACHES, "The match's line in the lists differs from its events.")
    for snapshot in snapshots:
        version = snapshot.version
        state = repeated.states.get(version)
        if state is None:
            yield Fault(version, CACHES, f"There is a snapshot of event {version}, which is none.")
        elif not _same(snapshot, state):
            yield Fault(version, CACHES, "A snapshot differs from its events.")


def _same(snapshot: Snapshot, then: Match) -> bool:
    if (snapshot.head, snapshot.format) != (then.head, format_of(then.game)):
        return False
    try:
        return is_state(snapshot.state, then)
    except (ValueError, TypeError, Corruption):
        return False
