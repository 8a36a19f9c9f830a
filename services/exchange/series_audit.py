"""Series in a file: whether its matches are one series, and who is the champion.

Each match names the last event of the one before it, so they are one chain; the score follows from
their ends, and says itself whether a match could follow at all. What is not in the file cannot be
looked at: then nobody is said to be champion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.match import events
from domain.match.events import Event, MatchCreated
from domain.match.kinds import ENDINGS
from domain.match.series import End, Place, Score, place_of, score_of
from domain.match.state import ACTIVE, OPEN
from services.audits.chain import CHAIN, Fault

_KEPT = ("game", "rules_version", "options", "visibility", "pace", "rated", "creator")
"""What the matches of a series have in common."""


class InSeries(NamedTuple):
    """What a series needs of one of its matches."""

    match: str
    head: str
    created: MatchCreated
    place: Place
    end: End


class Judgement(NamedTuple):
    """What the matches of a file up to one of them say of its series.

    ``told``: the score in words. ``unchecked``: what could not be looked at.
    """

    faults: list[Fault]
    told: str | None = None
    unchecked: tuple[str, ...] = ()


@dataclass(slots=True)
class SeriesAudit:
    """Goes through the matches of a file; give it every one that holds, in order."""

    _last: dict[str, list[InSeries]] = field(default_factory=dict)

    def judge(self, stream: Sequence[Event], names: JsonObject) -> Judgement:
        """Say whether a match follows on the one before it, and what the score is then."""
        try:
            one = _in_series(stream)
        except Corruption as error:
            return Judgement([Fault(1, CHAIN, f"Event 1 cannot be: {error}.")])
        if one is None:
            return Judgement([])
        before = self._last.get(one.place.id, [])
        detail = _fault(one, before[-1] if before else None, before)
        if detail is not None:
            return Judgement([Fault(1, CHAIN, detail)])
        self._last[one.place.id] = matches = [*before, one]
        if matches[0].place.number > 1:
            return Judgement([], unchecked=("its series, whose first match is not in the file",))
        return Judgement([], _told(one, _score(matches), names))


def _in_series(stream: Sequence[Event]) -> InSeries | None:
    """Return what a match's events say of its place in a series; None: it stands alone."""
    created, last = stream[0].fact, stream[-1]
    if not isinstance(created, MatchCreated) or created.series is None:
        return None
    taken = {e.fact.seat: e.fact.player for e in stream if isinstance(e.fact, events.SeatTaken)}
    started = any(isinstance(event.fact, events.MatchStarted) for event in stream)
    status = ENDINGS.get(last.kind, ACTIVE if started else OPEN)
    end = End((taken.get(1), taken.get(2)), status)
    if isinstance(last.fact, events.MatchEnded):
        end = end._replace(winner=last.fact.winner, forfeits=last.fact.forfeits is True)
    return InSeries(last.match, last.hash, created, place_of(created.series), end)


def _score(matches: Sequence[InSeries]) -> Score:
    return score_of(matches[0].place.terms, [one.end for one in matches])


def _fault(one: InSeries, last: InSeries | None, before: Sequence[InSeries]) -> str | None:
    """Say what is wrong with a match that comes behind these of its series, or None."""
    if last is None:
        return None
    if one.place.previous != (last.match, last.head):
        return f"In its series it does not follow on match {last.match} as that is in this file."
    same = all(getattr(one.created, name) == getattr(last.created, name) for name in _KEPT)
    if one.place.number != last.place.number + 1 or one.place.terms != last.place.terms or not same:
        return f"It is not played as the match before it in its series, {last.match}."
    if one.end.players != last.end.players[::-1]:
        return f"Seats are not swapped behind the match before it in its series, {last.match}."
    if before[0].place.number == 1 and not _score(before).goes_on:
        return f"Its series was over with the match before it, {last.match}."
    return None


def _told(one: InSeries, score: Score, names: JsonObject) -> str:
    points = ", ".join(
        f"{names.get(player, player)} {number}" for player, number in score.half_points.items()
    )
    if score.champion is not None:
        what = f"{names.get(score.champion, score.champion)} is the champion"
    elif score.goes_on or not score.played:
        what = "it goes on"
    else:
        what = "it ended undecided" if score.status == "aborted" else "the first place is shared"
    return f"series {one.place.id} after match {one.place.number}: {points} half points; {what}"
