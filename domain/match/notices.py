"""Notices: who is to be told what when something happens in a match.

A notice names the match, the version and the kind of the event that it tells of, and nothing of
the game: whoever wants to know more asks, and sees what a player may see. So nothing hidden can be
in one, whatever channel takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.log.event_format import hash_bytes, write_canonical
from domain.match.clock import DAY, add_span
from domain.match.events import Event, to_data
from domain.match.kinds import KINDS, TurnEffect
from domain.match.state import OPEN, Match, find_due

TURN, CHALLENGE, OVER = "match.turn", "match.challenge", "match.over"
TIME_LOW, SERIES_OVER, TEST = "match.time-low", "series.over", "test"

TYPES = (TURN, CHALLENGE, OVER, TIME_LOW, SERIES_OVER)
"""What somebody may want to be told; ``TEST`` they ask for each time."""

LOW_PART = 4
"""Little time is left in the last quarter of a pace's time, or of the bank it begins with."""
LOW_MOST = DAY
"""It is never more than this, in microseconds."""

_DIGITS = 13
"""Hex digits of a number: 52 bits, so that JSON's readers take it as it is."""


class Notice(NamedTuple):
    """Something that a player is told.

    ``number`` names it for good: the same notice has the same one, whoever makes it, so that it is
    written once and told apart from all others. ``match``, ``version`` and ``kind`` are of the
    event that it tells of. ``at``: when that was.
    """

    number: int
    player: str
    type: str
    match: str
    version: int
    kind: str
    at: str


def list_notices(
    match: Match, events: Sequence[Event], *, series_over: bool = False
) -> list[Notice]:
    """Return what is to be told of events that have just led to ``match``.

    ``series_over``: the match was the last one of a series.
    """
    last = events[-1]
    told = dict.fromkeys(_iter_recipients(match, events, series_over=series_over))
    return [
        Notice(
            compute_number(type_, player, last.hash),
            player,
            type_,
            match.id,
            last.version,
            last.kind,
            last.at,
        )
        for player, type_ in told
    ]


def compute_number(type_: str, player: str, about: str) -> int:
    """Return the number of a notice; ``about``: what it is about, as no other of its type is.

    That is the hash of an event, not its version: after a backup was restored the same version may
    be another event, which is to be told too.
    """
    return int(
        hash_bytes(write_canonical(["plybook/notice/1", type_, player, about]))[:_DIGITS], 16
    )


def find_low_instant(match: Match) -> str | None:
    """Return the instant from which on little time is left to the seat to act, or None."""
    deadline = find_due(match)
    if match.clock is None or deadline is None:
        return None
    return add_span(deadline, -min(LOW_MOST, match.clock.pace.allowance // LOW_PART))


def make_low_notice(match: Match, deadline: str, last: tuple[int, str]) -> Notice | None:
    """Return what tells the player to act that little time is left before ``deadline``.

    ``last``: the version and the kind of the match's last event.
    """
    player = None if match.to_act is None else match.seats[match.to_act - 1]
    if player is None:
        return None
    number = compute_low_number(player, match.id, deadline)
    return Notice(number, player, TIME_LOW, match.id, *last, match.updated_at)


def compute_low_number(player: str, match_id: str, deadline: str) -> int:
    """Return the number of what tells that little time is left: it is told once a deadline."""
    return compute_number(TIME_LOW, player, f"{match_id} {deadline}")


def _iter_recipients(
    match: Match, events: Sequence[Event], *, series_over: bool
) -> Iterator[tuple[str, str]]:
    """Yield who is told, and of what type it is."""
    seated = [player for player in match.seats if player is not None]
    if match.over:
        # Who was challenged is told that there is nothing to answer any more.
        concerned = seated if match.opponent is None else [*seated, match.opponent]
        yield from ((player, OVER) for player in concerned)
        yield from ((player, SERIES_OVER) for player in seated if series_over)
    elif match.status == OPEN:
        if match.opponent is not None and events[0].version == 1:
            yield match.opponent, CHALLENGE
    elif (seat := match.to_act) is not None and _begins_a_turn(seat, events):
        yield match.seats[seat - 1], TURN


def _begins_a_turn(seat: int, events: Sequence[Event]) -> bool:
    """Whether the turn of the seat to act has begun with these events.

    That may be so though it was to act before: it moved, and a conditional move has answered.
    """
    turns = [(KINDS[event.kind].turn, event.fact) for event in events]
    return any(
        turn is TurnEffect.BEGINS or (turn is TurnEffect.PASSES and to_data(fact)["seat"] != seat)
        for turn, fact in turns
    )
