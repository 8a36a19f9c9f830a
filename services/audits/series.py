"""Series in a database: whether a match follows on what it says that it follows on."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from domain.log.event_format import read
from services.audits.chain import CHAIN, Fault
from services.store import imports
from services.store.log import events as log
from services.store.log.audits import RawRow

_MARK = b'"series":{'
"""In the bytes of every first event of a match of a series, and of few others."""


def link_fault(connection: Connection, rows: Sequence[RawRow]) -> Fault | None:
    """Compare what a match names before it in its series with the last event there.

    ``rows``: of a match whose events hold. Without the match before it, one that came in from
    elsewhere holds by itself.
    """
    if not rows or _MARK not in rows[0][5]:
        return None
    try:
        previous = read(rows[0][5]).data["series"]["previous"]
        match, last = (None, None) if previous is None else (previous["match"], previous["head"])
    except (KeyError, TypeError, ValueError):
        # What is no event, or no series, is told by those who look at each match.
        return None
    if match is None:
        return None
    head = log.heads(connection, [match])
    if head.get(match) == last:
        return None
    if not head and imports.get(connection, rows[0][1]) is not None:
        return None
    return Fault(1, CHAIN, f"In its series it does not follow on match {match} as that is here.")
