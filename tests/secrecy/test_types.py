"""The type checker stands at the door: whoever draws the card game gets a view, not the truth."""

from __future__ import annotations

from pathlib import Path

from tests.support.type_checker import faults_of

RENDERERS = """
from domain.games.power_lines import POWER_LINES
from domain.games.power_lines.moves import Move
from domain.games.power_lines.position import Position
from domain.games.power_lines.views import View
from domain.json_types import JsonObject
from domain.game.scene import Scene
from domain.game.game import Viewer

def drawn(truth: Position) -> Scene:
    return POWER_LINES.build_scene(truth, None)  # wrong

def shown(truth: Position) -> JsonObject:
    return POWER_LINES.show(truth)  # wrong

def entered(truth: Position, move: Move) -> tuple[str, ...]:
    return POWER_LINES.build_path(truth, move)  # wrong

def warned(truth: Position, move: Move) -> str | None:
    return POWER_LINES.warn(truth, move)  # wrong

def told(truth: Position) -> str:
    return POWER_LINES.tell_draw(truth, "shuffle", 1, None)  # wrong

def careful(truth: Position) -> Scene:
    seen: View = POWER_LINES.view(truth, Viewer.SPECTATOR, False)
    return POWER_LINES.build_scene(seen, None)
"""


def test_a_renderer_of_the_card_game_that_is_given_the_truth_does_not_type_check(
    tmp_path: Path,
) -> None:
    faults = faults_of(RENDERERS, tmp_path)
    wrong = [number for number, line in enumerate(RENDERERS.splitlines(), 1) if "# wrong" in line]
    assert [line for line, _ in faults] == wrong, faults
    assert all('incompatible type "Position"; expected "View"' in text for _, text in faults)
