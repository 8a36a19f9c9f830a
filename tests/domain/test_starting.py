"""How a match that waits for its second player may end without one."""

from __future__ import annotations

import pytest

from domain import commands
from domain.json_types import Json
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, STRANGER, Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
ADA, BOB = PLAYERS


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


@pytest.mark.parametrize("opponent", [None, BOB])
def test_what_nobody_joined_lapses(opponent: str | None) -> None:
    table = (
        opened(opponent=opponent)
        .when(command=commands.LapseMatch())
        .leads_to("match-aborted", status="aborted", result={"winner": None, "reason": "lapsed"})
    )
    assert table.events[-1].actor == "server"


@pytest.mark.parametrize("command", [commands.DeclineChallenge(BOB), commands.LapseMatch()])
def test_a_match_that_has_started_neither_lapses_nor_is_declined(
    command: commands.Command,
) -> None:
    given(PATH_CAPTURE, opponent=BOB).when(command=command).refuses("match-not-open")


@pytest.mark.parametrize("command", [commands.DeclineChallenge(BOB), commands.LapseMatch()])
def test_a_withdrawn_challenge_cannot_start_a_match(command: commands.Command) -> None:
    match = opened(opponent=BOB)
    match.when(command=commands.AbortMatch(1)).leads_to("match-aborted")
    match.when(command=command).refuses("match-not-open")
    match.when(command=commands.JoinMatch(BOB, {})).refuses("match-not-open")
