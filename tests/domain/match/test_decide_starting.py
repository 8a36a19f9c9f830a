"""How a match that waits for its second player may end without one."""

from __future__ import annotations

import pytest

from domain.errors import ClockForbids, TimeIsUp
from domain.game.game import Viewer
from domain.json_types import Json
from domain.match import commands
from domain.match.clock import SECOND, add_span
from domain.match.fold import fold
from domain.match.state import dump, find_due, load
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, STRANGER, Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
ADA, BOB = PLAYERS
DAY = 86_400


def opened(**table: Json) -> Given:
    """Return a match that waits for its second player."""
    return Given(Table(PATH_CAPTURE, **table))


@pytest.mark.parametrize("seat", [1, 2])
def test_who_is_challenged_declines(seat: int) -> None:
    challenged = PLAYERS[2 - seat]
    table = (
        opened(opponent=challenged, seat=seat)
        .when(command=commands.DeclineChallenge(challenged))
        .leads_to("match-aborted", status="aborted", result={"winner": None, "reason": "declined"})
    )
    # Nobody sits there, but it is the seat of the one who declined.
    assert table.events[-1].actor == f"seat-{3 - seat}"


@pytest.mark.parametrize("player", [ADA, STRANGER])
def test_nobody_else_declines(player: str) -> None:
    opened(opponent=BOB).when(command=commands.DeclineChallenge(player)).refuses("not-your-seat")


def test_there_is_nothing_to_decline_where_nobody_was_challenged() -> None:
    opened().when(command=commands.DeclineChallenge(BOB)).refuses("not-your-seat")


WAITS = [(None, None, 60), (BOB, None, 14), (BOB, 3 * DAY, 3), (BOB, 30 * DAY, 30)]
"""Who is challenged, for how many seconds, and after how many days that is over."""


@pytest.mark.parametrize(("opponent", "waits", "days"), WAITS)
def test_what_nobody_joined_lapses_in_its_time_and_not_before(
    opponent: str | None, waits: int | None, days: int
) -> None:
    table = Table(PATH_CAPTURE, opponent=opponent, waits=waits)
    over = add_span(table.match.created_at, days * DAY * SECOND)
    assert find_due(table.match) == over == table.view(Viewer.SPECTATOR).lapses_at
    early = Table(PATH_CAPTURE, opponent=opponent, waits=waits)
    with pytest.raises(ClockForbids):
        early.do(commands.LapseMatch(), add_span(over, -1))
    early.do(commands.JoinMatch(BOB, {}), add_span(over, -1))
    with pytest.raises(TimeIsUp):
        table.do(commands.JoinMatch(BOB, {}), over)
    [event] = table.do(commands.LapseMatch(), over)
    assert (event.actor, table.match.status, table.match.reason) == ("server", "aborted", "lapsed")
    assert fold(table.events, table.games) == table.match == load(dump(table.match), table.games)


def test_only_a_challenge_that_waits_otherwise_than_usual_says_so() -> None:
    kinds = [
        [event.kind for event in Table(PATH_CAPTURE, seat=2, opponent=who, waits=waits).events]
        for who, waits in ((ADA, 3 * DAY), (ADA, 14 * DAY), (ADA, None), (None, 3 * DAY))
    ]
    usual = ["match-created", "seat-taken"]
    assert kinds == [[*usual, "seat-kept"], usual, usual, usual]


@pytest.mark.parametrize("command", [commands.DeclineChallenge(BOB), commands.LapseMatch()])
def test_a_match_that_has_started_neither_lapses_nor_is_declined(
    command: commands.Command,
) -> None:
    given(PATH_CAPTURE, opponent=BOB).when(command=command).refuses("match-not-open")


@pytest.mark.parametrize("command", [commands.DeclineChallenge(BOB), commands.LapseMatch()])
def test_a_withdrawn_challenge_cannot_start_a_match(command: commands.Command) -> None:
    match = opened(opponent=BOB)
    match.when(command=commands.AbortMatch(1)).leads_to("match-aborted")
    refused = match.when(command=command).refuses("match-not-open")
    assert refused.detail == "This match is over."
    match.when(command=commands.JoinMatch(BOB, {})).refuses("match-not-open")
