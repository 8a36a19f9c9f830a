"""Whatever a scene holds, its picture is sound: XML, ids, bytes, and nothing from outside."""

import subprocess
import sys
from itertools import product
from pathlib import Path
from xml.etree.ElementTree import ParseError

import pytest

from domain.game.scene import Scene, Shape
from services.drawing.svg.cards import draw_back, draw_card, draw_readable
from services.drawing.svg.marks import Patterns
from services.drawing.svg.markup import Point
from services.drawing.svg.picture import draw_zone
from services.drawing.svg.tokens import draw_token
from tests.services.drawing.svg.scenes import SVG, drawn, full, parsed, played, token, zone
from tests.support.games import test_games

ROOT = Path(__file__).parents[4]

ATTACKS = (
    "<script>alert(1)</script>",
    '" onload="alert(1)',
    "]]><svg/onload=alert(1)>",
    "a\x00b\x1f\ud800\ufffe",
    "\u202eevil",
    "&lt;",
)


def every_picture() -> list[str]:
    scenes = [*played(), *map(full, Shape)]
    return [drawn(scene, at) for scene in scenes for at in range(len(scene.zones))]


def test_every_picture_is_well_formed_xml() -> None:
    for picture in every_picture():
        assert parsed(picture).tag == f"{SVG}svg"


def test_every_picture_names_itself_for_those_who_do_not_see_it() -> None:
    for picture in every_picture():
        root = parsed(picture)
        ids = root.attrib["aria-labelledby"].split()
        named = {element.get("id"): element for element in root.iter()}
        assert root.attrib["role"] == "img"
        assert [named[one].tag for one in ids] == [f"{SVG}title", f"{SVG}desc"]
        assert named[ids[1]].text == "What it shows."


def test_ids_are_unique_and_begin_with_the_prefix_of_their_picture() -> None:
    for picture in every_picture():
        ids = [one.attrib["id"] for one in parsed(picture).iter() if "id" in one.attrib]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("p-") for one in ids)


def test_the_patterns_that_are_painted_with_are_there_and_no_others() -> None:
    for picture in every_picture():
        root = parsed(picture)
        ids = {one.get("id") for drawn in root.iter(f"{SVG}defs") for one in drawn}
        fills = {fill for one in root.iter() if (fill := one.get("fill")) and fill[:4] == "url("}
        assert {fill.removeprefix("url(#").removesuffix(")") for fill in fills} == ids


def test_a_picture_has_no_style_no_script_and_no_link() -> None:
    for picture in every_picture():
        for element in parsed(picture).iter():
            assert element.tag not in {f"{SVG}script", f"{SVG}style", f"{SVG}a", f"{SVG}image"}
            names = set(element.attrib)
            assert not {"style", "href"} & names
            assert not [name for name in names if name.startswith("on") or "}" in name]


@pytest.mark.parametrize(("shape", "attack"), [*product(Shape, ATTACKS)])
def test_texts_that_attack_stay_texts(shape: Shape, attack: str) -> None:
    allowed = {one.tag for one in parsed(drawn(full(shape))).iter()}
    root = parsed(drawn(full(shape, attack)))
    attributes = {name for one in root.iter() for name in one.attrib}
    assert {one.tag for one in root.iter()} <= allowed
    assert not [name for name in attributes if name.startswith("on")]
    shown = "".join(root.itertext())
    assert attack.translate(dict.fromkeys((0, 0x1F, 0xD800, 0xFFFE), "\ufffd")) in shown


def test_the_same_scene_gives_the_same_bytes_in_every_process() -> None:
    script = (
        "from hashlib import sha256\n"
        "from tests.services.drawing.svg.test_picture import every_picture\n"
        "print(sha256(''.join(every_picture()).encode()).hexdigest())\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1


def test_everything_stays_inside_the_frame() -> None:
    for picture in every_picture():
        root = parsed(picture)
        left, top, width, height = (float(part) for part in root.attrib["viewBox"].split())
        for group in root.iter(f"{SVG}g"):
            move = group.get("transform", "")
            if move.startswith("translate(") and "worth" not in group.get("class", ""):
                x, y = (float(part) for part in move[10:].split(")")[0].split())
                assert left - 60 <= x <= left + width + 1, group.attrib
                assert top - 180 <= y <= top + height + 1, group.attrib


@pytest.mark.parametrize("shape", Shape)
def test_an_empty_zone_can_be_drawn(shape: Shape) -> None:
    scene = Scene((zone(shape),))
    assert float(parsed(drawn(scene)).attrib["width"]) > 0


def test_pages_and_pictures_know_no_game() -> None:
    kinds = {".py", ".html", ".css", ".js", ".svg"}
    texts: dict[Path, str] = {}
    for room in ("web/pages", "services/drawing", "web/templates", "web/static"):
        found = [path for path in (ROOT / room).rglob("*") if path.suffix in kinds]
        assert found, room
        texts |= {path: path.read_text(encoding="utf-8").lower() for path in found}
    names = {form for game in test_games() for form in _forms(game.slug)}
    named = [(path.name, name) for path, text in texts.items() for name in names if name in text]
    assert not named


def _forms(slug: str) -> set[str]:
    return {slug, slug.replace("-", "_"), slug.replace("-", " ")}


def test_a_broken_picture_would_be_noticed() -> None:
    scene = full(Shape.GRID)
    with pytest.raises(ParseError):
        parsed(str(draw_zone(scene.zones[0], scene, "p", "d")).replace("</svg>", ""))


def test_what_looks_the_same_is_drawn_once() -> None:
    def pieces() -> list[object]:
        at, patterns = Point(1, 2), Patterns("once")
        return [
            draw_back(1, at, patterns),
            draw_card(token(kind="card", value=3), at, patterns),
            draw_readable(token(kind="card", value=3), "once"),
            draw_token(token(), at, 9, patterns),
        ]

    assert all(one is again for one, again in zip(pieces(), pieces(), strict=True))
