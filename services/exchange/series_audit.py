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
from domain.match.series import End, Member, Score, compute_score, find_misfit, list_kept, place_of
from domain.match.state import ACTIVE, OPEN
from services.audits.chain import CHAIN, Fault
from services.audits.series import MISFITS


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

    _before: dict[str, list[Member]] = field(default_factory=dict)

    def judge(self, stream: Sequence[Event], names: JsonObject) -> Judgement:
        """Say whether a match follows on the one before it, and what the score is then."""
        try:
            one = _find_member(stream)
        except Corruption as error:
            return Judgement([Fault(1, CHAIN, f"Event 1 cannot be: {error}.")])
        if one is None:
            return Judgement([])
        before = self._before.setdefault(one.place.id, [])
        found = find_misfit(one, before)
        if found is not None:
            detail = MISFITS[found].format(before[-1].match)
            return Judgement([Fault(1, CHAIN, detail)])
        before.append(one)
        if before[0].place.number > 1:
            return Judgement([], unchecked=("its series, whose first match is not in the file",))
        score = compute_score(one.place.terms, [member.end for member in before])
        return Judgement([], _tell_score(one, score, names))


def find_status(stream: Sequence[Event]) -> str:
    """Return the status of a match by its events alone."""
    started = any(isinstance(event.fact, events.MatchStarted) for event in stream)
    return ENDINGS.get(stream[-1].kind, ACTIVE if started else OPEN)


def _find_member(stream: Sequence[Event]) -> Member | None:
    """Return what a match's events say of its place in a series; None: it stands alone.

    They need not be all open, so there may be no state of it.
    """
    first, last = stream[0].fact, stream[-1]
    if not isinstance(first, MatchCreated) or first.series is None:
        return None
    taken = {e.fact.seat: e.fact.player for e in stream if isinstance(e.fact, events.SeatTaken)}
    end = End((taken.get(1), taken.get(2)), find_status(stream))
    if isinstance(last.fact, events.MatchEnded):
        end = end._replace(winner=last.fact.winner, forfeits=last.fact.forfeits is True)
    return Member(last.match, last.hash, list_kept(first), place_of(first.series), end)


def _tell_score(one: Member, score: Score, names: JsonObject) -> str:
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
