"""The newest schema: equal to the models, required where it is used, found at its step."""

from pathlib import Path

import pytest
from sqlalchemy import Constraint, Index, Inspector, Table, text

from services.errors import Unavailable
from services.store import schema
from services.store.db.engine import Database
from services.store.db.metadata import metadata
from tests.migrations.steps import kind, looking_at, steps


def test_the_head_is_the_newest_step() -> None:
    assert steps()[-1] == schema.HEAD


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
    assert schema.find_current(str(path)) == schema.HEAD
