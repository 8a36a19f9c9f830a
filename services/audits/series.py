"""Series: whether a match follows on what it says that it follows on, and why it does not."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from domain.errors import Corruption
from domain.json_types import Json
from domain.match.events import Event, MatchCreated
from domain.match.series import Misfit, SeriesPlace, list_kept, place_of
from services.audits.chain import CHAIN, Fault
from services.store import imports
from services.store.log import codec
from services.store.log import events as log
from services.store.log.audits import RawRow

MISFITS = {
    Misfit.LINK: "In its series it does not follow on match {} as that is here.",
    Misfit.RUNNING: "It follows on match {} of its series, which is not over.",
    Misfit.TERMS: "It is not played as the match before it in its series, {}.",
    Misfit.SEATS: "Seats are not swapped behind the match before it in its series, {}.",
    Misfit.OVER: "Its series was over with the match before it, {}.",
}
"""Why a match does not belong behind the one of this id."""

_MARK = b'"series":{'
"""In the bytes of every first event of a match of a series, and of few others."""


def check_link(connection: Connection, rows: Sequence[RawRow]) -> Fault | None:
    """Compare a match with the one that it names before it in its series: its end, and its terms.

    ``rows``: of a match whose events hold. Without the match before it, one that came in from
    elsewhere holds by itself.
    """
    if not rows or _MARK not in rows[0][5]:
        return None
    try:
        place, kept = _series_of(codec.decode_event(*rows[0][5:]))
    except Corruption:
        # What is no event, or no series, is told by those who look at each match.
        return None
    if place.previous is None:
        return None
    found = _find_misfit(connection, rows[0][1], place, kept)
    return None if found is None else Fault(1, CHAIN, MISFITS[found].format(place.previous[0]))


def _find_misfit(
    connection: Connection, match: str, place: SeriesPlace, kept: tuple[Json, ...]
) -> Misfit | None:
    before, last = place.previous or ("", "")
    head = log.find_heads(connection, [before])
    if not head and imports.find(connection, match) is not None:
        return None
    if head.get(before) != last:
        return Misfit.LINK
    try:
        former, as_before = _series_of(log.load(connection, before, limit=1)[0])
    except Corruption:
        return Misfit.TERMS
    same = (former.terms, former.number + 1, as_before) == (place.terms, place.number, kept)
    return None if same else Misfit.TERMS


def _series_of(first: Event) -> tuple[SeriesPlace, tuple[Json, ...]]:
    """Return what a first event says of a series. Raises ``Corruption`` if it is of none."""
    fact = first.fact
    if not isinstance(fact, MatchCreated):
        raise Corruption("an event of a series that creates no match")
    return place_of(fact.series or {}), list_kept(fact)
