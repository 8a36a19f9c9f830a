"""Matches of every kind through every step, and caches that are made anew, on both databases.

What a step or a rebuild does is looked at through the commands that a person has for it.
"""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner, Result
from sqlalchemy import text

from cli.main import main
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.rebuild import Rebuilding, RebuildProgress
from services.store import schema
from services.store.db.engine import Database
from tests.migrations import every_kind
from tests.migrations.steps import GUARDED_FROM, steps
from tests.services.people import table
from tests.support.postgres import PostgresServer

Plybook = Callable[..., Result]
Rows = dict[str, dict[str, object]]

READ_MODEL = "SELECT * FROM matches ORDER BY id"
EVENTS = 'SELECT position, "match", version, kind, "at", body, hash, openings FROM events'
RECORDS = (
    "SELECT * FROM checkpoint_leaves ORDER BY number",
    "SELECT * FROM checkpoints ORDER BY size",
    "SELECT * FROM signing_keys ORDER BY number",
)

_numbers = count(1)


@pytest.fixture(scope="session")
def filled_sqlite(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("every kind") / "filled.sqlite"
    shutil.copy(sqlite_template, path)
    every_kind.fill(str(path), sqlite_template)
    return path


@pytest.fixture(scope="session")
def filled_postgres(
    postgres_server: PostgresServer, postgres_template: str, sqlite_template: Path
) -> str:
    url = postgres_server.create_database("every_kind", template=postgres_template)
    every_kind.fill(url, sqlite_template)
    return "every_kind"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of a copy of the database with matches of every kind."""
    if request.param == "sqlite":
        yield str(shutil.copy(request.getfixturevalue("filled_sqlite"), tmp_path / "p.sqlite"))
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    name = f"every_kind_{next(_numbers)}"
    yield server.create_database(name, template=request.getfixturevalue("filled_postgres"))
    server.drop_database(name)


@pytest.fixture
def house(url: str) -> Iterator[Services]:
    made = every_kind.opened(url)
    yield made
    made.close()


@pytest.fixture
def plybook(url: str) -> Iterator[Plybook]:
    """Give the program, on that database."""
    runner = CliRunner()

    def call(*words: str) -> Result:
        result = runner.invoke(main, list(words), env={"PLYBOOK_DATABASE_URL": url})
        assert isinstance(result.exception, SystemExit | None), result.exception
        return result

    yield call
    structlog.reset_defaults()


def rows(url: str, sql: str) -> list[tuple[object, ...]]:
    database = Database(url)
    with database.read() as connection:
        found = [tuple(row) for row in connection.execute(text(sql))]
    database.dispose()
    return found


def change(url: str, *statements: str) -> None:
    database = Database(url)
    with database.write() as connection:
        for statement in statements:
            connection.execute(text(statement))
    database.dispose()


def unguard(url: str, table_: str, trigger: str) -> None:
    name = f"{table_}_{trigger}"
    at_sqlite, elsewhere = f"DROP TRIGGER {name}", f"ALTER TABLE {table_} DISABLE TRIGGER {name}"
    change(url, elsewhere if url.startswith("postgresql") else at_sqlite)


def caches_hold(plybook: Plybook) -> None:
    """Compare caches and schema. Where the events are the same to the byte, the rest holds too."""
    result = plybook("db", "check", "--all")
    assert result.exit_code == 0, result.output


def all_holds(plybook: Plybook) -> None:
    result = plybook("verify", "--all", "--jobs", "1")
    assert result.exit_code == 0, result.output
    caches_hold(plybook)


def test_there_is_a_match_of_every_kind(url: str, plybook: Plybook) -> None:
    all_holds(plybook)
    asked = "SELECT status, pace, deadline IS NULL, conditional FROM matches"
    kinds = {(status, pace) for status, pace, *_ in rows(url, asked)}
    paces = (None, "per-move", "bank")
    assert {
        (status, pace) for status in ("active", "finished", "aborted") for pace in paces
    } <= kinds
    assert {("open", None), ("open", "per-move")} <= kinds
    assert sum(bool(conditional) for *_, conditional in rows(url, asked)) == 1
    for kept in ("imported_matches", "practices", "vacations", "snapshots", "checkpoint_nodes"):
        assert rows(url, f"SELECT * FROM {kept}"), kept


def far_and_near() -> list[object]:
    """Return every step to go down to; on PostgreSQL one of six, from the oldest on.

    Whoever goes down to a step and up again passes all that are above it: the oldest of them
    passes every one. Only on SQLite, where it is quick, each is a place to turn as well: which
    steps ask for a rebuild, and what the rebuild makes of that, knows nothing of the database.
    """
    few = {*steps()[:-1][::-6], GUARDED_FROM}
    return [
        pytest.param(kind, step, id=f"{kind}-{step}", marks=marks)
        for kind, marks in (("sqlite", ()), ("postgresql", (pytest.mark.postgres,)))
        for step in steps()[:-1]
        if step >= GUARDED_FROM and (kind == "sqlite" or step in few)
    ]


@pytest.mark.parametrize(("url", "step"), far_and_near(), indirect=["url"])
def test_matches_of_every_kind_are_as_they_were_behind_a_step_down_and_up(
    url: str, plybook: Plybook, step: str
) -> None:
    before, events = rows(url, READ_MODEL), rows(url, EVENTS)
    records = [rows(url, sql) for sql in RECORDS]
    down = plybook("db", "downgrade", step)
    destroyed = down.exit_code != 0
    if destroyed:
        # Somebody's words, or vacations, or checkpoints: that is said, and nothing is done.
        assert "--destroy-events" in down.output
        assert rows(url, READ_MODEL) == before
        down = plybook("db", "downgrade", step, "--destroy-events")
    assert down.exit_code == 0, down.output
    assert rows(url, EVENTS) == events
    up = plybook("db", "upgrade")
    assert up.exit_code == 0, up.output
    assert rows(url, EVENTS) == events
    caches_hold(plybook)
    after = rows(url, READ_MODEL)
    if not destroyed:
        assert after == before
        assert [rows(url, sql) for sql in RECORDS] == records
    assert len(after) == len(before)
    again = plybook("db", "upgrade")
    assert "anew" not in again.output


FAULTS = {
    "pace": "UPDATE matches SET pace = NULL",
    "deadline": "UPDATE matches SET deadline = NULL",
    "conditional": "UPDATE matches SET conditional = NOT conditional",
    "version": "UPDATE matches SET version = version + 3",
    "names of seats": "UPDATE matches SET seat_1 = seat_2, seat_2 = seat_1",
    "missing rows": "DELETE FROM matches WHERE status = 'active'",
    "no rows": "DELETE FROM matches",
    "a row of nothing": (
        "INSERT INTO matches (id, version, head, game, rules_version, status, visibility, rated,"
        " creator, ply, created_at, updated_at) SELECT 'zzzzzzzzzzzzzzzz', version, head, game,"
        " rules_version, status, visibility, rated, creator, ply, created_at, updated_at"
        " FROM matches LIMIT 1"
    ),
    "an unreadable snapshot": "UPDATE snapshots SET state = '{}'",
    "snapshots of other events": "UPDATE snapshots SET version = version - 1",
    "a wrong node": "UPDATE checkpoint_nodes SET hash = (SELECT min(hash) FROM events)",
    "no nodes": "DELETE FROM checkpoint_nodes",
    "a node too many": (
        "INSERT INTO checkpoint_nodes (level, number, hash)"
        " SELECT 9, 7, hash FROM checkpoint_leaves LIMIT 1"
    ),
}


@pytest.fixture
def of_rows_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out that tables are compared with the models, where a test changes rows alone.

    That takes half of its time, and is done behind every step down and up.
    """
    monkeypatch.setattr("alembic.command.check", lambda _: None)


@pytest.mark.usefixtures("of_rows_alone")
@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_is_wrong_in_a_cache_is_told_and_made_anew(
    url: str, plybook: Plybook, fault: str
) -> None:
    before, records = rows(url, READ_MODEL), [rows(url, sql) for sql in (EVENTS, *RECORDS)]
    statement = FAULTS[fault]
    if "'{}'" in statement and not url.startswith("postgresql"):
        statement = statement.replace("'{}'", "CAST('{}' AS BLOB)")
    change(url, statement)
    checked = plybook("db", "check")
    assert checked.exit_code == 1, fault
    assert "plybook db rebuild" in checked.stderr
    done = plybook("db", "rebuild")
    assert done.exit_code == 0, done.output
    assert rows(url, READ_MODEL) == before
    assert [rows(url, sql) for sql in (EVENTS, *RECORDS)] == records
    caches_hold(plybook)


def test_a_rebuild_that_was_stopped_goes_on_where_it_was(
    url: str, house: Services, plybook: Plybook
) -> None:
    ada = house.accounts.get_local_player("ada").id
    for _ in range(70):
        house.matches.create(ChangeRequest(ada), NewMatch("path-capture"))
    every = len(rows(url, READ_MODEL))
    change(url, "UPDATE matches SET deadline = NULL, pace = NULL")
    with closing(house.rebuilding.run()) as parts:  # type: ignore[type-var]
        first = next(parts)
    assert house.rebuilding.find_waiting() == first.after
    checked = plybook("db", "check")
    assert checked.exit_code == 1
    assert "not all made from the events yet" in checked.stdout
    done = plybook("db", "rebuild")
    assert f"Going on behind the match {first.after}." in done.stderr
    assert done.stdout.startswith(f"{every - first.matches} matches made anew;")
    all_holds(plybook)
    assert plybook("db", "rebuild").stdout.startswith(f"{every} matches made anew; 0 rows")


def test_a_rebuild_stopped_at_the_keyboard_says_how_to_go_on(
    url: str, house: Services, plybook: Plybook, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(url, "UPDATE matches SET pace = NULL")
    run = Rebuilding.run

    def stopped(self: Rebuilding, *, anew: bool = False) -> Iterator[RebuildProgress]:
        yield next(run(self, anew=anew))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Rebuilding, "run", stopped)
        done = plybook("db", "rebuild")
    assert done.exit_code == 130
    assert done.stderr.endswith("To go on: plybook db rebuild\n")
    assert house.rebuilding.find_waiting() is not None
    with socket.create_server(("127.0.0.1", 0)) as taken:
        served = plybook("serve", "--port", str(taken.getsockname()[1]))
    assert served.exit_code == 1
    assert "While this serves, run: plybook db rebuild" in served.stderr
    assert plybook("db", "rebuild").exit_code == 0
    all_holds(plybook)


def test_matches_go_on_while_caches_are_made_anew(
    url: str, house: Services, plybook: Plybook
) -> None:
    change(url, "UPDATE matches SET deadline = NULL, pace = NULL", "DELETE FROM snapshots")
    going_on = [table(house).start("path-capture", {"length": 41}) for _ in range(3)]
    stopping, made, errors = threading.Event(), 0, list[BaseException]()

    def play() -> None:
        try:
            for number in range(30):
                for there in going_on:
                    there.play({"steps": 1})
                if number % 4 == 0:
                    there = table(house).start("grid-power", pace={"days_per_move": 5})
                    legal = house.queries.list_legal_moves(
                        Asker(there.player(1)), there.match, limit=1
                    ).moves
                    there.play(legal[0]["move"])
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)
        finally:
            stopping.set()

    player = threading.Thread(target=play)
    player.start()
    while not stopping.is_set():
        with closing(every_kind.opened(url)) as other:
            made += sum(part.matches for part in other.rebuilding.run(anew=True))
    player.join()
    assert errors == []
    assert made > 0
    all_holds(plybook)


