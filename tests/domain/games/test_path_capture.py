"""Path Capture: every check of its page, every broken rule, and a second opinion."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game.game import Over, Pass
from domain.game.scene import Mark, Meter, Note, Shape
from domain.games.path_capture import PATH_CAPTURE
from domain.games.path_capture.rules import Position
from domain.json_types import Json, JsonObject
from tests.domain.games.support import (
    HUGE,
    Reference,
    agrees,
    course,
    drawn,
    ended,
    invalid,
    kinds,
    listed,
    marked,
    opening,
    refusal,
    sequences,
    space,
    state,
    told,
    typed,
)

OPTIONS = st.fixed_dictionaries({}, optional={"length": st.integers(5, 41)})
NUMBERS = st.integers(0, 2**32)
TO_THE_ENDS = "3 3 3 3 3 3 1 1"


# --- the checks of the page ---------------------------------------------------------------------


def test_the_sequence_of_the_seed() -> None:
    table = typed(PATH_CAPTURE, "3 2 2 3")
    assert state(table) == {"players": [{"node": 5}, {"node": 5}]}
    assert ended(table) == (2, "capture")


@pytest.mark.parametrize("replies", list(product((1, 2, 3), repeat=2)))
def test_with_two_first_and_then_the_rest_of_four_seat_one_wins(replies: tuple[int, ...]) -> None:
    moves = ["2", *(step for reply in replies for step in (f"{reply}", f"{4 - reply}"))]
    assert ended(typed(PATH_CAPTURE, " ".join(moves))) == (1, "capture")


def test_two_is_the_only_winning_first_move() -> None:
    assert [steps for steps in (1, 2, 3) if not wins(9 + 1 - steps)] == [2]


def wins(distance: int) -> bool:
    """Whether the seat to act, that far from the other, can force a capture."""
    return distance > 0 and any(
        distance == steps or not wins(distance - steps) for steps in (1, 2, 3) if steps <= distance
    )


def test_pieces_that_have_passed_walk_on_to_their_ends_and_draw() -> None:
    table = typed(PATH_CAPTURE, "3 3 3 3")
    assert state(table) == {"players": [{"node": 6}, {"node": 4}]}
    assert not table.match.over
    assert ended(typed(PATH_CAPTURE, TO_THE_ENDS)) == (None, "passed")


def test_one_step_from_the_end_only_one_is_legal() -> None:
    table = typed(PATH_CAPTURE, "3 1 3 1 3 1")
    assert state(table)["players"][0] == {"node": 9}
    assert listed(table) == ["+1"]


def test_about_half_of_all_random_matches_pass() -> None:
    assert abs(passing(0, 10, 1) - Fraction(1, 2)) < Fraction(1, 100)


def passing(first: int, second: int, seat: int) -> Fraction:
    """Return the chance that pieces that move at random pass each other."""
    if first >= second:
        return Fraction(first > second)
    room = 10 - first if seat == 1 else second
    steps = range(1, min(3, room) + 1)
    after = [(first + n, second, 2) if seat == 1 else (first, second - n, 1) for n in steps]
    return sum((passing(*one) for one in after), Fraction(0)) / len(after)


# --- the end ------------------------------------------------------------------------------------


def test_passing_over_the_other_piece_captures_nothing() -> None:
    table = typed(PATH_CAPTURE, "3 3 3 3")
    assert kinds(table, 1) == ["move-made"]


def test_a_piece_at_its_far_end_is_passed_over() -> None:
    table = typed(PATH_CAPTURE, "3 1 3 1 3 1 1 1")
    assert kinds(table, 2) == ["move-made", "turn-passed"]
    assert table.match.to_act == 2


def test_the_last_step_to_the_ends_records_no_pass() -> None:
    assert kinds(typed(PATH_CAPTURE, TO_THE_ENDS), 2) == ["move-made", "match-ended"]


def test_a_piece_can_be_captured_where_it_started() -> None:
    position = Position(5, (1, 4), 1)
    after = PATH_CAPTURE.play(position, PATH_CAPTURE.parse_move({"steps": 3}))
    assert PATH_CAPTURE.get_next_step(after) == Over(1, "capture")


# --- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "steps", "sentence"),
    [
        ("", 0, "A piece goes 1, 2 or 3 nodes forward."),
        ("", 4, "A piece goes 1, 2 or 3 nodes forward."),
        ("3 1 3 1 3 1", 2, "Only 1 node lies ahead of your piece."),
        ("3 1 3 2 2 1", 3, "Only 2 nodes lie ahead of your piece."),
    ],
)
def test_each_broken_rule_has_its_sentence(moves: str, steps: int, sentence: str) -> None:
    assert refusal(typed(PATH_CAPTURE, moves), {"steps": steps}) == sentence


def test_numbers_beyond_all_bounds_are_illegal() -> None:
    table = typed(PATH_CAPTURE, "")
    for huge in HUGE:
        assert "1, 2 or 3" in refusal(table, {"steps": huge})


@pytest.mark.parametrize(
    ("length", "sentence"),
    [
        (4, "length must be from 5 to 41."),
        (42, "length must be from 5 to 41."),
        (None, "length must be a whole number."),
    ],
)
def test_a_length_out_of_range_is_refused(length: Json, sentence: str) -> None:
    assert invalid(PATH_CAPTURE, length=length) == sentence


# --- what is told and drawn ---------------------------------------------------------------------


def test_a_move_is_told_with_what_it_did() -> None:
    table = typed(PATH_CAPTURE, "")
    assert told(table, "3") == "P1 goes 3 nodes forward to node 3."
    assert told(table, "1") == "P2 goes 1 node forward to node 9."
    table = typed(PATH_CAPTURE, "3 3 3")
    assert told(table, "3") == "P2 goes 3 nodes forward to node 4, past P1."
    assert told(table, "1") == "P1 goes 1 node forward to node 7."
    table = typed(PATH_CAPTURE, "3 2 2")
    assert told(table, "3") == "P2 goes 3 nodes forward to node 5 and captures P1."


def test_the_path_shows_pieces_the_last_move_and_the_reach() -> None:
    scene = drawn(typed(PATH_CAPTURE, "3 2"))
    assert scene.zones[0].shape is Shape.LINE
    assert [token.text for token in space(scene, "node:8").tokens] == ["B"]
    assert marked(scene, Mark.LAST) == ["node:8"]
    assert marked(scene, Mark.LEFT) == ["node:10"]
    assert marked(scene, Mark.REACH) == ["node:4", "node:5", "node:6"]
    assert marked(scene, Mark.CAPTURED) == []
    assert scene.meters == (Meter(1, "way gone", 3, 10), Meter(2, "way gone", 2, 10))
    assert scene.notes == ()


def test_after_a_capture_the_captor_stands_alone() -> None:
    scene = drawn(typed(PATH_CAPTURE, "3 2 2 3"))
    assert [token.text for token in space(scene, "node:5").tokens] == ["B"]
    assert marked(scene, Mark.CAPTURED) == ["node:5"]
    assert marked(scene, Mark.REACH) == []


def test_pieces_that_have_passed_are_noted() -> None:
    assert drawn(typed(PATH_CAPTURE, "3 3 3 3")).notes == (
        Note("The pieces have passed each other: nobody can capture any more."),
    )


# --- a second opinion ---------------------------------------------------------------------------


def moves(now: JsonObject, seat: int, options: JsonObject) -> list[JsonObject]:
    end_node = options["length"] - 1 if seat == 1 else 0
    left = abs(end_node - now["players"][seat - 1]["node"])
    return [{"steps": steps} for steps in (1, 2, 3) if steps <= left]


def play(now: JsonObject, seat: int, move: JsonObject, _: JsonObject) -> JsonObject:
    nodes = [player["node"] for player in now["players"]]
    nodes[seat - 1] += {1: 1, 2: -1}[seat] * move["steps"]
    return {"players": [{"node": node} for node in nodes]}


def end(now: JsonObject, seat: int, options: JsonObject) -> tuple[int | None, str] | None:
    if now["players"][0] == now["players"][1]:
        return seat, "capture"
    stuck = not moves(now, 1, options) and not moves(now, 2, options)
    return (None, "passed") if stuck else None


REFERENCE = Reference(moves, play, end)


@given(OPTIONS, NUMBERS)
def test_random_matches_agree_with_the_reference(options: JsonObject, number: int) -> None:
    assert agrees(PATH_CAPTURE, REFERENCE, options, number) > 0


@given(OPTIONS, NUMBERS)
def test_pieces_only_go_forward_and_a_match_ends_with_the_path(
    options: JsonObject, number: int
) -> None:
    turns = list(course(PATH_CAPTURE, options, number))
    length = turns[0].before.length
    assert len(turns) <= 2 * (length - 1)
    for turn in turns:
        gone = abs(turn.after.nodes[turn.seat - 1] - turn.before.nodes[turn.seat - 1])
        assert gone == turn.move["steps"]
        assert all(0 <= node < length for node in turn.after.nodes)
        assert not any(isinstance(step, Pass) for step in turn.then[1:])


@pytest.mark.parametrize(
    ("length", "counts"),
    [
        (5, [3, 9, 15, 24, 28, 28]),
        (7, [3, 9, 25, 59, 107, 176, 215, 240, 246, 246]),
        (11, [3, 9, 27, 81, 223, 547]),
    ],
)
def test_as_many_sequences_of_moves_as_counted_independently(
    length: int, counts: list[int]
) -> None:
    now, options = opening(PATH_CAPTURE, length=length)
    for depth, count in enumerate(counts, 1):
        assert sequences(PATH_CAPTURE, depth, length=length) == count
        assert REFERENCE.sequences(now, 1, options, depth) == count
