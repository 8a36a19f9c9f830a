"""Power Line: every check of its page, every broken rule, and a second opinion."""

from __future__ import annotations

import pytest

from domain.game.game import Over
from domain.games.power_line import POWER_LINE
from domain.games.power_line.rules import Node, Place, Position, Side, Terms, Upgrade
from domain.json_types import Json, JsonObject
from tests.domain.games.support import (
    HUGE,
    course,
    ended,
    invalid,
    kinds,
    listed,
    refusal,
    state,
    typed,
)
from tests.support.scenario import Table

OWNERS = {"A": 1, "B": 2}


def at(line: str, *, seat: int = 1, energy: tuple[int, int] = (15, 15), **terms: Json) -> Position:
    """Return a position: ``A3`` and ``B2`` are nodes, ``.`` is empty; seats own 5 nodes."""
    nodes = [None if one == "." else Node(OWNERS[one[0]], int(one[1:])) for one in line.split()]
    first, second = (sum(1 for one in line.split() if one[0] == letter) for letter in "AB")
    sides = (Side(energy[0], 5 - first), Side(energy[1], 5 - second))
    complete = Terms(5, 15, terms.get("capture", "duel"), terms.get("deadlock", "ladder"))
    return Position(complete, tuple(nodes), sides, seat)


def text(position: Position) -> str:
    return " ".join(f"{'AB'[one.owner - 1]}{one.power}" if one else "." for one in position.line)


def nodes(table: Table) -> dict[int, tuple[int, int]]:
    line = state(table)["line"]
    return {n: (one["owner"], one["power"]) for n, one in enumerate(line) if one}


def players(table: Table) -> list[JsonObject]:
    both: list[JsonObject] = state(table)["players"]
    return both


# --- the checks of the page ---------------------------------------------------------------------


def test_the_scenario_of_the_seed() -> None:
    table = typed(POWER_LINE, "3=3 4=2")
    assert nodes(table) == {3: (1, 3)}
    assert players(table) == [{"energy": 12, "nodes": 4}, {"energy": 13, "nodes": 5}]
    table.play(POWER_LINE.notation.read("3+"))
    assert players(table)[0]["energy"] == 8
    table.play(POWER_LINE.notation.read("2=5"))
    assert nodes(table) == {2: (2, 5)}
    assert players(table) == [{"energy": 8, "nodes": 5}, {"energy": 8, "nodes": 4}]


def test_with_attacker_a_weaker_node_beside_a_stronger_one_remains() -> None:
    table = typed(POWER_LINE, "3=3 4=2", capture="attacker")
    assert nodes(table) == {3: (1, 3), 4: (2, 2)}


def test_the_capturing_scenario_of_the_seed() -> None:
    assert nodes(typed(POWER_LINE, "5=2 4=3")) == {4: (2, 3)}


def test_a_sweep_takes_one_weaker_node_after_the_other() -> None:
    before = at(". . . . B1 B2 B1 B3")
    after = POWER_LINE.play(before, Place(3, 3))
    assert text(after) == ". . . A3 . . . B3"
    assert after.sides == (Side(12, 4), Side(15, 4))


@pytest.mark.parametrize(("capture", "left"), [("duel", ". . . . B5"), ("attacker", ". . . A2 B5")])
def test_a_node_sweeps_first_and_is_then_lost_to_a_stronger_one(capture: str, left: str) -> None:
    after = POWER_LINE.play(at(". . B1 . B5", capture=capture), Place(3, 2))
    assert text(after) == left
    assert after.sides[0] == Side(13, 5 if capture == "duel" else 4)


def test_a_whole_line_wins_by_chain() -> None:
    table = typed(POWER_LINE, "1=5 0=1 0=5 2=1 2=5", length=3, nodes=3)
    assert ended(table) == (1, "chain")
    assert kinds(table, 2) == ["move-made", "match-ended"]


@pytest.mark.parametrize("short", [{"nodes": 2}, {"energy": 2}])
def test_without_a_node_or_energy_for_each_position_nobody_wins_by_chain(short: JsonObject) -> None:
    for number in range(30):
        *_, final = course(POWER_LINE, {"length": 3, "nodes": 3, **short}, number)
        assert final.then[-1].reason == "deadlock"  # type: ignore[union-attr]


# --- capture, case by case ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("B2 . .", Place(1, 2), "B2 A2 ."),
        ("B2 . B2", Place(1, 3), ". A3 ."),
        ("B1 A1 .", Place(2, 5), "B1 A1 A5"),
        ("B1 . B1 A2", Upgrade(3), "B1 . . A3"),
        ("B2 A2 B3", Upgrade(1), ". A3 B3"),
        ("B2 A2 B4", Upgrade(1), ". . B4"),
        ("B1 B5 .", Place(2, 4), "B1 B5 ."),
        ("A1 . B5", Place(1, 1), "A1 . B5"),
        (". A1 B2", Upgrade(1), ". A2 B2"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_who_captures_whom(before: str, move: Place | Upgrade, after: str) -> None:
    assert text(POWER_LINE.play(at(before), move)) == after


def test_seat_two_captures_as_seat_one_does() -> None:
    after = POWER_LINE.play(at("A2 A1 . B5", seat=2), Place(2, 3))
    assert text(after) == ". . B3 B5"
    assert after.sides == (Side(15, 5), Side(12, 3))
    assert after.seat == 1


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "energy", "winner"),
    [
        ("A1 A1 . B9 . B9 . B9", (0, 0), 1),
        ("A1 . A1 . B9", (0, 0), 1),
        ("A1 . B2", (0, 0), 2),
        ("A5 A5 B5 B5", (5, 4), 1),
        ("A5 A5 B5 B5", (4, 4), None),
    ],
    ids=["longest run", "nodes", "power", "energy", "all equal"],
)
def test_a_frozen_line_is_settled_rung_by_rung(
    line: str, energy: tuple[int, int], winner: int | None
) -> None:
    assert POWER_LINE.get_next_step(at(line, energy=energy)) == Over(winner, "deadlock")
    assert POWER_LINE.get_next_step(at(line, energy=energy, deadlock="draw")) == Over(
        None, "deadlock"
    )


