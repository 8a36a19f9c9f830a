"""How a match ends, what is looked at first, and what the last state shows."""

from __future__ import annotations

import pytest

from domain.game.game import Over
from tests.domain.games.power_lines.pictures import (
    GAME,
    drawing,
    entry,
    faces,
    pictured,
    played,
    random_match,
    read,
    state,
    waits,
)

AT_THE_BASE = """
.  .  .  A5 A7
A* A# A5 A7 B*
"""


def test_a_dominated_base_loses() -> None:
    position = played(pictured(AT_THE_BASE, turn=9), "dominate 4,0")
    assert GAME.get_next_step(position) == Over(1, "base-dominated")
    shown = state(position)
    assert (shown["turn"], shown["seat"], shown["actions_left"]) == (9, 1, 2)
    assert faces(position, 2, "trash") == ["base"]


def test_a_base_that_the_last_action_takes_completes_no_turn() -> None:
    position = played(pictured(AT_THE_BASE, turn=199, actions=1), "dominate 4,0")
    assert waits(position) == "base-dominated 1"
    assert (state(position)["turn"], state(position)["actions_left"]) == (199, 0)


def test_a_7_may_dominate_the_base_for_no_action() -> None:
    picture = ". . . A5 .\nA* A# A5 A7 B*".replace("A5 .\n", "A5 A8\n")
    position = pictured(picture.replace("A7 B*", ". B*"), hands=((7, 0), ()))
    position = played(position, "7@3,0 -0", "dominate 4,0")
    assert waits(position) == "base-dominated 1"
    assert state(position)["pending"] == []


def test_of_a_seat_without_a_base_nothing_is_connected() -> None:
    position = played(
        pictured(AT_THE_BASE.replace("A# A5", "A# A5") + ". . . . B5"), "dominate 4,0"
    )
    assert entry(position, 4, 1, 2)["connected"] is False
    assert entry(position, 3, 0, 1)["connected"] is True


@pytest.mark.parametrize(
    ("picture", "winner"),
    [("A* A5 . . B*", 1), ("A* . . . B*", None), ("A* . B5 . B*", 2), ("A* . A#5 B5 B*", 1)],
)
def test_when_neither_seat_can_do_anything_distance_decides(
    picture: str, winner: int | None
) -> None:
    position = pictured(picture, hands=((2,), (1,)), decks=((4,), ()))
    position = played(position, "draw")
    position = position._replace(
        sides=(position.get_side(1)._replace(hand=(2,)), position.get_side(2))
    )
    position = GAME.forfeit(position._replace(turn=3))
    assert GAME.get_next_step(position) == Over(winner, "stalled")
    assert (state(position)["turn"], state(position)["actions_left"]) == (3, 0)


def test_the_move_that_stalls_the_match_ends_it_and_no_pass_is_made() -> None:
    position = played(pictured("A* A5 . . B*", hands=((4,), (2, 9)), actions=2), "4@2,0")
    assert waits(position) == "stalled 1"
    assert (state(position)["turn"], state(position)["actions_left"]) == (0, 1)


@pytest.mark.parametrize(
    "given",
    [
        {"decks": ((), (1,))},
        {"discards": ((), (1,))},
        {"hands": ((4,), (0,))},
        {"hands": ((4,), (7, 2))},
    ],
)
def test_a_match_is_not_stalled_while_a_fresh_turn_would_allow_something(
    given: dict[str, object],
) -> None:
    position = pictured("A* A5 . . B*", **{"hands": ((4,), ()), **given}, actions=1)
    assert waits(played(position, "4@2,0")) == "P2"


def test_a_possible_domination_keeps_the_match_going() -> None:
    position = pictured("A* A5 . B2 B*", hands=((4,), ()))
    assert waits(played(position, "4@2,0")) == "P1"


def test_distance_counts_cut_off_and_face_down_cards_in_steps() -> None:
    position = pictured("A* . . . B*\n. . . A#2 .\n. . . . .\nB5 . . . .", hands=((0,), ()))
    assert waits(played(position, "0@0,-1")) == "stalled 1"
    position = pictured("A* . . . B*\n. . . A#2 .\nB5 . . . .", hands=((0,), ()))
    assert waits(played(position, "0@0,-1")) == "stalled None"


def test_after_the_last_turn_distance_decides() -> None:
    position = pictured("A* A5 . . B*", decks=((4,), (4,)), turn=19, limit=20, actions=1)
    position = played(position, "draw")
    assert GAME.get_next_step(position) == Over(1, "turn-limit")
    shown = state(position)
    assert (shown["turn"], shown["seat"], shown["actions_left"]) == (20, 1, 0)


def test_a_forced_pass_completes_the_last_turn_too() -> None:
    position = pictured("A* . . . B*", discards=((4,), (4,)), turn=19, limit=20, actions=1)
    assert waits(position) == "pass 1"
    assert waits(GAME.forfeit(position)) == "turn-limit None"


def test_stalled_comes_before_the_turn_limit() -> None:
    position = pictured("A* A5 . . B*", hands=((4,), ()), turn=19, limit=20, actions=1)
    position = played(position, "4@0,1")
    assert (waits(position), state(position)["turn"]) == ("stalled 1", 19)


def test_a_pending_choice_is_settled_before_the_turn_is_looked_at() -> None:
    position = pictured(
        "A* A5 A2 A5 B*", hands=((3,), ()), decks=((4,), (1,)), turn=19, limit=20, actions=1
    )
    position = GAME.play(position, read("3@2,0 x2,0"))
    assert (waits(position), state(position)["turn"]) == ("P2", 19)
    assert waits(GAME.play(position, read("decline"))) == "turn-limit 1"


def test_chance_is_settled_before_the_turn_is_looked_at() -> None:
    position = pictured("A* . . . B*", discards=((4,), ()), turn=19, limit=20, actions=0)
    position = drawing(position, "shuffle", 1)
    assert waits(position) == "shuffle 1"
    assert waits(GAME.draw(position, "shuffle", 1, [4])) == "turn-limit None"


@pytest.mark.parametrize("number", range(12))
def test_every_match_ends_in_a_declared_way(number: int) -> None:
    table = random_match(number, gap=3, turn_limit=20 + 20 * (number % 3))
    assert table.match.reason in GAME.endings
    shown = table.state()
    assert shown is not None
    assert shown["pending"] == []
    assert shown["turn"] <= table.match.options["turn_limit"]
    assert (shown["turn"] == table.match.options["turn_limit"]) == (
        table.match.reason == "turn-limit"
    )
