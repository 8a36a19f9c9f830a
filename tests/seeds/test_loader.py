"""Demo matches: played by commands, ending as told, loaded once however often."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from domain.game.registry import Games
from domain.games import load_games
from seeds import loader
from seeds.scripts import Script, list_scripts
from services.container import Services
from services.matches.queries import Asker
from services.runtime.settings import Settings
from tests.services.conftest import ON_SQLITE_ALONE
from tests.support.games import FIRST_MARATHON, MARATHON


@pytest.fixture
def house(migrated_url: str) -> Iterator[Services]:
    built = Services(Settings(database_url=migrated_url))
    yield built
    built.close()


def _versions(house: Services, some: tuple[Script, ...]) -> dict[str, int]:
    return {
        script.match_id: house.queries.show(Asker(local=True), script.match_id).view.version
        for script in some
    }


def test_every_script_is_played_to_its_result_and_verifies(house: Services) -> None:
    loader.load(house)
    for script in list_scripts():
        shown = house.queries.show(Asker(local=True), script.match_id)
        assert shown.view.result == script.result, script.name
        assert shown.view.ply == len(script.moves), script.name
        assert house.audits.verify(script.match_id).faults == [], script.name


@pytest.fixture
def some_scripts(monkeypatch: pytest.MonkeyPatch) -> tuple[Script, ...]:
    """Let only every fourth script be loaded, and those that do not end by the game itself."""
    ends = {end for game in load_games() for end in game.endings}
    some = tuple(
        script
        for number, script in enumerate(list_scripts())
        if number % 4 == 0 or script.result is None or script.result["reason"] not in ends
    )
    monkeypatch.setattr(loader, "list_scripts", lambda: some)
    return some


def test_loading_twice_changes_nothing(house: Services, some_scripts: tuple[Script, ...]) -> None:
    loader.load(house)
    before = _versions(house, some_scripts)
    loader.load(house)
    assert _versions(house, some_scripts) == before


@ON_SQLITE_ALONE
def test_a_load_that_was_cut_off_goes_on_where_it_stopped(
    house: Services, some_scripts: tuple[Script, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = some_scripts
    cut = tuple(
        replace(script, moves=script.moves[: len(script.moves) // 2], resigns=None, result=None)
        for script in whole
    )
    monkeypatch.setattr(loader, "list_scripts", lambda: cut)
    loader.load(house)
    monkeypatch.setattr(loader, "list_scripts", lambda: whole)
    loader.load(house)
    for script in whole:
        assert house.queries.show(Asker(local=True), script.match_id).view.result == script.result


@ON_SQLITE_ALONE
def test_what_an_earlier_release_has_loaded_stays_as_it_is(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is over, and one that goes by older rules."""
    over = next(one for one in list_scripts() if one.result is not None)
    older = Script("older", "marathon", ("ada", "brook"), "")
    monkeypatch.setattr(loader, "list_scripts", lambda: (over, older))
    before = Services(house.settings, games=Games([*load_games().iter_versions(), FIRST_MARATHON]))
    loader.load(before)
    versions = _versions(before, (over, older))
    before.close()
    later = replace(over, moves=over.moves[:1], resigns=None, result={"winner": None, "reason": ""})
    monkeypatch.setattr(loader, "list_scripts", lambda: (later, replace(older, moves=("1",))))
    now = Services(
        house.settings, games=Games([*load_games().iter_versions(), FIRST_MARATHON, MARATHON])
    )
    loader.load(now)
    assert _versions(now, (over, older)) == versions
    now.close()


@ON_SQLITE_ALONE
def test_a_script_that_ends_otherwise_than_told_is_reported(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Script(
        "wrong",
        "path-capture",
        ("ada", "brook"),
        "",
        moves=("+1",),
        result={"winner": 1, "reason": "capture"},
    )
    monkeypatch.setattr(loader, "list_scripts", lambda: (wrong,))
    with pytest.raises(RuntimeError, match="demo match wrong ends with None"):
        loader.load(house)


@pytest.mark.parametrize("slug", [game.slug for game in load_games()])
def test_each_game_is_shown_to_each_of_its_ends(slug: str) -> None:
    ends = {
        script.result["reason"]
        for script in list_scripts()
        if script.game == slug and script.result is not None
    }
    assert set(load_games().get(slug).endings) <= ends


def test_names_and_matches_of_scripts_are_unique() -> None:
    assert len({script.name for script in list_scripts()}) == len(list_scripts())
    assert len({script.match_id for script in list_scripts()}) == len(list_scripts())
