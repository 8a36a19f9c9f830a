"""The steps of a move: a tree over the paths of legal moves, and what its choices are called."""

from __future__ import annotations

import time
from random import Random

import pytest

from cli.play.entry import NumberedChoice, describe_step, find, format_choices, number_choices
from domain.game.game import Viewer
from domain.game.move_tree import MoveTree, grow_tree
from domain.game.scene import Scene, Shape, Space, Token, Zone
from domain.json_types import JsonObject
from tests.support.games import test_games
from tests.support.scenario import AnyRules, Table


def move(text: str, *path: str) -> JsonObject:
    return {"move": {"text": text}, "text": text, "path": list(path)}


def zone(shape: Shape, title: str, *spaces: Space) -> Zone:
    return Zone(title.lower(), title, shape, spaces)


def space(name: str, label: str, *tokens: str) -> Space:
    laid = tuple(Token(f"{name}#{one}", "card", one, one) for one in tokens)
    return Space(name, 0, 0, label, laid)


FIELD = zone(
    Shape.FIELD, "Field", space("cell:2,0", "2,0"), space("cell:5,0", "5,0", "P2's 4, value 4")
)
HAND = zone(
    Shape.HAND,
    "Your hand",
    space("hand:1", "2 × a 1", "a 1", "a 1"),
    *(space(f"hand:{card}", f"a {card}", f"a {card}") for card in (4, 9)),
)
BUTTONS = zone(Shape.CHOICES, "Choices", space("action:draw", "Take a card"))
TABLE = Scene((FIELD, HAND, BUTTONS))
MOVES = [
    move("draw", "action:draw"),
    move("take 5,0", "cell:5,0"),
    move("9@2,0 -1,4", "hand:9", "cell:2,0", "hand:1", "hand:4"),
    move("9@2,0 -1,1", "hand:9", "cell:2,0", "hand:1", "hand:1"),
    move("9@5,0 -1,4", "hand:9", "cell:5,0", "hand:1", "hand:4"),
]


def texts(branch: MoveTree) -> list[str]:
    return [one.text for one in branch.moves]


def down(branch: MoveTree, *steps: str) -> MoveTree:
    for step in steps:
        branch = branch.take(step)
    return branch


def named(*ids: str) -> dict[str, NumberedChoice]:
    return {one.id: one for one in number_choices(ids, TABLE)}


def test_a_step_leaves_the_moves_that_go_on_with_it() -> None:
    root = grow_tree(MOVES, TABLE)
    assert list(root.steps) == ["action:draw", "cell:5,0", "hand:9"]
    assert texts(down(root, "hand:9")) == ["9@2,0 -1,4", "9@2,0 -1,1", "9@5,0 -1,4"]
    assert texts(down(root, "hand:9", "cell:5,0")) == ["9@5,0 -1,4"]
    assert (root.longest, down(root, "hand:9").taken) == (4, ("hand:9",))


def test_what_is_paid_from_one_hand_is_named_in_any_order() -> None:
    paying = down(grow_tree(MOVES, TABLE), "hand:9", "cell:2,0")
    assert set(paying.steps) == {"hand:1", "hand:4"}
    assert texts(down(paying, "hand:4", "hand:1")) == ["9@2,0 -1,4"]
    assert texts(down(paying, "hand:1", "hand:4")) == ["9@2,0 -1,4"]
    assert texts(down(paying, "hand:1", "hand:1")) == ["9@2,0 -1,1"]


def test_cells_of_a_board_keep_their_order() -> None:
    moves = [move("there and back", "cell:5,0", "cell:2,0"), move("there", "cell:5,0")]
    root = grow_tree(moves, TABLE)
    assert list(root.steps) == ["cell:5,0"]
    there = root.take("cell:5,0")
    assert [one.text for one in there.complete] == ["there"]
    assert list(there.steps) == ["cell:2,0"]
    assert texts(there.settle(there.complete[0])) == ["there"]


@pytest.mark.parametrize("game", list(test_games().iter_versions()), ids=lambda game: game.slug)
def test_every_legal_move_of_every_game_is_reached_by_its_path(game: AnyRules) -> None:
    for table, legal, scene in moments(game):
        root = grow_tree(legal, scene)
        for one in Random(5).sample(legal, min(len(legal), 40)):
            end = down(root, *one["path"])
            assert [left.move for left in end.complete] == [one["move"]], table.match.version


