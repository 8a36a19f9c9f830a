"""The match around a game: who may do what when, and what it leads to."""

from __future__ import annotations

import pytest

from domain.errors import Refusal
from domain.json_types import Json
from domain.match import commands
from domain.match.decisions.draft import Chance
from tests.support.games import WHISPER, test_games
from tests.support.scenario import PLAYERS, STRANGER, Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
ADA, BOB = PLAYERS
HEX = "5a" * 32


def steps(number: int) -> Json:
    return {"steps": number}


def strides(number: int) -> Json:
    return {"strides": number}


def opened(**table: Json) -> Given:
    """Return a match that waits for its second player."""
    return Given(Table(PATH_CAPTURE, **table))


def join(player: str = BOB, contribution: str | None = None) -> commands.JoinMatch:
    return commands.JoinMatch(player, {}, contribution)


def always(outcome: Json) -> Chance:
    return lambda *_: outcome


def kinds(table: Table) -> list[str]:
    return [event.kind for event in table.events]


# --- create -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "seats"), [(1, (ADA, None)), (2, (None, BOB))])
def test_the_creator_sits_where_they_want(seat: int, seats: tuple[str | None, ...]) -> None:
    table = Table(PATH_CAPTURE, seat=seat)
    assert kinds(table) == ["match-created", "seat-taken"]
    assert [event.actor for event in table.events] == ["creator", "creator"]
    assert table.match.seats == seats
    assert (table.match.status, table.match.position) == ("open", None)
    assert table.match.to_act is None


@pytest.mark.parametrize(("outcome", "seats"), [(1, (ADA, None)), (2, (None, ADA))])
def test_chance_seats_a_creator_who_leaves_it_to_chance(
    outcome: int, seats: tuple[str | None, ...]
) -> None:
    table = Table(PATH_CAPTURE, seat=None, chance=always(outcome))
    assert kinds(table) == ["match-created", "chance-drawn", "seat-taken"]
    assert table.shown()[1]["data"] == {"draw": 0, "purpose": "seat", "outcome": outcome}
    assert table.match.seats == seats
    assert table.match.next_draw == 1


def test_the_secret_is_sealed_in_the_first_event_for_the_server() -> None:
    [seal] = Table(PATH_CAPTURE, secret=HEX).events[0].sealed
    assert seal.audience == ("server",)
    assert seal.value == {"secret": HEX}


def test_the_first_event_says_what_was_agreed() -> None:
    table = Table(PATH_CAPTURE, options={"length": 7}, opponent=BOB, visibility="private")
    assert table.shown()[0]["data"] == {
        "game": "path-capture",
        "rules_version": 1,
        "options": {"length": 7},
        "visibility": "private",
        "pace": None,
        "rated": False,
        "creator": ADA,
        "opponent": BOB,
    }


# --- join ---------------------------------------------------------------------------------------


def test_who_joins_takes_the_free_seat_and_the_match_starts() -> None:
    table = opened(seat=2).when(command=join(ADA)).leads_to("seat-taken", "match-started")
    assert [event.actor for event in table.events[-2:]] == ["seat-1", "server"]
    assert (table.match.seats, table.match.status, table.match.to_act) == ((ADA, BOB), "active", 1)


def test_the_start_draws_what_the_game_needs_in_order() -> None:
    table = Table.started(WHISPER)
    drawn = [event["data"] for event in table.shown() if event["kind"] == "chance-drawn"]
    assert [(one["draw"], one["purpose"], one.get("seat")) for one in drawn] == [
        (1, "first", None),
        (2, "shuffle", 1),
        (3, "shuffle", 2),
    ]
    assert "outcome" in drawn[0]
    assert "outcome" not in drawn[1]


def test_settings_are_sealed_for_their_seat_even_when_they_are_the_default() -> None:
    taken = [event for event in Table.started(WHISPER).events if event.kind == "seat-taken"]
    assert [[seal.audience for seal in event.sealed] for event in taken] == [
        [("seat-1",)],
        [("seat-2",)],
    ]
    assert all(set(event.sealed[0].value) == {"deck"} for event in taken)


def test_nobody_joins_their_own_match() -> None:
    opened().when(command=join(ADA)).refuses("own-match")


def test_a_third_player_finds_no_seat_free() -> None:
    refusal = given(PATH_CAPTURE).when(command=join(STRANGER)).refuses("match-not-open")
    assert refusal.detail == "Both seats of this match are taken."


def test_whose_a_seat_is_is_looked_at_before_whether_it_is_free() -> None:
    given(PATH_CAPTURE, opponent=BOB).when(command=join(STRANGER)).refuses("seat-reserved")
    given(PATH_CAPTURE).when(command=join(BOB)).refuses("own-match")


