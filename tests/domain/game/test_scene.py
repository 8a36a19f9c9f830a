"""What every game's scene keeps, so that front ends need to know no game."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from domain.game.game import Sight, Viewer
from domain.game.scene import Scene, Shape, turn_scene
from domain.match.state import Match
from domain.match.views import MatchView, view
from tests.domain.playouts import Playout


def looked_at(played: Playout) -> list[Match]:
    return [*played.acting, played.moments[-1]]


def drawn(seen: MatchView) -> Scene:
    assert seen.sight is not None
    return seen.game.build_scene(seen.sight, seen.last)


def ids(scene: Scene) -> list[str]:
    spaces = [space for zone in scene.zones for space in zone.spaces]
    tokens = [token for space in spaces for token in space.tokens]
    return [
        *(zone.id for zone in scene.zones),
        *(one.id for one in spaces),
        *(t.id for t in tokens),
    ]


def test_ids_are_unique_and_bonds_lead_to_spaces_that_are_there(played: Playout) -> None:
    for moment in looked_at(played):
        for viewer in Viewer:
            scene = drawn(view(moment, viewer))
            assert [name for name, times in Counter(ids(scene)).items() if times > 1] == []
            ends = [end for link in scene.links for end in (link.source, link.target)]
            ends += [space for trail in scene.trails for space in trail.spaces]
            assert set(ends) <= {space.id for zone in scene.zones for space in zone.spaces}


def test_everything_has_a_label_and_fits_its_place(played: Playout) -> None:
    for moment in looked_at(played):
        for viewer in Viewer:
            for zone in drawn(view(moment, viewer)).zones:
                assert zone.title
                places = [(space.x, space.y) for space in zone.spaces]
                assert len(set(places)) == len(places)
                assert zone.shape is Shape.FIELD or min([0, *map(min, places)]) == 0
                tokens = [token for space in zone.spaces for token in space.tokens]
                assert all(space.label for space in zone.spaces)
                assert all(token.label and 0 < len(token.text) <= 4 for token in tokens)


def test_a_move_of_the_seat_to_act_is_a_path_over_its_scene(played: Playout) -> None:
    for moment in played.acting:
        seen = view(moment, Viewer.from_seat(moment.to_act))
        there = set(ids(drawn(seen)))
        for steps in paths(moment, seen):
            assert steps
            assert set(steps) <= there


def test_the_steps_tell_the_moves_apart_and_none_ends_where_another_goes_on(
    played: Playout,
) -> None:
    for moment in played.acting:
        ordered = sorted(paths(moment, view(moment, Viewer.from_seat(moment.to_act))))
        for path, following in pairwise(ordered):
            assert following[: len(path)] != path


def test_a_board_turned_twice_is_as_it_was_and_turned_once_keeps_its_names(
    played: Playout,
) -> None:
    for moment in looked_at(played):
        scene = drawn(view(moment, Viewer.SPECTATOR))
        once, board = turn_scene(scene), scene.zones[0]
        assert [turn_scene(once).zones, turn_scene(once).rows] == [scene.zones, scene.rows]
        assert [one.id for one in once.zones[0].spaces] == [one.id for one in board.spaces]
        if scene.rows:
            named = [{one.id: s.rows[one.y] for one in s.zones[0].spaces} for s in (scene, once)]
            assert named[0] == named[1]
        if len(board.spaces) > 1 and board.shape in (Shape.LINE, Shape.GRID, Shape.FIELD):
            assert once.zones[0].spaces != board.spaces


def test_the_measure_is_a_meter_of_both_seats(played: Playout) -> None:
    for moment in looked_at(played):
        scene = drawn(view(moment, Viewer.SPECTATOR))
        found = {one.owner for one in scene.meters if one.label == scene.measure}
        assert scene.measure is None or found == {1, 2}


def paths(moment: Match, seen: MatchView) -> list[tuple[str, ...]]:
    sight: Sight | None = seen.sight
    assert sight is not None
    return [
        moment.game.build_path(sight, move) for move in moment.game.iter_legal_moves(moment.started)
    ]
