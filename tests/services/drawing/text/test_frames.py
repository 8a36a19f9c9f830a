"""What stands around a board in the terminal."""

from __future__ import annotations

import pytest

from domain.game import AnyGame
from domain.viewer import Viewer
from domain.views import view
from services.drawing.text.frames import Names, standing
from tests.services.drawing.text.test_pictures import GAMES, begun

PLAYERS = Names({"p_a": "ada", "p_b": "bob"})


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_one_is_to_move_while_a_match_runs(game: AnyGame) -> None:
    seen = view(begun(game, {}), Viewer.SPECTATOR)
    assert str(standing(seen, PLAYERS)) in ("P1 ada to move.", "P2 bob to move.")


def test_between_a_move_and_its_dice_nobody_is_waited_for() -> None:
    seen = view(begun(GAMES[0], {}), Viewer.SPECTATOR)
    assert str(standing(seen._replace(to_act=None), PLAYERS)) == "Chance decides next."


def test_an_open_match_waits_for_a_second_player() -> None:
    seen = view(begun(GAMES[0], {}), Viewer.SPECTATOR)._replace(status="open", to_act=None)
    assert str(standing(seen, PLAYERS)) == "Waiting for a second player."
