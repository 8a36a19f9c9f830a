"""Energy Capture as people see it: sentences and boards."""

from __future__ import annotations

from domain.game.scene import Mark, Note, Shape, Trail
from domain.games.energy_capture import ENERGY_CAPTURE
from tests.domain.games.energy_capture.test_rules import EXAMPLE, STEPS, cells
from tests.domain.games.support import drawn, marked, space, state, told, typed
from tests.support.scenario import Table


def test_a_step_is_told_with_what_it_captured() -> None:
    table = typed(ENERGY_CAPTURE, "1,2 5,4", cells=EXAMPLE)
    assert told(table, "2,2") == "P1 steps to (2,2) and captures E3: score 3."
    assert told(table, "5,3") == "P2 steps to (5,3)."
    assert told(table, "2,3") == "P1 steps to (2,3)."


def test_the_setup_is_told() -> None:
    table = Table.started(ENERGY_CAPTURE)
    position = ENERGY_CAPTURE.load(table.game.dump(table.match.started))
    sentence = ENERGY_CAPTURE.tell_draw(position, "setup", None, cells("2,4=2 3,3=5"))
    assert sentence == ("2 Energy Cells, worth 7 in all, are laid out: E2 on (2,4), E5 on (3,3).")


def test_the_grid_shows_markers_energy_and_axes() -> None:
    scene = drawn(typed(ENERGY_CAPTURE, "", cells=EXAMPLE))
    assert scene.zones[0].shape is Shape.GRID
    assert len(scene.zones[0].spaces) == 25
    there = space(scene, "cell:2,4")
    assert (there.x, there.y) == (3, 1)
    assert [(token.text, token.value) for token in there.tokens] == [("E2", 2)]
    assert [token.text for token in space(scene, "cell:5,5").tokens] == ["B"]
    assert scene.columns == scene.rows == ("1", "2", "3", "4", "5")


def test_the_last_step_what_it_took_and_the_reach_are_marked() -> None:
    scene = drawn(typed(ENERGY_CAPTURE, "1,2 5,4 2,2", cells=EXAMPLE))
    assert marked(scene, Mark.LAST) == ["cell:2,2"]
    assert marked(scene, Mark.CAPTURED) == ["cell:2,2"]
    assert marked(scene, Mark.LEFT) == ["cell:1,2"]
    assert marked(scene, Mark.REACH) == ["cell:4,4", "cell:5,3"]


def test_a_step_that_took_nothing_has_no_captured_mark() -> None:
    assert marked(drawn(typed(ENERGY_CAPTURE, "1,2", cells=EXAMPLE)), Mark.CAPTURED) == []


def test_trails_and_closed_cells_are_shown() -> None:
    scene = drawn(typed(ENERGY_CAPTURE, STEPS, cells=EXAMPLE))
    assert scene.trails[1] == Trail(
        2, ("cell:5,5", "cell:5,4", "cell:4,4", "cell:3,4", "cell:3,3", "cell:2,3")
    )
    closed = {one.id: one.closed_to for one in scene.zones[0].spaces if one.closed_to}
    assert closed == {
        "cell:1,1": (1,),
        "cell:1,2": (1,),
        "cell:2,2": (1, 2),
        "cell:2,4": (1, 2),
        "cell:3,3": (1, 2),
        "cell:4,4": (1, 2),
        "cell:5,4": (2,),
        "cell:5,5": (2,),
    }
    assert marked(scene, Mark.CLOSED) == ["cell:2,2", "cell:2,4", "cell:3,3", "cell:4,4"]


def test_with_own_only_a_trail_is_closed() -> None:
    scene = drawn(typed(ENERGY_CAPTURE, STEPS, cells=EXAMPLE, closed="own"))
    assert marked(scene, Mark.CLOSED) == []
    assert space(scene, "cell:4,4").closed_to == (2,)


def test_scores_run_to_fifteen() -> None:
    scene = drawn(typed(ENERGY_CAPTURE, STEPS, cells=EXAMPLE))
    assert [(one.owner, one.label, one.value, one.maximum) for one in scene.meters] == [
        (1, "energy", 5, 15),
        (1, "Energy Cells captured", 2, None),
        (2, "energy", 9, 15),
        (2, "Energy Cells captured", 2, None),
    ]
    assert scene.notes == (Note("1 Energy Cell is left, worth 1 in all."),)


def test_the_board_says_which_rung_decided() -> None:
    richer = drawn(typed(ENERGY_CAPTURE, "1,2 5,4", cells=cells("1,2=1 5,4=2")))
    assert richer.notes == (Note("Nobody reached 15; the score decides: P1 1, P2 2."),)
    level = drawn(typed(ENERGY_CAPTURE, "1,2 5,4", cells=cells("1,2=2 5,4=2")))
    assert level.notes == (
        Note("Nobody reached 15, and the markers are level in everything: a draw."),
    )


def test_a_win_by_energy_needs_no_ladder() -> None:
    row = cells("1,2=5 1,3=5 1,4=5 3,3=1")
    table = typed(ENERGY_CAPTURE, "1,2 5,4 1,3 5,3 1,4", cells=row)
    assert state(table)["players"][0]["score"] == 15
    assert drawn(table).notes == (Note("1 Energy Cell is left, worth 1 in all."),)
    assert marked(drawn(table), Mark.REACH) == []