def test_an_aborted_match_cannot_be_joined() -> None:
    table = opened().when(command=commands.AbortMatch(1)).leads_to("match-aborted")
    refusal = Given(table).when(command=join()).refuses("match-not-open")
    assert "aborted" in refusal.detail


def test_a_challenge_is_for_its_opponent_alone() -> None:
    challenge = opened(opponent=BOB)
    challenge.when(command=join(STRANGER)).refuses("seat-reserved")
    challenge.when(command=join(BOB)).leads_to(status="active")


# --- contribute ---------------------------------------------------------------------------------


def test_both_players_can_contribute_before_the_start() -> None:
    match = opened()
    mine = commands.Contribute(1, HEX)
    table = match.when(command=mine).leads_to("dice-contributed", contributions=(HEX, None))
    assert table.events[-1].actor == "seat-1"
    table = match.when(command=join(contribution="a5" * 32)).leads_to(
        "seat-taken", "dice-contributed", "match-started"
    )
    assert table.match.contributions == (HEX, "a5" * 32)
    assert table.events[-2].actor == "seat-2"


def test_a_contribution_changes_the_dice() -> None:
    orders = []
    for contribution in (None, HEX, "a5" * 32):
        table = Table(WHISPER)
        table.join(contribution=contribution)
        orders.append(table.match.position)
    assert len({repr(order) for order in orders}) == len(orders)


def test_a_contribution_stands() -> None:
    match = opened()
    match.when(command=commands.Contribute(1, HEX)).leads_to("dice-contributed")
    match.when(command=commands.Contribute(1, HEX)).refuses("already-contributed")


def test_dice_are_not_touched_once_the_match_has_started() -> None:
    given(PATH_CAPTURE).when(command=commands.Contribute(1, HEX)).refuses("match-not-open")


# --- play ---------------------------------------------------------------------------------------


def test_a_move_is_an_event_of_its_seat_and_the_turn_goes_on() -> None:
    table = given(PATH_CAPTURE).when(seat=1, move=steps(3)).leads_to("move-made", ply=1, to_act=2)
    event = table.shown()[-1]
    assert (event["actor"], event["sealed"]) == ("seat-1", [])
    assert event["data"] == {"seat": 1, "ply": 1, "move": {"steps": 3}, "cause": "player"}


def test_a_move_that_hides_something_is_sealed_for_its_seat_and_public_without_it() -> None:
    match = given(WHISPER, chance=lambda *_: 1 if _[2].purpose == "first" else [*range(6), 0, 0])
    table = match.when(seat=1, move={"action": "whisper", "card": 2}).leads_to("move-made")
    event = table.events[-1]
    assert table.shown()[-1]["data"]["move"] == {"action": "whisper"}
    assert event.sealed[0].audience == ("seat-1",)
    assert event.sealed[0].value == {"action": "whisper", "card": 2}


def test_the_end_of_the_game_is_the_end_of_the_match() -> None:
    match = given(PATH_CAPTURE, steps(3), steps(2), steps(2))
    table = match.when(seat=2, move=steps(3)).leads_to(
        "move-made",
        "match-ended",
        status="finished",
        to_act=None,
        result={"winner": 2, "reason": "capture"},
    )
    assert table.events[-1].actor == "server"


def test_a_forced_pass_is_recorded_behind_the_move_that_led_to_it() -> None:
    apart = [steps(3), steps(3), steps(3), steps(3), steps(3), steps(1)]
    match = given(PATH_CAPTURE, *apart)
    table = match.when(seat=1, move=steps(1)).leads_to("move-made", to_act=2)
    table = Given(table).when(seat=2, move=steps(1)).leads_to("move-made", "turn-passed", to_act=2)
    assert table.shown()[-1]["data"] == {"seat": 1, "reason": "no-legal-move"}
    assert table.shown()[-1]["actor"] == "server"
    assert table.match.ply == 8


def test_moves_before_the_start_and_after_the_end_find_no_active_match() -> None:
    opened().when(seat=1, move=steps(1)).refuses("match-not-active")
    match = given(PATH_CAPTURE, steps(3), steps(2), steps(2), steps(3))
    match.when(seat=1, move=steps(1)).refuses("match-not-active")
    match.when(seat=2, move=steps(1)).refuses("match-not-active")
    for table, why in ((Table(PATH_CAPTURE), "not started"), (match.table, "is over")):
        with pytest.raises(Refusal, match=why):
            table.play(steps(1))


def test_refusals_come_in_the_order_status_turn_rule() -> None:
    illegal = steps(9)
    opened().when(seat=2, move=illegal).refuses("match-not-active")
    given(PATH_CAPTURE).when(seat=2, move=illegal).refuses("not-your-turn")
    refusal = given(PATH_CAPTURE).when(seat=1, move=illegal).refuses("illegal-move")
    assert refusal.pointer == ""
