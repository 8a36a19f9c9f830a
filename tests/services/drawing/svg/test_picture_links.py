"""Links and choices laid over pictures, whatever is drawn below."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from domain.game.scene import Scene, Shape, Space, Token, Zone
from services.drawing.svg.picture import Way, Ways, draw_zone
from tests.services.drawing.svg.scenes import SVG, played, token

BOARDS = [Shape.LINE, Shape.GRID, Shape.FIELD, Shape.HAND, Shape.CHOICES]


def space(x: int, *tokens: Token) -> Space:
    return Space(f"s:{x}", x, 0, f"space {x}", tokens)


def drawn(zone: Zone, ways: Ways) -> Element:
    return fromstring(draw_zone(zone, Scene((zone,)), "p", "A picture.", ways))


def links(picture: Element) -> list[tuple[str | None, str]]:
    found = picture.findall(f".//{SVG}a")
    return [(one.get("href"), one.findtext(f"{SVG}title") or "") for one in found]


@pytest.mark.parametrize("shape", BOARDS)
def test_a_space_that_goes_on_is_a_link_with_a_name(shape: Shape) -> None:
    zone = Zone("z", "Zone", shape, tuple(space(x, token()) for x in range(3)))
    picture = drawn(zone, Ways({"s:1": Way("?path=s:1", "Choose <it>")}))
    assert links(picture) == [("?path=s:1", "Choose <it>")]
    assert picture.get("role") == "group"
    assert drawn(zone, Ways({"elsewhere": Way("?", "no")})).get("role") == "img"


def test_equal_cards_are_one_link_over_all_of_them() -> None:
    cards = tuple(token(kind="card") for _ in range(3))
    zone = Zone("z", "Hand", Shape.HAND, (space(4, *cards),))
    picture = drawn(zone, Ways({"s:4": Way("?", "Choose 4")}))
    (link,) = picture.findall(f".//{SVG}a")
    assert len(link.findall(f".//{SVG}rect[@class='go-edge']")) == 3
    assert len(link.findall(f".//{SVG}circle")) == 1


def test_what_was_chosen_has_the_numbers_of_its_steps() -> None:
    zone = Zone("z", "Zone", Shape.GRID, tuple(space(x) for x in range(3)))
    picture = drawn(zone, Ways({}, ("s:2", "s:0", "s:2", "other")))
    numbers = {
        one.text for one in picture.iter(f"{SVG}text") if one.get("class") == "chosen-number"
    }
    assert numbers == {"1+3", "2"}
    assert not links(picture)


def test_of_a_pile_what_lies_on_top_can_be_clicked() -> None:
    zone = Zone("z", "Pile", Shape.PILE, tuple(space(x, token()) for x in range(3)))
    ways = Ways({f"s:{x}": Way(f"?{x}", f"Choose {x}") for x in range(3)})
    assert links(drawn(zone, ways)) == [("?2", "Choose 2")]


def test_every_space_of_every_board_has_its_place_inside_the_picture() -> None:
    for scene in played():
        for zone in scene.zones:
            ways = Ways({one.id: Way("?", one.label) for one in zone.spaces})
            picture = fromstring(draw_zone(zone, scene, "p", "", ways))
            wanted = {one.id for one in zone.spaces if zone.shape is not Shape.HAND or one.tokens}
            most = 1 if zone.shape is Shape.PILE else len(wanted)
            assert len(links(picture)) == min(len(wanted), most), zone.id
            left, top, wide, high = map(float, (picture.get("viewBox") or "").split())
            for link in picture.findall(f".//{SVG}a/{SVG}g"):
                moved = (link.get("transform") or "").split(")")[0].removeprefix("translate(")
                x, y = map(float, moved.split())
                assert left <= x <= left + wide
                assert top <= y <= top + high
