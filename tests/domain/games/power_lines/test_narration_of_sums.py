"""A domination is told with its sum before it is made."""

from __future__ import annotations

from domain.game.game import Viewer
from domain.games.power_lines.position import Position
from tests.domain.games.power_lines.pictures import GAME, pictured, read, refused, seen

POSITION = pictured("A* A8 B4 B*\n. A5 A3 .", hands=((4,), ()))


def reckoned(position: Position, text: str) -> str | None:
    assert refused(position, text) is None
    return GAME.reckon(seen(position, Viewer.from_seat(position.actor)), read(text))


def test_a_domination_tells_what_each_card_that_reaches_it_adds() -> None:
    assert reckoned(POSITION, "dominate 2,0") == (
        "10 on 1,0 + 3 on 2,1 = 13; it takes 6 (4 and 2 more)."
    )


def test_cards_that_are_cut_off_add_nothing() -> None:
    apart = pictured("A* A8 B4 B*\n. . A3 .", hands=((4,), ()))
    assert reckoned(apart, "dominate 2,0") == "9 on 1,0 = 9; it takes 6 (4 and 2 more)."


def test_other_moves_rest_on_no_sum() -> None:
    assert reckoned(POSITION, "4@0,1") is None