@pytest.mark.parametrize("game", list(test_games().iter_versions()), ids=lambda game: game.slug)
def test_every_choice_of_every_game_is_found_by_its_number_and_its_id_and_fits_80_columns(
    game: AnyRules,
) -> None:
    for _, legal, scene in moments(game):
        branch = grow_tree(legal, scene)
        while branch.steps:
            offered = number_choices(branch.steps, scene)
            assert len({one.number for one in offered}) == len(offered)
            for one in offered:
                assert find(offered, str(one.number)) == [one]
                assert find(offered, one.id) == [one]
                assert one in find(offered, one.name)
                assert one.title != "Moves", "a step that the scene does not show"
            assert max(line.cell_len for line in format_choices(offered, 80)) <= 80
            branch = branch.take(Random(5).choice(list(branch.steps)))


def moments(game: AnyRules) -> list[tuple[Table, list[JsonObject], Scene]]:
    """Return some moments of a random match: legal moves with paths, and the mover's scene."""
    table, random = Table.started(game), Random(11)
    found = []
    for number in range(24):
        if table.match.to_act is None:
            break
        view = table.view(Viewer.from_seat(table.match.to_act))
        assert view.sight is not None
        rules = view.game
        legal = [
            {
                "move": rules.dump_move(one),
                "text": rules.notation.write(rules.dump_move(one)),
                "path": rules.build_path(view.sight, one),
            }
            for one in rules.iter_legal_moves(table.match.started)
        ]
        if number % 6 == 5 or number == 0:
            found.append((table, legal, rules.build_scene(view.sight, view.last)))
        table.play(random.choice(legal)["move"])
    return found


def test_ten_thousand_moves_are_narrowed_quickly() -> None:
    moves = [
        move(
            f"{card}@{cell} -{one},{two}",
            f"hand:{card}",
            f"cell:{cell}",
            f"hand:{one}",
            f"hand:{two}",
        )
        for card in range(4)
        for cell in range(50)
        for one in range(10)
        for two in range(5)
    ]
    began = time.perf_counter()
    end = down(grow_tree(moves, TABLE), "hand:3", "cell:49", "hand:9", "hand:4")
    assert texts(end) == ["3@49 -9,4"]
    assert time.perf_counter() - began < 1


def test_a_choice_whose_name_is_a_number_keeps_it_and_the_others_are_counted_above() -> None:
    found = named("action:draw", "hand:4", "cell:5,0", "hand:9", "cell:2,0")
    assert {one.id: one.number for one in found.values()} == {
        "cell:2,0": 10,
        "cell:5,0": 11,
        "hand:4": 4,
        "hand:9": 9,
        "action:draw": 12,
    }


def test_a_number_that_two_kinds_share_belongs_to_neither() -> None:
    found = named("unit:5", "node:5", "node:6")
    assert {one.id: one.number for one in found.values()} == {"unit:5": 7, "node:5": 8, "node:6": 6}
    assert [one.id for one in find(list(found.values()), "5")] == ["unit:5", "node:5"]
    assert [one.id for one in find(list(found.values()), "node:5")] == ["node:5"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("9", "hand:9"),
        ("hand:9", "hand:9"),
        ("a 9", "hand:9"),
        ("2,0", "cell:2,0"),
        ("(2, 0)", "cell:2,0"),
        ("10", "cell:2,0"),
        ("DRAW", "action:draw"),
        ("take a card", "action:draw"),
        ("3,0", None),
    ],
)
def test_a_choice_is_named_in_several_ways(typed: str, meant: str | None) -> None:
    found = named("action:draw", "hand:9", "cell:2,0")
    assert [one.id for one in find(list(found.values()), typed)] == ([meant] if meant else [])


def test_choices_are_listed_by_zone_short_ones_in_columns() -> None:
    wide = zone(Shape.HAND, "Your hand", space("hand:1", "word " * 20), space("hand:2", "a two"))
    board = zone(Shape.FIELD, "Field", *(space(f"cell:{x},0", f"{x},0") for x in range(12)))
    scene = Scene((board, wide, BUTTONS))
    ids = [one.id for part in scene.zones for one in part.spaces]
    assert [line.plain for line in format_choices(number_choices(ids, scene), 60)] == [
        "Field",
        "  3  0,0      4  1,0      5  2,0      6  3,0      7  4,0",
        "  8  5,0      9  6,0     10  7,0     11  8,0     12  9,0",
        " 13  10,0    14  11,0",
        "Your hand",
        "  1  word word word word word word word word word word word",
        "     word word word word word word word word word",
        "  2  a two",
        "Choices",
        " 15  Take a card",
    ]


def test_a_step_is_told_with_its_zone_and_what_lies_there() -> None:
    assert describe_step("hand:1", TABLE) == "Your hand: a 1"
    assert describe_step("cell:5,0", TABLE) == "Field: 5,0: P2's 4, value 4"
    assert describe_step("plan:b", TABLE) == "plan b"
