"""Power Line as people see it: sentences, warnings, boards."""

from __future__ import annotations

from domain.game.scene import Link, Mark, Note, Shape
from domain.games.power_line import POWER_LINE
from domain.games.power_line.rules import Move, Place
from domain.json_types import Json
from tests.domain.games.support import drawn, marked, space, told, typed


def test_an_action_is_told_with_what_it_captured() -> None:
    table = typed(POWER_LINE, "")
    assert told(table, "3=3") == "P1 places power 3 on 3 (12 energy left)."
    assert told(table, "4=2") == (
        "P2 places power 2 on 4, and loses it to P1's 3 on 3 (13 energy left)."
    )
    assert told(table, "3+") == "P1 upgrades the node on 3 to power 4 (8 energy left)."
    assert told(table, "2=5") == "P2 places power 5 on 2, captures P1's 4 on 3 (8 energy left)."


def test_a_sweep_of_several_nodes_and_a_loss_are_told_together() -> None:
    table = typed(POWER_LINE, "4=5 10=1 2=1 9=1 1=2 8=1 0=1")
    assert told(table, "3=3") == (
        "P2 places power 3 on 3, captures P1's 1 on 0, 2 on 1 and 1 on 2, "
        "and loses it to P1's 5 on 4 (9 energy left)."
    )


def test_a_node_between_two_stronger_ones_is_lost_to_the_strongest() -> None:
    loss = "P2 places power 1 on 4, and loses it to P1's 4 on {} (13 energy left)."
    assert told(typed(POWER_LINE, "3=3 10=1 5=4"), "4=1") == loss.format(5)
    assert told(typed(POWER_LINE, "3=4 10=1 5=3"), "4=1") == loss.format(3)


def test_a_node_beside_a_strong_friend_is_lost_to_the_enemy() -> None:
    assert told(typed(POWER_LINE, "2=5 4=4"), "3=1") == (
        "P1 places power 1 on 3, and loses it to P2's 4 on 4 (9 energy left)."
    )


def test_a_player_is_warned_of_giving_a_node_away() -> None:
    assert warning("4=5 10=1 2=1", Place(3, 1)) == (
        "Your node on 3 would be captured at once by a stronger neighbour."
    )


def test_there_is_no_warning_of_a_node_that_captures_or_is_safe() -> None:
    assert warning("4=5 10=1 2=1", Place(3, 2)) is None
    assert warning("4=5 10=1 2=1", Place(7, 1)) is None
    assert warning("4=5", Place(3, 1), capture="attacker") is None


def warning(moves: str, move: Move, **options: Json) -> str | None:
    table = typed(POWER_LINE, moves, **options)
    position = POWER_LINE.load(table.game.dump(table.match.started))
    return POWER_LINE.warn(position, move)


def test_the_board_shows_nodes_meters_and_captures() -> None:
    scene = drawn(typed(POWER_LINE, "0=1 9=1 1=2 2=3"))
    assert scene.zones[0].shape is Shape.LINE
    assert [token.text for token in space(scene, "node:2").tokens] == ["B3"]
    assert marked(scene, Mark.LAST) == ["node:2"]
    assert marked(scene, Mark.CAPTURED) == ["node:0", "node:1"]
    own = [(meter.label, meter.value, meter.maximum) for meter in scene.meters if meter.owner == 2]
    assert own == [("energy", 11, 15), ("unused nodes", 3, 5), ("longest run", 1, 11)]


def test_a_node_lost_at_once_is_marked_where_it_was() -> None:
    scene = drawn(typed(POWER_LINE, "3=3 4=2"))
    assert marked(scene, Mark.CAPTURED) == ["node:4"]


def test_neighbours_of_one_owner_are_linked() -> None:
    scene = drawn(typed(POWER_LINE, "0=1 9=1 1=2 10=1 8=1"))
    assert scene.links == (Link("node:0", "node:1", 1), Link("node:9", "node:10", 2))


def test_only_the_choices_that_can_be_paid_are_offered() -> None:
    choices = drawn(typed(POWER_LINE, "0=1 9=1", energy=4)).zones[1]
    assert [one.id for one in choices.spaces] == ["power:1", "power:2", "power:3", "action:upgrade"]
    assert choices.owner == 1


def test_nothing_is_offered_when_the_match_is_over() -> None:
    assert len(drawn(typed(POWER_LINE, "0=1 9=1", energy=1)).zones) == 1


def test_the_board_says_what_decides_when_nobody_can_fill_the_line() -> None:
    start = "Nobody can fill all 11 positions; when neither player can act, "
    assert drawn(typed(POWER_LINE, "")).notes == (Note(f"{start}the longest run wins."),)
    assert drawn(typed(POWER_LINE, "", deadlock="draw")).notes == (Note(f"{start}it is a draw."),)
    assert drawn(typed(POWER_LINE, "", length=5)).notes == ()


def test_the_board_says_how_a_frozen_line_was_settled() -> None:
    frozen = "0=5 10=4 5=1"
    assert drawn(typed(POWER_LINE, frozen, energy=5)).notes == (
        Note("The line is frozen; the number of nodes decides: P1 1, P2 2."),
    )
    assert drawn(typed(POWER_LINE, frozen, energy=5, deadlock="draw")).notes == (
        Note("The line is frozen, which is a draw in this match."),
    )
    assert drawn(typed(POWER_LINE, "0=1 10=1", energy=1)).notes == (
        Note("The line is frozen, and both sides are level in everything: a draw."),
    )
