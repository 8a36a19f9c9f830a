"""Deadlines in every mix of pace, pause, vacation and takeback, as counting hours gives them."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest

from domain.errors import ClockForbids, NoSuchOffer, Refusal
from domain.json_types import JsonObject
from domain.match import commands
from domain.match.clock import complete_pace
from domain.match.fold import fold
from domain.match.state import dump, find_due, load
from tests.domain.match.test_clock import BANK, DAY, DAYS, STEP, deadline, hours, timed
from tests.support.scenario import Table

PACES: list[JsonObject | None] = [
    None,
    *(
        {**pace, "vacation": vacation, "pause": pausing}
        for pace, vacation, pausing in product((DAYS, BANK), (True, False), (True, False))
    ),
]
PAUSES = ("none", "whole", "ended early")
AWAY = ("nobody", "who moved", "who is to act", "both", "back early")
TAKEBACKS = (None, 12, 25, 40)
"""At which hour the move is taken back: before the clocks stand, meanwhile, and behind that."""


class Reckoning(NamedTuple):
    """What a match does in a mix, hour by hour, reckoned without the clock's own arithmetic.

    ``turns``: from which hour on which seat is to act. ``standing``: hours at which a seat's
    clock stands.
    """

    turns: list[tuple[int, int]]
    standing: dict[int, set[int]]
    restored: int | None


def reckon(pace: JsonObject, mix: Reckoning) -> int:
    """Return the hour at which the seat to act has no time left, by counting hours."""
    per_turn = "days_per_move" in pace
    full = pace["days_per_move"] * 24 if per_turn else pace["bank_hours"]
    left, then = {1: full, 2: full}, {1: full, 2: full}
    turns = dict(mix.turns)
    seat = 1
    for hour in range(100_000):
        if hour == mix.restored:
            left = {one: max(left[one], then[one]) for one in (1, 2)}
            seat = 1
        elif hour in turns and turns[hour] != seat:
            if per_turn:
                left[seat] = full
            else:
                left[seat] += max(0, min(pace["increment_hours"], pace["cap_hours"] - left[seat]))
            seat = turns[hour]
        if left[seat] == 0:
            return hour
        if hour not in mix.standing[seat]:
            left[seat] -= 1
    raise AssertionError("a match without an end")


def attempt(table: Table, at: int, *asked: commands.Command, allowed: bool) -> bool:
    """Do what is asked at an hour if the pace allows it; else see to it that it is refused."""
    for command in asked:
        if allowed:
            table.do(command, hours(at))
        else:
            before = table.match
            with pytest.raises((ClockForbids, NoSuchOffer)):
                table.do(command, hours(at))
            assert table.match == before
    return allowed


@pytest.mark.parametrize(
    ("pace", "stop", "away", "taken_back"), [*product(PACES, PAUSES, AWAY, TAKEBACKS)]
)
def test_every_mix_of_pace_pause_vacation_and_takeback_has_the_deadline_that_hours_give(
    pace: JsonObject | None, stop: str, away: str, taken_back: int | None
) -> None:
    table = timed(pace)
    breaks, rests = (pace is not None and pace[name] for name in ("pause", "vacation"))
    standing: dict[int, set[int]] = {1: set(), 2: set()}
    version = table.match.version
    table.play(STEP, at=hours(10))

    def take_back(at: int) -> None:
        if at == taken_back:
            table.take_back(1, version, hours(at))

    take_back(12)
    agreed = commands.MakeOffer(1, "pause", 5 * DAY), commands.AcceptOffer(2, "pause")
    if stop != "none" and attempt(table, 15, *agreed, allowed=breaks):
        for seat in (1, 2):
            standing[seat] |= set(range(15, 39 if stop == "ended early" else 15 + 120))
    going = {"who moved": (1,), "who is to act": (2,), "both": (1, 2), "back early": (2,)}
    for seat in going.get(away, ()):
        if attempt(table, 20, commands.GoAway(seat, 2 * DAY), allowed=rests):
            standing[seat] |= set(range(20, 30 if away == "back early" else 68))
    take_back(25)
    if away == "back early":
        attempt(table, 30, commands.ComeBack(2), allowed=rests)
    if stop == "ended early":
        ended = commands.MakeOffer(2, "resume"), commands.AcceptOffer(1, "resume")
        attempt(table, 39, *ended, allowed=breaks)
    take_back(40)
    mix = Reckoning([(0, 1), (10, 2)], standing, taken_back)
    reckoned = None if pace is None else hours(reckon(complete_pace(pace) or {}, mix))
    assert deadline(table) == reckoned
    _is_kept(table)


def _is_kept(table: Table) -> None:
    """Compare the deadlines of a fold from the start and of one from a snapshot."""
    folded = fold(table.events, table.games)
    assert folded == table.match
    assert load(dump(folded), table.games) == folded


def test_a_match_that_is_over_has_no_deadline() -> None:
    table = timed()
    table.do(commands.Resign(2), hours(1))
    assert (deadline(table), find_due(table.match)) == (None, None)
    for command in (commands.TimeOut(), commands.GiveTime(1, DAY), commands.GoAway(1, DAY)):
        with pytest.raises(Refusal) as refused:
            table.do(command, hours(1_000))
        assert refused.value.code == "match-not-active"
