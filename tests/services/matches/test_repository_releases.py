"""What another release left in the caches: neither believed nor held against a match.

The other release is a copy of the program in which a record has one more field, as the next one
will have; both work on one database, each in processes of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import orjson
import pytest
from sqlalchemy import text

from domain.games import load_games
from services.container import Services
from services.matches.queries import Asker
from services.runtime.settings import Settings
from tests.services.conftest import Clock
from tests.services.people import Table, chosen, table
from tests.support.release import Plybook, copy_to, running

DAYS = {"days_per_move": 60}
SNAPSHOT_EVERY = 64


@pytest.fixture
def here(migrated_url: str, clock: Clock) -> Iterator[Services]:
    """Give this release, with the games that others have too."""
    built = Services(Settings(database_url=migrated_url), games=load_games(), now=clock)
    yield built
    built.close()


@pytest.fixture
def release(tmp_path: Path) -> Iterator[Callable[..., Plybook]]:
    """Make a release in which a record, of a class below a folder, has one more field."""
    with ExitStack() as stack:

        def made(folder: str = "domain", record: str | None = None) -> Plybook:
            place = tmp_path / "release"
            copy_to(place)
            if record is not None:
                add_a_field(place / folder, record)
            return stack.enter_context(running(place))

        yield made


def add_a_field(folder: Path, record: str) -> None:
    """Write one more field, with a value of its own, behind those of the class ``record``."""
    [path] = [one for one in folder.rglob("*.py") if f"\nclass {record}" in one.read_text()]
    before, found, after = path.read_text().partition(f"\nclass {record}")
    fields = re.compile(r"(?:    \w+: [^\n]+\n)+")
    last = next(fields.finditer(after)).end()
    path.write_text(f"{before}{found}{after[:last]}    one_more: int = 7\n{after[last:]}")


def long_match(
    house: Services, game: str = "power-lines", moves: int = SNAPSHOT_EVERY + 6
) -> Table:
    """Play a match with clocks, always the last of the legal moves, past a snapshot."""
    there = table(house).start(game, pace=DAYS)
    while there.version < moves:
        there.play(chosen(house, there.match, lambda _: -1))
    return there


def snapshots(house: Services, match: str) -> list[dict[str, object]]:
    with house.database.read() as connection:
        asked = text('SELECT * FROM snapshots WHERE "match" = :m ORDER BY version')
        return [dict(one) for one in connection.execute(asked, {"m": match}).mappings()]


def rewrite(house: Services, match: str, change: Callable[[dict[str, object]], object]) -> None:
    """Change the state in all snapshots of a match, in nothing but its JSON."""
    for row in snapshots(house, match):
        state = orjson.loads(row["state"])  # type: ignore[arg-type]
        change(state)
        with house.database.write() as connection:
            connection.execute(
                text('UPDATE snapshots SET state = :s WHERE "match" = :m AND version = :v'),
                {"s": orjson.dumps(state), "m": match, "v": row["version"]},
            )


def shown_anew(house: Services, match: str) -> dict[str, object]:
    """Show a match as a process does that remembers nothing."""
    other = Services(house.settings, games=load_games(), now=house.now)
    try:
        view = other.queries.show(Asker(local=True), match).view
        return {"ply": view.ply, "deadline": view.deadline}
    finally:
        other.close()


# Which record it is has nothing to do with the database: one of them is tried on both.
@pytest.mark.parametrize(
    ("folder", "record", "migrated_url"),
    [
        ("domain", "Match:\n", "sqlite"),
        pytest.param("domain", "Match:\n", "postgresql", marks=pytest.mark.postgres),
        ("domain", "Clock(NamedTuple)", "sqlite"),
        ("domain/games/power_lines", "Position(NamedTuple)", "sqlite"),
        ("domain/games/power_lines", "Due(NamedTuple)", "sqlite"),
    ],
    indirect=["migrated_url"],
)
def test_a_release_with_one_more_field_condemns_no_match_and_believes_no_old_state(
    here: Services, release: Callable[..., Plybook], folder: str, record: str
) -> None:
    over, running = long_match(here), long_match(here)
    over.act(1, "resign")
    assert len(snapshots(here, over.match)) >= 2
    there = partial(release(folder, record), url=here.settings.database_url)
    verified = there("verify", "--all", "--jobs", "1")
    assert verified.exit_code == 0, verified.stdout + verified.stderr
    # Were it believed, this is what it would say.
    rewrite(here, running.match, lambda state: state.update(visibility="unlisted"))
    shown = there("match", "show", running.match, "--json")
    assert orjson.loads(shown.stdout)["visibility"] == "public", shown.stderr
    verified = there("verify", running.match)
    assert verified.exit_code == 0, verified.stdout + verified.stderr


def test_a_release_with_the_same_fields_does_believe_and_judge_them(
    here: Services, release: Callable[..., Plybook]
) -> None:
    running = long_match(here)
    rewrite(here, running.match, lambda state: state.update(visibility="unlisted"))
    there = partial(release(), url=here.settings.database_url)
    shown = there("match", "show", running.match, "--json")
    assert orjson.loads(shown.stdout)["visibility"] == "unlisted", shown.stderr
    assert there("verify", running.match).exit_code == 3


@pytest.mark.parametrize("member", ["clock", "ply", "offers", "seats", "position", "waits"])
def test_a_snapshot_without_a_member_of_the_state_is_not_loaded(
    here: Services, member: str
) -> None:
    running = long_match(here)
    before = shown_anew(here, running.match)
    assert before["deadline"] is not None
    rewrite(here, running.match, lambda state: state.pop(member))
    assert shown_anew(here, running.match) == before
    assert not here.audits.verify(running.match).holds


def test_a_snapshot_without_a_member_deep_in_it_is_not_loaded(here: Services) -> None:
    running = long_match(here)
    before = shown_anew(here, running.match)
    for where in (("position", "actions"), ("position", "first"), ("clock", "running")):

        def cut(state: dict[str, object], where: tuple[str, str] = where) -> None:
            state[where[0]].pop(where[1])  # type: ignore[attr-defined]

        rewrite(here, running.match, cut)
        assert shown_anew(here, running.match) == before, where
        here.database.dispose()


def test_snapshots_of_another_format_are_replaced_by_the_next_that_is_taken(here: Services) -> None:
    running = long_match(here)
    [before] = snapshots(here, running.match)
    with here.database.write() as connection:
        connection.execute(text("UPDATE snapshots SET format = :f"), {"f": "0" * 64})
    assert here.audits.verify(running.match).holds
    running.act(1, "resign")
    [after] = snapshots(here, running.match)
    assert after["format"] == before["format"]
    assert after["version"] == running.version
    assert here.audits.verify(running.match).holds


def test_a_format_names_the_game_and_the_version_of_its_rules(here: Services) -> None:
    formats = set()
    for game in ("path-capture", "grid-power"):
        there = table(here).start(game)
        there.act(1, "resign")
        [row] = snapshots(here, there.match)
        formats.add(row["format"])
    assert len(formats) == 2
