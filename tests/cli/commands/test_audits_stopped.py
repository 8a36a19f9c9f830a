"""``plybook verify --all`` that is stopped with Ctrl-C, and goes on where it was."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from shutil import copyfile

import pytest

from services.container import Services
from services.runtime.settings import Settings
from tests.cli.processes import Terminal, environment, piped
from tests.services.checkpoints.attacks import unguarded
from tests.services.planting import lines_of, written
from tests.support.games import test_games
from tests.support.scenario import Table

MATCHES = 1_200
OVER = ({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})
BROKEN = ("0000000000000003", "0000000000001190")
"""One is found before it is stopped, the other after it has gone on."""

_TOTALS = re.compile(r"([0-9,]+) match(?:es)?: ([0-9,]+) hold, ([0-9,]+) do not")
_CURSOR = re.compile(r"--after ([0-9a-z]{16})")


@pytest.fixture(scope="module")
def full(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a database of many short matches, two of which were changed."""
    path = tmp_path_factory.mktemp("full") / "plybook.sqlite3"
    copyfile(sqlite_template, path)
    game = test_games().get("path-capture")
    house = Services(Settings(database_url=str(path)))
    file = BytesIO()
    for number in range(MATCHES):
        table = Table.started(game, match=f"{number:016}")
        table.play(*OVER)
        file.write(written(lines_of(table)))
    file.seek(0)
    assert sum(told.outcome == "imported" for told in house.imports.read(file)) == MATCHES
    with unguarded(house.database) as connection:
        for match in BROKEN:
            connection.exec_driver_sql(
                f"UPDATE events SET kind = 'x' WHERE match = '{match}' AND version = 5"
            )
    house.close()
    return path


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_pass_that_is_stopped_tells_where_it_goes_on_and_the_totals_add_up(
    full: Path, jobs: str
) -> None:
    env = environment(full)
    with Terminal(("verify", "--all", "--jobs", jobs), env) as terminal:
        terminal.until(f"{BROKEN[0]} does not hold")
        terminal.press("\x03")
        code, told = terminal.ends(), terminal.plain()
    assert "Traceback" not in told
    # What does not hold is said by the exit code also when not everything was looked at.
    assert code == 3
    flat = " ".join(told.split())
    first, cursor = _totals(flat), _CURSOR.search(flat)
    assert cursor is not None, flat
    assert 0 < first[0] < MATCHES
    rest = piped(("verify", "--all", "--jobs", jobs, "--after", cursor[1]), env)
    assert rest.returncode == 3
    assert f"{BROKEN[1]} does not hold" in rest.stdout
    assert BROKEN[0] not in rest.stdout
    second = _totals(rest.stdout)
    assert [one + other for one, other in zip(first, second, strict=True)] == [
        MATCHES, MATCHES - len(BROKEN), len(BROKEN),
    ]  # fmt: skip


def _totals(told: str) -> list[int]:
    found = _TOTALS.search(told)
    assert found is not None, told
    return [int(one.replace(",", "")) for one in found.groups()]
