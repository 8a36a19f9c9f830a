"""Small pictures show what lies on a board, and nothing that is too small to be seen."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import pytest

from domain.game.scene import Mark, Scene, Shape, Space, Token, Zone
from domain.games import load_games
from domain.match.views import build_scene
from seeds.examples import find_opening, list_examples
from services.drawing.svg.markup import Point
from services.drawing.svg.thumbnails import draw_thumbnail
from tests.services.drawing.svg.scenes import SVG, full, parsed, played

ROOMS = (Point(256, 144), Point(400, 300), Point(90, 60))
MOMENTS = [one.view for game in load_games() for one in list_examples(game.slug)]
OPENINGS = [found for game in load_games() if (found := find_opening(game.slug))]


def small(scene: Scene, room: Point = ROOMS[0]) -> Element:
    picture = draw_thumbnail(scene, "t", room)
    assert picture is not None
    return parsed(str(picture))


def scale(root: Element, room: Point) -> float:
    _, _, wide, high = (float(one) for one in root.attrib["viewBox"].split())
    return min(room.x / wide, room.y / high)


def scenes() -> list[Scene]:
    found = [build_scene(view) for view in (*MOMENTS, *OPENINGS)]
    every = [*played(), *(one for one in found if one is not None)]
    return [one for one in every if one.zones[0].shape is not Shape.CHOICES]


def test_it_is_for_the_eye_only() -> None:
    root = small(played()[0])
    assert root.attrib["aria-hidden"] == "true"
    assert "role" not in root.attrib
    assert not list(root.iter(f"{SVG}title"))


def test_there_is_none_of_mere_choices() -> None:
    assert draw_thumbnail(full(Shape.CHOICES), "t") is None
    assert draw_thumbnail(Scene(()), "t") is None


@pytest.mark.parametrize("room", ROOMS)
def test_no_text_is_below_nine_pixels(room: Point) -> None:
    for scene in scenes():
        root = small(scene, room)
        for text in root.iter(f"{SVG}text"):
            assert float(text.attrib["font-size"]) * scale(root, room) >= 9
            assert text.get("class") != "axis"
        badges = [one for one in root.iter(f"{SVG}g") if one.get("class") == "total"]
        assert all(len(list(one.iter(f"{SVG}text"))) == 1 for one in badges)


def test_what_can_be_read_is_written() -> None:
    scene = next(one for one in scenes() if one.zones[0].shape is Shape.GRID and one.trails == ())
    written = {one.text for one in small(scene, ROOMS[1]).iter(f"{SVG}text")}
    tokens = {token.text for space in scene.zones[0].spaces for token in space.tokens}
    assert tokens <= written


def test_free_cells_in_reach_are_not_dotted_and_free_places_of_a_field_not_drawn() -> None:
    for scene in scenes():
        root = small(scene)
        classes = {name for one in root.iter() for name in one.get("class", "").split()}
        assert not classes & {"reach", "mark-reach"}
        if scene.zones[0].shape is Shape.FIELD:
            places = [one for one in root.iter() if "space" in one.get("class", "").split()]
            busy = [one for one in scene.zones[0].spaces if one.tokens]
            assert len(busy) <= len(places) < len(scene.zones[0].spaces)


def test_only_the_patterns_that_are_painted_with_are_there() -> None:
    for scene in scenes():
        root = small(scene)
        ids = {one.attrib["id"] for one in root.iter() if "id" in one.attrib}
        fills = {fill for one in root.iter() if (fill := one.get("fill")) and fill[:4] == "url("}
        assert ids == {fill.removeprefix("url(#").removesuffix(")") for fill in fills}


@pytest.mark.parametrize(("shape", "wide"), [(Shape.GRID, 9), (Shape.LINE, 11)])
def test_it_is_cropped_to_the_pieces_and_one_space_around(shape: Shape, wide: int) -> None:
    piece = Token("p", "piece", "A1", "a piece", owner=1)
    spaces = tuple(
        Space(f"s:{x},{y}", x, y, "", (piece,) if (x, y) in ((3, 0), (4, 0)) else ())
        for x in range(wide)
        for y in range(9 if shape is Shape.GRID else 1)
    )
    root = small(Scene((Zone("board", "board", shape, spaces),)))
    shown = [one for one in root.iter(f"{SVG}g") if "space" in one.get("class", "").split()]
    assert len(shown) == (8 if shape is Shape.GRID else 4)
    empty = tuple(Space(one.id, one.x, one.y, "", marks=frozenset({Mark.REACH})) for one in spaces)
    root = small(Scene((Zone("board", "board", shape, empty),)))
    shown = [one for one in root.iter(f"{SVG}g") if "space" in one.get("class", "").split()]
    assert len(shown) == len(spaces)


def test_what_has_not_changed_is_drawn_once() -> None:
    assert draw_thumbnail(full(Shape.GRID), "once") is draw_thumbnail(full(Shape.GRID), "once")
