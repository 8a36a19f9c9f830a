"""Giving a match up, and ending it so that it counts for nobody."""

from __future__ import annotations

import pytest

from domain.json_types import Json
from domain.match import commands
from tests.support.games import WHISPER, test_games
from tests.support.scenario import PLAYERS, Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
BOB = PLAYERS[1]


def steps(number: int) -> Json:
    return {"steps": number}


def opened(**table: Json) -> Given:
    """Return a match that waits for its second player."""
    return Given(Table(PATH_CAPTURE, **table))


@pytest.mark.parametrize("seat", [1, 2])
def test_a_player_resigns_in_and_out_of_turn(seat: int) -> None:
    table = (
        given(PATH_CAPTURE)
        .when(command=commands.Resign(seat))
        .leads_to(
            "match-ended", result={"winner": 3 - seat, "reason": "resignation"}, status="finished"
        )
    )
    assert table.events[-1].actor == f"seat-{seat}"


def test_nobody_resigns_before_the_start_or_twice() -> None:
    opened().when(command=commands.Resign(1)).refuses("match-not-active")
    match = given(PATH_CAPTURE)
    match.when(command=commands.Resign(1)).leads_to("match-ended")
    match.when(command=commands.Resign(2)).refuses("match-not-active")


@pytest.mark.parametrize("moves", [0, 1])
@pytest.mark.parametrize("seat", [1, 2])
def test_a_player_aborts_while_fewer_than_two_moves_are_made(moves: int, seat: int) -> None:
    match = given(PATH_CAPTURE, *[steps(1)] * moves)
    table = match.when(command=commands.AbortMatch(seat)).leads_to(
        "match-aborted", status="aborted", to_act=None, result={"winner": None, "reason": "aborted"}
    )
    assert table.events[-1].actor == f"seat-{seat}"


def test_after_two_moves_only_an_administrator_aborts() -> None:
    match = given(PATH_CAPTURE, steps(1), steps(1))
    match.when(command=commands.AbortMatch(1)).refuses("too-late-to-abort")
    table = match.when(command=commands.AbortMatch(None)).leads_to("match-aborted")
    assert table.shown()[-1]["data"] == {"reason": "administrator"}
    assert table.events[-1].actor == "admin"


def test_after_chance_has_drawn_no_player_aborts() -> None:
    given(WHISPER).when(command=commands.AbortMatch(1)).refuses("too-late-to-abort")


def test_the_draw_of_the_seats_does_not_keep_a_player_from_aborting() -> None:
    match = given(PATH_CAPTURE, seat=None)
    match.when(command=commands.AbortMatch(1)).leads_to("match-aborted")


def test_an_open_match_is_aborted_and_a_challenge_is_withdrawn() -> None:
    table = opened().when(command=commands.AbortMatch(1)).leads_to("match-aborted")
    assert table.shown()[-1]["data"] == {"reason": "aborted"}
    table = opened(opponent=BOB).when(command=commands.AbortMatch(1)).leads_to("match-aborted")
    assert table.shown()[-1]["data"] == {"reason": "withdrawn"}


@pytest.mark.parametrize("command", [commands.AbortMatch(1), commands.AbortMatch(None)])
def test_what_is_over_is_not_aborted(command: commands.Command) -> None:
    match = given(PATH_CAPTURE)
    match.when(command=commands.Resign(1)).leads_to("match-ended")
    match.when(command=command).refuses("match-not-active")