def test_two_equal_sides_draw() -> None:
    assert ended(typed(POWER_LINE, "0=1 10=1", energy=1)) == (None, "deadlock")


def test_a_seat_that_can_do_nothing_is_passed_over_until_it_can() -> None:
    table = typed(POWER_LINE, "0=5 1=1", energy=5)
    assert kinds(table, 2) == ["move-made", "turn-passed"]
    assert table.match.to_act == 2
    table.play({"action": "place", "position": 10, "power": 1})
    assert kinds(table, 2) == ["move-made", "turn-passed"]


def test_a_frozen_line_ends_without_a_recorded_pass() -> None:
    table = typed(POWER_LINE, "0=5 10=5", energy=5)
    assert kinds(table, 3) == ["move-made", "move-made", "match-ended"]


def test_a_node_that_comes_back_lets_its_owner_act_again() -> None:
    table = typed(POWER_LINE, "0=1 1=2", nodes=1, energy=2)
    assert table.match.to_act == 1
    assert listed(table)[:2] == ["0=1", "2=1"]


# --- moves --------------------------------------------------------------------------------------


def test_places_are_listed_before_upgrades() -> None:
    table = typed(POWER_LINE, "1=2 0=1", length=3, energy=6, capture="attacker")
    assert listed(table) == ["2=1", "2=2", "2=3", "2=4", "1+"]


@pytest.mark.parametrize(
    ("moves", "energy", "move", "sentence"),
    [
        ("", 15, "11=1", "The line has positions 0 to 10."),
        ("", 15, "11+", "The line has positions 0 to 10."),
        ("", 15, "0=0", "A node is placed with a power of 1 to 5."),
        ("", 15, "0=6", "A node is placed with a power of 1 to 5."),
        ("3=3", 15, "3=1", "Position 3 is taken by P1's node."),
        ("3=3 8=1", 7, "5=5", "A node of power 5 costs 5 energy, and you have 4."),
        ("3=3 8=1", 6, "3+", "An upgrade to power 4 costs 4 energy, and you have 3."),
        ("", 15, "3+", "Position 3 is empty: there is nothing to upgrade."),
        ("3=3", 15, "3+", "The node on position 3 is not yours: you upgrade your own only."),
    ],
)
def test_each_broken_rule_has_its_sentence(
    moves: str, energy: int, move: str, sentence: str
) -> None:
    table = typed(POWER_LINE, moves, energy=energy)
    assert refusal(table, POWER_LINE.notation.read(move)) == sentence


def test_what_costs_exactly_the_energy_left_can_be_paid() -> None:
    assert "5=4" in listed(typed(POWER_LINE, "3=3 8=1", energy=7))
    assert "3+" in listed(typed(POWER_LINE, "3=3 8=1", energy=7))


def test_nobody_places_a_node_they_do_not_have() -> None:
    table = typed(POWER_LINE, "0=1 10=1", nodes=1)
    assert refusal(table, {"action": "place", "position": 5, "power": 1}) == (
        "You have no unused node: all your nodes are on the line."
    )


def test_no_node_is_stronger_than_ten() -> None:
    table = typed(POWER_LINE, "0=5 10=5 0+ 10+ 0+ 10+ 0+ 10+ 0+ 10+ 0+ 10+", energy=99)
    assert nodes(table) == {0: (1, 10), 10: (2, 10)}
    assert refusal(table, {"action": "upgrade", "position": 0}) == (
        "The node on position 0 has the highest power, 10."
    )


def test_numbers_beyond_all_bounds_are_illegal() -> None:
    table = typed(POWER_LINE, "")
    for huge in HUGE:
        assert "positions 0 to 10" in refusal(table, {"action": "upgrade", "position": huge})
        placed = {"action": "place", "position": 0, "power": huge}
        assert "power of 1 to 5" in refusal(table, placed)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"length": 2}, "length must be from 3 to 21."),
        ({"length": 22}, "length must be from 3 to 21."),
        ({"nodes": 0}, "nodes must be from 1 to 21."),
        ({"nodes": 22}, "nodes must be from 1 to 21."),
        ({"energy": 0}, "energy must be from 1 to 99."),
        ({"energy": 100}, "energy must be from 1 to 99."),
        ({"energy": True}, "energy must be a whole number."),
        ({"capture": "both"}, "capture must be one of duel, attacker."),
        ({"deadlock": None}, "deadlock must be one of ladder, draw."),
    ],
)
def test_options_out_of_range_are_refused(options: JsonObject, sentence: str) -> None:
    assert invalid(POWER_LINE, **options) == sentence
