"""What each kind of event is, beside what its record holds: one row a kind.

Which kinds end a match and which offers they are about is asked here and written out nowhere else.
Whoever does something else for each kind (``narration``, what a fact does in ``evolve``, which
command an event answers in ``services.audits.decisions``) goes through all of them in a way that a
new kind is missed by the type checker or by a test. The verifier that stands alone has its own
lists, which a test holds against this table.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from domain.match import events
from domain.match.events import FACTS
from domain.match.state import ABORTED, FINISHED


class TurnEffect(Enum):
    """What a kind of event does to turns: one begins; that of its ``seat`` is over."""

    BEGINS = "begins"
    PASSES = "passes"


class Kind(NamedTuple):
    """A kind of event.

    ``fact``: its record. ``ends``: the status in which it leaves a match for good. ``offers``,
    ``declines``: the kind of offer that it makes, or turns down. ``sets_up``: whether it is part of
    what there is before the first move. ``turn``: what it does to turns.
    """

    fact: type
    ends: str | None = None
    offers: str | None = None
    declines: str | None = None
    sets_up: bool = False
    turn: TurnEffect | None = None


KINDS: dict[str, Kind] = {
    "match-created": Kind(events.MatchCreated, sets_up=True),
    "seat-taken": Kind(events.SeatTaken, sets_up=True),
    "seat-kept": Kind(events.SeatKept, sets_up=True),
    "dice-contributed": Kind(events.DiceContributed, sets_up=True),
    "match-started": Kind(events.MatchStarted, sets_up=True, turn=TurnEffect.BEGINS),
    "chance-drawn": Kind(events.ChanceDrawn, sets_up=True),
    "move-made": Kind(events.MoveMade, turn=TurnEffect.PASSES),
    "turn-passed": Kind(events.TurnPassed, turn=TurnEffect.PASSES),
    "draw-offered": Kind(events.DrawOffered, offers="draw"),
    "draw-declined": Kind(events.DrawDeclined, declines="draw"),
    "takeback-offered": Kind(events.TakebackOffered, offers="takeback"),
    "takeback-declined": Kind(events.TakebackDeclined, declines="takeback"),
    "takeback-accepted": Kind(events.TakebackAccepted, turn=TurnEffect.BEGINS),
    "pause-offered": Kind(events.PauseOffered, offers="pause"),
    "pause-declined": Kind(events.PauseDeclined, declines="pause"),
    "resume-offered": Kind(events.ResumeOffered, offers="resume"),
    "resume-declined": Kind(events.ResumeDeclined, declines="resume"),
    "abort-offered": Kind(events.AbortOffered, offers="abort"),
    "abort-declined": Kind(events.AbortDeclined, declines="abort"),
    "clock-paused": Kind(events.ClockPaused),
    "clock-resumed": Kind(events.ClockResumed),
    "time-given": Kind(events.TimeGiven),
    "match-ended": Kind(events.MatchEnded, ends=FINISHED),
    "match-aborted": Kind(events.MatchAborted, ends=ABORTED),
}
"""Every kind by its stored name. The names are ours and never change."""

ENDINGS: dict[str, str] = {name: kind.ends for name, kind in KINDS.items() if kind.ends}
"""The kinds behind which no event ever comes, and the status in which each leaves a match."""

ENDED: dict[type, str] = {kind.fact: kind.ends for kind in KINDS.values() if kind.ends}
"""The same by their records."""

OFFERED: dict[type, str] = {kind.fact: kind.offers for kind in KINDS.values() if kind.offers}
"""Records of offers, and what is offered."""

DECLINED: dict[type, str] = {kind.fact: kind.declines for kind in KINDS.values() if kind.declines}
"""Records of what turns an offer down, and what was offered."""

SET_UP: frozenset[str] = frozenset(name for name, kind in KINDS.items() if kind.sets_up)
"""Kinds that make up what there is before the first move."""

if {name: kind.fact for name, kind in KINDS.items()} != FACTS:
    raise TypeError("the table of kinds and the records of facts disagree")
