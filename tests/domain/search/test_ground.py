"""The way from one decision to the next: its chance, its budget, its ends."""

from __future__ import annotations

from typing import cast

import pytest

from domain.game.game import AnyGame, Viewer
from domain.games.path_capture import PATH_CAPTURE
from domain.games.power_lines import POWER_LINES
from domain.search.alpha_beta import search_position
from domain.search.ground import WON, Exhausted, Ground, SeededDice
from tests.support.scenario import Table


def test_chance_is_splitmix64() -> None:
    """Source of the values: the generator's reference implementation, seeded with 0."""
    dice = SeededDice(0)
    assert [dice.draw_below(1 << 64) for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_chance_and_passes_are_gone_through() -> None:
    table = Table.started(POWER_LINES)
    game, options = table.game, table.match.options
    settings = (table.settings[0], table.settings[1])
    decision = Ground(game, SeededDice(1), 0).settle(game.set_up(options, settings))
    assert decision.seat in {1, 2}
    seen = game.view(decision.position, Viewer.SERVER, True)  # noqa: FBT003 - as Game has it
    assert [side["hand_count"] for side in game.show(seen)["players"]] == [8, 8]


def test_no_more_positions_are_looked_at_than_may_be() -> None:
    game = cast("AnyGame", PATH_CAPTURE)
    position = Table.started(PATH_CAPTURE, options={"length": 41}).match.started
    for budget in (0, 1, 7, 200):
        ground = Ground(game, SeededDice(1), budget)
        verdict = search_position(ground, position, 1)
        assert not ground.left
        assert not verdict.proven
        with pytest.raises(Exhausted):
            ground.play(position, verdict.move)


@pytest.mark.parametrize(("length", "value"), [(5, -WON), (6, WON), (8, WON), (9, -WON)])
def test_what_can_be_proven_is_proven(length: int, value: int) -> None:
    game = cast("AnyGame", PATH_CAPTURE)
    position = Table.started(PATH_CAPTURE, options={"length": length}).match.started
    verdict = search_position(Ground(game, SeededDice(1), 10_000), position, 1)
    assert verdict.proven
    assert verdict.value == value
