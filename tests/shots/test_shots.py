"""No page is left out of the pictures, and each of them is there to be taken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest

from domain.games import load_games
from tests.shots.__main__ import file_name, pictured, write_index
from tests.shots.cast import VISITOR, Shot
from tests.shots.stage import Stage, staged
from tests.web.pages.furnishing import endpoint_of, page_endpoints
from tests.web.people import Answer

if TYPE_CHECKING:
    from playwright.sync_api import Page


def answered(stage: Stage, shot: Shot) -> Answer:
    client = stage.site.app.test_client()
    if shot.who != VISITOR:
        client.set_cookie("plybook", stage.cookies[shot.who][0]["value"])
    address = urlsplit(shot.url)
    return cast("Answer", client.get(f"{address.path}?{address.query}"))


@pytest.mark.slow
def test_every_page_and_each_game_in_every_phase_is_looked_at(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        names = Counter(one.name for one in stage.shots)
        assert [name for name, number in names.items() if number > 1] == []
        here = [one for one in stage.shots if one.url.startswith(stage.site.url)]
        paths = [one.url.removeprefix(stage.site.url) for one in here]
        seen = {endpoint_of(stage.site.app, path) for path in paths}
        assert set(page_endpoints(stage.site.app)) - seen == set()
        for game in load_games():
            phases = {one for one in names if one.startswith(f"game-{game.slug}-")}
            assert len(phases) >= 15, phases
        answers = {one.name: answered(stage, one) for one in here}
        failing = {name for name, answer in answers.items() if "failure-status" in answer.text}
        assert failing == {one.name for one in here if one.fails}
        for status in (404, 410, 429, 503):
            assert answers[f"error-{status}"].status_code == status


class Window:
    """A window of a browser in which pages show that they failed, one after the other."""

    def __init__(self, *told: list[str]) -> None:
        self.told = list(told)
        self.first = self

    def __getattr__(self, _: str) -> Window:
        return self

    def __call__(self, *_: object, **__: object) -> Window:
        return self

    def all_text_contents(self) -> list[str]:
        return self.told.pop(0)

    def screenshot(self, path: Path, *, full_page: bool) -> None:
        path.write_text("whole" if full_page else "a part")


@pytest.mark.parametrize(
    ("told", "fails", "fault"),
    [
        ([[]], False, ""),
        ([["503"], []], False, ""),
        ([["404"]], True, ""),
        ([["503"]] * 3, False, "a page that failed: 503"),
        ([[]] * 3, True, "a page that did not fail"),
    ],
)
def test_a_picture_of_a_page_that_failed_is_not_kept(
    told: list[list[str]], *, fails: bool, fault: str, tmp_path: Path
) -> None:
    picture, shot = tmp_path / "it.png", Shot("it", "http://it", fails=fails)
    picture.write_text("of an earlier day")
    assert pictured(cast("Page", Window(*told)), shot, picture) == fault
    assert (picture.read_text() if picture.exists() else "none") == ("none" if fault else "whole")


def test_the_index_leads_to_every_picture(tmp_path: Path) -> None:
    write_index(tmp_path, ["home", "match"], [360, 1280], ["light", "dark"])
    index = (tmp_path / "index.html").read_text()
    for name in ("home", "match"):
        for width in (360, 1280):
            for look in ("light", "dark"):
                assert f'src="{file_name(name, width, look)}"' in index
    assert 'href="360-dark.html"' in index
    assert file_name("home", 1280, "dark") not in (tmp_path / "360-dark.html").read_text()