def test_leaves_that_are_not_those_that_were_signed_are_never_made_right(
    url: str, plybook: Plybook
) -> None:
    change(url, "DELETE FROM checkpoint_nodes")
    unguard(url, "checkpoint_leaves", "no_update")
    change(url, "UPDATE checkpoint_leaves SET version = version + 1")
    before = [rows(url, sql) for sql in RECORDS]
    refused = plybook("db", "rebuild")
    assert refused.exit_code == 3
    assert "leaves are not those that were signed" in refused.stderr
    assert [rows(url, sql) for sql in RECORDS] == before


def test_events_that_cannot_be_read_leave_their_match_as_it_is(url: str, plybook: Plybook) -> None:
    [(match,)] = rows(url, 'SELECT "match" FROM events WHERE version = 5 LIMIT 1')
    unguard(url, "events", "no_delete")
    change(url, f"DELETE FROM events WHERE \"match\" = '{match}' AND version = 3")
    change(url, "UPDATE matches SET pace = 'bank' WHERE pace IS NULL")
    before = rows(url, f"SELECT * FROM matches WHERE id = '{match}'")
    done = plybook("db", "rebuild")
    assert done.exit_code == 3
    assert f"{match} is left as it is: " in done.stdout
    left = [row for row in rows(url, READ_MODEL) if row[0] == match]
    assert left == before
    broken = plybook("verify", "--all", "--jobs", "1")
    assert broken.exit_code == 3
    assert ": 1 do not" in broken.stdout or " 1 do not." in broken.stdout


def test_a_schema_of_old_needs_no_rebuild_without_matches(tmp_path: Path) -> None:
    path = str(tmp_path / "empty.sqlite")
    schema.upgrade(path, "0009")
    result = CliRunner().invoke(main, ["--database", path, "db", "upgrade"])
    assert result.exit_code == 0
    assert "anew" not in result.output
    structlog.reset_defaults()
