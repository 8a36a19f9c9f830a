"""Pictures outside of a page: the site's colours, every class painted, nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from time import sleep
from xml.etree import ElementTree as ET

import pytest

from domain.game.game import Viewer
from domain.match.views import build_scene
from services.drawing.raster import rasterise
from services.drawing.sheet import DAY, NIGHT, Caption, draw_sheet
from tests.support.games import test_games
from tests.support.scenario import Table

ROOT = Path(__file__).resolve().parents[3]
TOKENS = ROOT / "web" / "static" / "common" / "tokens.css"
GAMES = [game.slug for game in test_games()]


def sheet(slug: str) -> str:
    game = test_games().get(slug)
    there = Table.started(game)
    for _ in range(4):
        if there.match.to_act is not None:
            there.play(there.legal_moves()[0])
    return draw_sheet(
        build_scene(there.view(Viewer.SERVER)), Caption("A title", ("a line",), {"a": 1})
    )


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (?:light-dark\()?(#[0-9a-f]{6})", block))


def test_the_colours_are_those_of_the_site() -> None:
    css = TOKENS.read_text(encoding="utf-8")
    night_at = css.index("\n.night {")
    day = _colours(css[:night_at])
    assert {name: day.get(name) for name in DAY} == dict(DAY)
    own = {name.removeprefix("night-"): day[name] for name in day if name.startswith("night-")}
    night = {**own, **_colours(css[night_at:].partition("}")[0])}
    assert {name: night.get(name, DAY[name]) for name in NIGHT} == dict(NIGHT)


@pytest.mark.parametrize("slug", GAMES)
def test_a_sheet_stands_alone(slug: str) -> None:
    svg = sheet(slug)
    root = ET.fromstring(svg)
    for element in root.iter():
        assert not {"class", "style", "href"} & set(element.keys())
        assert element.tag.rpartition("}")[2] not in ("script", "style", "image", "use", "a")
        for value in element.attrib.values():
            assert "var(" not in value
            assert "url(" not in value.replace("url(#", "")
            assert not value.startswith("$")
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("slug", GAMES[:2])
def test_a_png_is_the_same_wherever_it_is_drawn(slug: str) -> None:
    svg = sheet(slug)
    png = rasterise(svg, "{}")
    assert png == rasterise(svg, "{}")
    root = ET.fromstring(svg)
    wide, high = (round(2 * float(root.get(name, 0))) for name in ("width", "height"))
    assert int.from_bytes(png[16:20], "big") == pytest.approx(wide, abs=2)
    assert int.from_bytes(png[20:24], "big") == pytest.approx(high, abs=2)
    # Letters are drawn: without its font the picture would be another.
    assert png != rasterise(svg.replace("<text", "<title").replace("</text>", "</title>"), "{}")


def test_a_large_board_makes_no_larger_picture_than_others() -> None:
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}"/>'
    )
    for wide, high in ((3000, 3000), (40, 200_000), (700, 700)):
        png = rasterise(head.format(wide, high), "{}")
        across, down = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
        assert across * down <= 2_100_000
        assert across / down == pytest.approx(wide / high, rel=0.1)


def test_a_picture_is_painted_beside_everything_else() -> None:
    svg = sheet("energy-capture")
    rasterise(svg, "{}")
    done, turns = Event(), 0

    def paint() -> None:
        rasterise(svg, "{}")
        done.set()

    painting = Thread(target=paint)
    painting.start()
    while not done.is_set():
        sleep(0.001)
        turns += 1
    painting.join()
    # The library itself lets nobody else have a turn before it is ready.
    assert turns > 10


def test_what_is_no_picture_is_refused_and_the_next_one_is_painted() -> None:
    for wrong in ("", "<svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g>'):
        with pytest.raises(ValueError, match="SVG"):
            rasterise(wrong, "{}")
    assert rasterise(sheet("power-line"), "{}").startswith(b"\x89PNG")


FORK = """
import os, sys, threading
from services.drawing.raster import rasterise
svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
painted = rasterise(svg, "")
[one.join() for one in threading.enumerate() if one is not threading.main_thread()]
child = os.fork()
if child == 0:
    os._exit(rasterise(svg, "") != painted)
_, status = os.waitpid(child, 0)
sys.exit(status or rasterise(svg, "") != painted)
"""


def test_a_fork_paints_by_itself_and_leaves_nothing_open() -> None:
    command = [sys.executable, "-W", "error", "-c", FORK]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
