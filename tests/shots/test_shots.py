"""No page is left out of the pictures, and each of them is there to be taken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from domain.games import all_games
from tests.shots.__main__ import file_name, write_index
from tests.shots.cast import VISITOR, Shot
from tests.shots.stage import Stage, staged
from tests.web.pages.furnishing import endpoint_of, page_endpoints

pytestmark = pytest.mark.slow


def answered(stage: Stage, shot: Shot) -> int:
    client = stage.site.app.test_client()
    if shot.who != VISITOR:
        client.set_cookie("plybook", stage.cookies[shot.who][0]["value"])
    address = urlsplit(shot.url)
    return client.get(f"{address.path}?{address.query}").status_code


def test_every_page_and_each_game_in_every_phase_is_looked_at(tmp_path: Path) -> None:
    with staged(tmp_path) as stage:
        names = Counter(one.name for one in stage.shots)
        assert [name for name, number in names.items() if number > 1] == []
        here = [one for one in stage.shots if one.url.startswith(stage.site.url)]
        paths = [one.url.removeprefix(stage.site.url) for one in here]
        seen = {endpoint_of(stage.site.app, path) for path in paths}
        assert set(page_endpoints(stage.site.app)) - seen == set()
        for game in all_games():
            phases = {one for one in names if one.startswith(f"game-{game.slug}-")}
            assert len(phases) >= 15, phases
        wrong = {
            shot.name: status
            for shot in here
            if (status := answered(stage, shot)) != 200
            and not shot.name.startswith(("error-", "page-nothing", "page-match", "page-game"))
            and not shot.name.endswith(("-used", "-unknown"))
        }
        assert wrong == {}
        told = {one.name: answered(stage, one) for one in here if one.name.startswith("error-")}
        assert {
            f"error-{status}": status for status in (404, 410, 429, 503)
        }.items() <= told.items()


def test_the_index_leads_to_every_picture(tmp_path: Path) -> None:
    write_index(tmp_path, ["home", "match"], [360, 1280], ["light", "dark"])
    index = (tmp_path / "index.html").read_text()
    for name in ("home", "match"):
        for width in (360, 1280):
            for look in ("light", "dark"):
                assert f'src="{file_name(name, width, look)}"' in index
    assert 'href="360-dark.html"' in index
    assert file_name("home", 1280, "dark") not in (tmp_path / "360-dark.html").read_text()
