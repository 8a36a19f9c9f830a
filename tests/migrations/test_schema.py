"""Up, down and up again with data; guarded at every step; equal to the models."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Constraint, Index, Inspector, Table, inspect, text

from domain.clock import CHALLENGE_FOR, OPEN_FOR, moved
from services.errors import Unavailable
from services.store import chat, players, schema, sessions, snapshots, timekeeping, tokens
from services.store import events as log
from services.store.engine import Database
from services.store.models import metadata
from tests.migrations.conftest import ROOT
from tests.services.store.streams import AT, MATCH, moves

GUARDED_FROM = "0002"
TRIGGERS = {
    "sqlite": {
        "events_next_version",
        "events_last_position",
        "events_no_update",
        "events_no_delete",
    },
    "postgresql": {
        "events_next_version",
        "events_no_update",
        "events_no_delete",
        "events_no_truncate",
    },
}
CHECKPOINTS_FROM = "0008"
CHECKPOINTS = ("checkpoint_leaves", "checkpoint_nodes", "checkpoints", "signing_keys")
CHECKPOINT_GUARDS = {
    "sqlite": ("next", "no_update", "no_delete"),
    "postgresql": ("next", "no_update", "no_delete", "no_truncate"),
}
FIND_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
}


def steps() -> list[str]:
    """Return every revision, oldest first."""
    script = ScriptDirectory.from_config(Config(toml_file=ROOT / "pyproject.toml"))
    return [step.revision for step in script.walk_revisions()][::-1]


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    made = Database(database_url)
    yield made
    made.dispose()


def kind(database: Database) -> str:
    return "sqlite" if database.sqlite else "postgresql"


def triggers(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.execute(text(FIND_TRIGGERS[kind(database)])).scalars())


def triggers_at(step: str, dialect: str) -> set[str]:
    """Return the triggers that there have to be at a step."""
    expected = TRIGGERS[dialect] if step >= GUARDED_FROM else set()
    if step < CHECKPOINTS_FROM:
        return expected
    guards = CHECKPOINT_GUARDS[dialect]
    return expected | {f"{table}_{guard}" for table in CHECKPOINTS for guard in guards}


@contextmanager
def looking_at(database: Database) -> Iterator[Inspector]:
    with database.read() as connection:
        yield inspect(connection)


def fill(database: Database) -> None:
    """Put something into every table that has a story to lose."""
    with database.write() as connection:
        ada = players.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        players.insert(connection, ada)
        tokens.insert(connection, tokens.TokenRow("t", "p_ada", "d" * 64, "", "", AT, AT))
        sessions.insert(connection, sessions.SessionRow("e" * 64, "p_ada", AT, AT))
        log.append(connection, moves(5))
        snapshots.save(connection, MATCH, 4, "0" * 64, b"{}")


def test_the_head_is_the_newest_step() -> None:
    assert steps()[-1] == schema.HEAD


def test_every_step_leaves_the_events_guarded_up_and_down(database: Database) -> None:
    for step in steps():
        schema.upgrade(database.url, step)
        assert triggers(database) == triggers_at(step, kind(database)), step
    for step in steps()[-2::-1]:
        schema.downgrade(database.url, step)
        assert triggers(database) == triggers_at(step, kind(database)), step


def test_nothing_of_the_events_is_lost_above_their_own_step(database: Database) -> None:
    schema.upgrade(database.url)
    fill(database)
    schema.downgrade(database.url, GUARDED_FROM)
    schema.upgrade(database.url)
    with database.write() as connection:
        assert log.load(connection, MATCH) == moves(5)
        log.append(connection, moves(1, after=moves(5)[-1]))
        assert tokens.by_digest(connection, "d" * 64) is not None


def test_a_downgrade_that_destroys_events_is_refused(database: Database) -> None:
    schema.upgrade(database.url)
    fill(database)
    for target in ("base", "0001"):
        with pytest.raises(schema.MigrationRefused, match="--destroy-events"):
            schema.downgrade(database.url, target)
        assert schema.current(database.url) == schema.HEAD
    with database.read() as connection:
        assert log.load(connection, MATCH) == moves(5)
        assert snapshots.latest(connection, MATCH) is not None


def test_a_downgrade_that_destroys_what_people_wrote_is_refused(database: Database) -> None:
    schema.upgrade(database.url)
    with database.write() as connection:
        ada = players.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        players.insert(connection, ada)
        chat.add(connection, chat.Room(MATCH, "players"), "p_ada", "Good luck!", AT)
    with pytest.raises(schema.MigrationRefused, match=r"chat_messages.*--destroy-events"):
        schema.downgrade(database.url, "0004")
    with database.read() as connection:
        assert len(chat.page(connection, chat.Room(MATCH, "players"), 0, 9, 9)) == 1
    schema.downgrade(database.url, "0004", destroy_events=True)
    schema.upgrade(database.url)


def test_matches_that_are_open_get_the_instant_at_which_they_lapse(database: Database) -> None:
    schema.upgrade(database.url, "0008")
    columns = (
        "id, version, head, game, rules_version, status, visibility, rated, creator, opponent,"
        " ply, created_at, updated_at"
    )
    with database.write() as connection:
        for match, status, opponent in (
            ("anybody", "open", "NULL"),
            ("challenge", "open", "'p_ada'"),
            ("over", "aborted", "NULL"),
        ):
            values = (
                f"'{match}', 1, '{'0' * 64}', 'path-capture', 1, '{status}', 'public', false,"
                f" 'p_bob', {opponent}, 0, '{AT}', '{AT}'"
            )
            connection.execute(text(f"INSERT INTO matches ({columns}) VALUES ({values})"))
    schema.upgrade(database.url)
    with database.read() as connection:
        found = connection.execute(text("SELECT id, deadline FROM matches ORDER BY id")).all()
    assert dict(map(tuple, found)) == {
        "anybody": moved(AT, OPEN_FOR),
        "challenge": moved(AT, CHALLENGE_FOR),
        "over": None,
    }


def test_a_downgrade_that_forgets_vacations_is_refused(database: Database) -> None:
    schema.upgrade(database.url)
    with database.write() as connection:
        ada = players.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        players.insert(connection, ada)
        timekeeping.save_vacation(connection, timekeeping.Vacation("p_ada", AT, AT, 3))
    with pytest.raises(schema.MigrationRefused, match=r"vacations.*--destroy-events"):
        schema.downgrade(database.url, "0008")
    schema.downgrade(database.url, "0008", destroy_events=True)
    schema.upgrade(database.url)


def test_to_empty_and_up_again_with_data(database: Database) -> None:
    schema.upgrade(database.url)
    fill(database)
    schema.downgrade(database.url, "base", destroy_events=True)
    assert schema.current(database.url) is None
    with looking_at(database) as found:
        assert set(found.get_table_names()) <= {"alembic_version"}
    schema.upgrade(database.url)
    fill(database)
    with database.read() as connection:
        assert log.load(connection, MATCH) == moves(5)


def test_a_downgrade_without_events_needs_no_flag(database: Database) -> None:
    schema.upgrade(database.url)
    schema.downgrade(database.url, "base")
    assert schema.current(database.url) is None


def test_an_unknown_revision_is_refused(database: Database) -> None:
    with pytest.raises(schema.MigrationRefused, match="nowhere"):
        schema.upgrade(database.url, "nowhere")


def test_a_second_upgrade_changes_nothing(database: Database) -> None:
    schema.upgrade(database.url)
    fill(database)
    schema.upgrade(database.url)
    with database.read() as connection:
        assert log.load(connection, MATCH) == moves(5)


def test_two_who_upgrade_at_once_do_not_meet(database: Database) -> None:
    errors: list[BaseException] = []
    # Alembic's own context is one per process, so it is processes that meet.
    command = f"from services.store import schema; schema.upgrade({database.url!r})"

    def migrate() -> None:
        done = subprocess.run(
            [sys.executable, "-c", command], capture_output=True, text=True, cwd=ROOT, check=False
        )
        if done.returncode:
            errors.append(AssertionError(done.stderr))

    threads = [threading.Thread(target=migrate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert errors == []
    assert schema.current(database.url) == schema.HEAD


def names_expected(table: Table, dialect: str) -> set[str]:
    parts: list[Constraint | Index] = [*table.constraints, *table.indexes]
    names = {str(part.name) for part in parts if part.info.get("dialect", dialect) == dialect}
    # SQLite has AUTOINCREMENT only on a primary key without a name.
    return names - {"pk_events"} if dialect == "sqlite" else names


def names_found(found: Inspector, table: str) -> set[str]:
    parts = [
        *found.get_check_constraints(table),
        *found.get_unique_constraints(table),
        *found.get_foreign_keys(table),
        *found.get_indexes(table),
        found.get_pk_constraint(table),
    ]
    return {str(part["name"]) for part in parts if part["name"] or table != "events"}


def test_the_tables_have_the_models_constraints_by_name(database: Database) -> None:
    schema.upgrade(database.url)
    with looking_at(database) as found:
        for table in metadata.sorted_tables:
            assert names_found(found, table.name) == names_expected(table, kind(database))


def test_positions_are_given_out_once(database: Database) -> None:
    schema.upgrade(database.url)
    with database.read() as connection:
        if database.sqlite:
            sql = "SELECT sql FROM sqlite_master WHERE name = 'events'"
            assert "AUTOINCREMENT" in str(connection.scalar(text(sql)))
        else:
            sql = "SELECT attidentity FROM pg_attribute WHERE attrelid = 'events'::regclass"
            assert "a" in set(connection.execute(text(sql)).scalars())


def test_head_is_required_and_the_command_is_named(database: Database) -> None:
    if not database.sqlite:
        with pytest.raises(schema.SchemaNotAtHead, match=r"empty.*plybook db upgrade"):
            schema.require_head(database)
    schema.upgrade(database.url, "0002")
    with pytest.raises(schema.SchemaNotAtHead, match=r"at schema 0002.*plybook db upgrade"):
        schema.require_head(database)
    assert not schema.is_at_head(database)
    schema.upgrade(database.url)
    schema.require_head(database)
    assert schema.is_at_head(database)


def test_a_file_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "data" / "plybook.sqlite3"))
    with pytest.raises(schema.SchemaNotAtHead, match=r"no database .* plybook db upgrade"):
        schema.require_head(database)
    with pytest.raises(Unavailable):
        schema.downgrade(database.url, "base")
    assert list(tmp_path.iterdir()) == []


def test_an_sqlite_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "plybook.sqlite3"
    schema.upgrade(str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert schema.current(str(path)) == schema.HEAD


def test_a_reference_that_a_step_broke_undoes_the_step(sqlite_url: str) -> None:
    schema.upgrade(sqlite_url, "0002")
    database = Database(sqlite_url)
    with database.migrate() as connection:
        values = "('t', 'p_nobody', hex(zeroblob(32)), '', '', '', '')"
        connection.execute(text(f"INSERT INTO tokens VALUES {values}"))
    with pytest.raises(schema.MigrationRefused, match="tokens would refer to nothing"):
        schema.upgrade(sqlite_url)
    assert schema.current(sqlite_url) == "0002"
    database.dispose()


def run_alembic(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, **environment},
    )


def test_alembics_own_command_line_works_and_minds_the_events_too(database: Database) -> None:
    up = run_alembic("upgrade", "head", PLYBOOK_DATABASE_URL=database.url)
    assert up.returncode == 0, up.stderr
    assert schema.is_at_head(database)
    fill(database)
    where = f"database={database.url}"
    down = run_alembic("-x", where, "downgrade", "base")
    assert down.returncode != 0
    assert "--destroy-events" in down.stdout + down.stderr
    assert schema.is_at_head(database)
    down = run_alembic("-x", where, "-x", "destroy_events=yes", "downgrade", "base")
    assert down.returncode == 0, down.stderr
    assert schema.current(database.url) is None


def test_alembics_own_command_line_asks_for_the_database() -> None:
    lost = run_alembic("upgrade", "head", PLYBOOK_DATABASE_URL="")
    assert lost.returncode != 0
    assert "PLYBOOK_DATABASE_URL" in lost.stdout + lost.stderr
