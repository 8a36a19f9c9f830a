"""Scenes survive their way through JSON, of every game and at every step."""

from __future__ import annotations

import orjson
import pytest

from domain.game.game import Viewer
from domain.game.scene import Scene, Shape, Zone
from domain.match.views import build_scene
from services.drawing.scene_json import read_scene, scene_json
from tests.support.games import test_games
from tests.support.scenario import Table


@pytest.mark.parametrize("game", [game.slug for game in test_games()])
@pytest.mark.parametrize("viewer", [Viewer.SEAT_1, Viewer.SPECTATOR])
def test_a_scene_is_the_same_after_its_way_through_json(game: str, viewer: Viewer) -> None:
    table = Table.started(test_games().get(game))
    for _ in range(8):
        scene = build_scene(table.view(viewer))
        assert scene is not None
        assert read_scene(orjson.loads(orjson.dumps(scene_json(scene)))) == scene
        if table.match.to_act is None:
            break
        table.play(table.legal_moves()[-1])


def test_what_a_newer_service_says_more_is_passed_over() -> None:
    json = scene_json(Scene((Zone("board", "Board", Shape.GRID, ()),)))
    json["weather"] = "fine"
    json["zones"][0]["colour"] = "blue"
    assert read_scene(json) == Scene((Zone("board", "Board", Shape.GRID, ()),))


@pytest.mark.parametrize("json", [{}, {"zones": 5}, {"zones": [{}]}, {"zones": [5]}])
def test_what_is_no_scene_is_refused(json: object) -> None:
    with pytest.raises(ValueError, match="no scene"):
        read_scene(json)  # type: ignore[arg-type]
