"""Scenes as text: what a person sees without colours, in 80 columns and in fewer."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import dedent

import pytest

from domain.game.scene import Link, Mark, Meter, Note, Scene, Shape, Space, Token, Zone
from services.drawing.text.board import render


def picture(text: str) -> str:
    return dedent(text).strip("\n")


def piece(text: str, owner: int | None, **more: object) -> Token:
    return Token(f"piece:{text}", "piece", text, text, owner, **more)  # type: ignore[arg-type]


def space(x: int, y: int = 0, *tokens: Token, marks: Iterable[Mark] = (), **more: object) -> Space:
    return Space(f"at:{x},{y}", x, y, f"({x}, {y})", tokens, frozenset(marks), **more)  # type: ignore[arg-type]


def board(shape: Shape, *spaces: Space, **more: object) -> Scene:
    return Scene((Zone("board", "Board", shape, spaces),), **more)  # type: ignore[arg-type]


def drawing(scene: Scene, width: int = 80) -> str:
    return render(scene, width).plain


def test_a_line_shows_pieces_in_brackets_over_their_numbers() -> None:
    scene = board(Shape.LINE, space(0, 0, piece("A3", 1)), space(1), space(2, 0, piece("B10", 2)))
    assert drawing(scene) == picture(
        """
        [ A3  ][     ][ B10 ]
           0      1      2

        A is P1   B is P2
        """
    )


def test_the_last_move_is_told_by_shape_and_explained() -> None:
    scene = board(
        Shape.LINE,
        space(0, marks={Mark.LEFT}),
        space(1, 0, piece("A", 1), marks={Mark.LAST, Mark.CAPTURED}),
        space(2, 0, piece("B", 2), marks={Mark.REACH}),
        space(3, marks={Mark.LAST}),
    )
    assert drawing(scene) == picture(
        """
        [ . ][>A*][+B+][> <]
          0    1    2    3

        >< last move   * captured here   . left by the last move   + in reach   A is P1
        B is P2
        """
    )


def test_linked_neighbours_of_a_line_are_joined_by_a_bar() -> None:
    spaces = [space(x, 0, piece(f"A{x}", 1)) for x in range(3)]
    scene = board(Shape.LINE, *spaces, links=(Link("at:1,0", "at:0,0", 1),))
    assert drawing(scene).splitlines()[0] == "[ A0 == A1 ][ A2 ]"


def test_a_long_line_goes_on_in_rows_of_equal_length() -> None:
    lines = drawing(board(Shape.LINE, *(space(x) for x in range(41)))).splitlines()
    assert [line.split() for line in lines[1::2]] == [
        [str(x) for x in range(start, min(start + 14, 41))] for start in (0, 14, 28)
    ]
    assert max(map(len, lines)) <= 80


def test_a_grid_has_walls_axes_and_owners_letters() -> None:
    spaces = [space(x, y) for y in (1, 2) for x in (1, 2)]
    spaces[0] = space(1, 1, piece("7", 2))
    spaces[3] = space(2, 2, piece("5", 1), marks={Mark.LAST})
    scene = board(Shape.GRID, *spaces, columns=("1", "2"), rows=("1", "2"))
    assert drawing(scene) == picture(
        """
            1    2
          +----+----+
        1 | B7 |    |
          +----+----+
        2 |    |>A5<|
          +----+----+

        >< last move   A is P1   B is P2
        """
    )


def test_linked_cells_of_a_grid_open_the_wall_between_them() -> None:
    spaces = [space(x, y, piece(str(x), 1)) for y in (0, 1) for x in (0, 1)]
    links = (Link("at:0,0", "at:1,0", 1), Link("at:0,0", "at:0,1", 1))
    assert drawing(board(Shape.GRID, *spaces, links=links)).splitlines()[:3] == [
        "+----+----+",
        "| A0 = A1 |",
        "+-||-+----+",
    ]


def test_closed_cells_say_to_whom() -> None:
    scene = board(
        Shape.GRID,
        space(0, 0, closed_to=(1,)),
        space(1, 0, closed_to=(1, 2)),
        space(2, 0, marks={Mark.CLOSED}),
    )
    lines = drawing(scene).splitlines()
    assert lines[1] == "| #1 | #  | #  |"
    assert "#1 closed to P1" in lines[-1]


def test_a_field_shows_only_its_spaces_with_coordinates() -> None:
    scene = board(
        Shape.FIELD,
        space(-1, 0, piece("B", 1)),
        space(0, 0, piece("7", 1), piece("6", 2), marks={Mark.LAST}),
        space(0, -1, marks={Mark.REACH}),
        space(1, 1, piece("?", 2, face_down=True, marks=frozenset({Mark.LOOSE}))),
    )
    assert drawing(scene) == picture(
        """
        y x  -1    0    1
        -1      [  +  ]
         0  [AB]>A7/B6<
         1             ~b?~

        >< last move   ~ cut off   + in reach   A is P1   B is P2   a, b face down
        """
    )


def test_a_field_wider_than_the_terminal_is_drawn_in_bands() -> None:
    cards = [space(x, y, piece("10", 1 + x % 2)) for x in range(20) for y in range(3)]
    lines = drawing(board(Shape.FIELD, *cards)).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.count("10]") for line in lines) == 60
    assert sum(line.startswith("y x") for line in lines) == 2


def test_hands_piles_and_choices_are_told_in_a_line_each() -> None:
    hand = tuple(space(x, 0, piece(text, 1)) for x, text in enumerate(("0", "3", "10")))
    pile = (space(0, 0, piece("2", 2), piece("9", 2)),)
    scene = Scene(
        (
            Zone("hand:1", "Hand (P1)", Shape.HAND, hand, 1),
            Zone("hand:2", "Hand (P2)", Shape.HAND, (), 2, hidden_count=5),
            Zone("deck:1", "Deck (P1)", Shape.PILE, (), 1, hidden_count=18),
            Zone("trash:1", "Trash of P1", Shape.PILE, (), 1),
            Zone("discard:2", "Discard pile (P2)", Shape.PILE, pile, 2),
            Zone("choices", "Choices", Shape.CHOICES, (space(0), space(1))),
        )
    )
    assert drawing(scene).splitlines() == [
        "Hand (P1): [0] [3] [10]",
        "Hand (P2): 5 hidden",
        "Deck (P1): 18",
        "Trash of P1: empty",
        "Discard pile (P2): 2, top first: 9 2",
        "Choices: (0, 0) | (1, 0)",
    ]


def test_meters_stand_below_each_other_with_bars_where_they_have_an_end() -> None:
    meters = (
        Meter(1, "energy", 12, 15),
        Meter(1, "score", 3),
        Meter(2, "energy", 0, 15),
        Meter(2, "score", 14),
    )
    shown = [
        "P1   energy 12/15 ========--   score 3",
        "P2   energy  0/15 ----------   score 14",
    ]
    assert drawing(Scene((), meters=meters), len(shown[1])).splitlines() == shown
    assert drawing(Scene((), meters=meters), len(shown[1]) - 1).splitlines() == [
        "P1   energy 12/15   score 3",
        "P2   energy  0/15   score 14",
    ]


def test_notes_name_their_seat_and_wrap() -> None:
    notes = (Note("First thing."), Note("one two three four five six", 2))
    assert drawing(Scene((), notes=notes), 20).splitlines() == [
        "- First thing.",
        "- P2: one two three",
        "  four five six",
    ]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    scene = board(
        Shape.LINE,
        *(space(x, 0, piece("A10", 1)) for x in range(41)),
        notes=(Note("a few words " * 20),),
    )
    assert max(map(len, drawing(scene, width).splitlines())) <= width


def test_a_flipped_line_is_turned_and_keeps_its_numbers() -> None:
    scene = board(Shape.LINE, space(0, 0, piece("A3", 1)), space(1), space(2))
    shown = render(scene, flipped=True).plain.splitlines()
    assert shown[0] == "[    ][    ][ A3 ]"
    assert shown[1].split() == ["2", "1", "0"]


def test_a_flipped_grid_is_turned_with_its_names_and_its_open_walls() -> None:
    spaces = (space(0, 0, piece("A3", 1)), space(1, 0), space(0, 1), space(1, 1))
    bond = (Link("at:0,0", "at:0,1", 1),)
    scene = board(Shape.GRID, *spaces, links=bond, columns=("a", "b"), rows=("1", "2"))
    shown = render(scene, flipped=True).plain.splitlines()
    assert shown[0].split() == ["b", "a"]
    assert shown[2].startswith("2 ")
    assert shown[3] == "  +----+-||-+"
    assert shown[4] == "1 |    | A3 |"
