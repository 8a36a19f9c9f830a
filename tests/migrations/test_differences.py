"""What sets a database apart from the models is told in words, on both databases."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from services.store import schema
from services.store.db.engine import Database


@pytest.fixture
def database(migrated_url: str) -> Iterator[Database]:
    made = Database(migrated_url)
    yield made
    made.dispose()


def change(database: Database, *statements: str) -> None:
    with database.migrate() as connection:
        for statement in statements:
            connection.execute(text(statement))


def test_a_migrated_database_differs_in_nothing(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    assert schema.list_differences(database) == []
    assert capsys.readouterr().out == ""


def test_what_is_missing_and_what_is_too_much_is_told(database: Database) -> None:
    change(
        database,
        "DROP INDEX ix_tokens_player",
        "DROP TABLE idempotency",
        "CREATE TABLE letters (id VARCHAR(16) PRIMARY KEY)",
        "ALTER TABLE snapshots DROP COLUMN head",
        "ALTER TABLE snapshots ADD COLUMN tail VARCHAR(64)",
        "CREATE INDEX ix_snapshots_tail ON snapshots (tail)",
    )
    assert set(schema.list_differences(database)) == {
        "The index ix_tokens_player over player of the table tokens is missing.",
        "The table idempotency is missing.",
        "The index ix_idempotency_created_at over created_at of the table idempotency is missing.",
        "The table letters should not be there.",
        "The column snapshots.head is missing.",
        "The column snapshots.tail should not be there.",
        "The index ix_snapshots_tail over tail of the table snapshots should not be there.",
    }


def test_columns_that_are_otherwise_are_told(database: Database) -> None:
    if database.sqlite:
        change(
            database,
            "ALTER TABLE players DROP COLUMN admin",
            "ALTER TABLE players ADD COLUMN admin BOOLEAN DEFAULT true",
            "ALTER TABLE snapshots DROP COLUMN state",
            "ALTER TABLE snapshots ADD COLUMN state INTEGER",
        )
    else:
        change(
            database,
            "ALTER TABLE players ALTER COLUMN admin DROP NOT NULL",
            "ALTER TABLE players ALTER COLUMN admin SET DEFAULT true",
            "ALTER TABLE snapshots ALTER COLUMN state DROP NOT NULL",
            "ALTER TABLE snapshots ALTER COLUMN state TYPE INTEGER USING 1",
        )
    assert set(schema.list_differences(database)) == {
        "The column players.admin should have nullable false, and has true.",
        "The column players.admin should have default false, and has true.",
        "The column snapshots.state should have nullable false, and has true.",
        "The column snapshots.state should have type blob, and has integer.",
    }


@pytest.mark.postgres
def test_a_default_that_cannot_be_compared_is_told(migrated_postgres_url: str) -> None:
    database = Database(migrated_postgres_url)
    change(
        database,
        "ALTER TABLE players ALTER COLUMN admin DROP DEFAULT",
        "ALTER TABLE players ALTER COLUMN admin TYPE VARCHAR(5)",
        "ALTER TABLE players ALTER COLUMN admin SET DEFAULT 'nobody'",
    )
    [told] = schema.list_differences(database)
    assert told.startswith("A column's default is of another type than it should be: ")
    database.dispose()


def test_looking_changes_nothing_and_needs_the_newest_schema(database_url: str) -> None:
    schema.upgrade(database_url, "0001")
    database = Database(database_url)
    with pytest.raises(schema.SchemaNotAtHead, match="plybook db upgrade"):
        schema.list_differences(database)
    assert schema.find_revision(database) == "0001"
    database.dispose()


def test_a_trigger_that_is_missing_weakened_or_too_much_is_told(database: Database) -> None:
    if database.sqlite:
        change(
            database,
            "DROP TRIGGER events_no_delete",
            "DROP TRIGGER events_no_update",
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END",
            "CREATE TRIGGER events_copy AFTER INSERT ON events BEGIN SELECT 1; END",
        )
    else:
        change(
            database,
            "ALTER TABLE events DISABLE TRIGGER events_no_delete",
            "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "DROP TRIGGER events_no_update ON events",
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events"
            " FOR EACH ROW EXECUTE FUNCTION nothing()",
            "CREATE TRIGGER events_copy AFTER INSERT ON events"
            " FOR EACH ROW EXECUTE FUNCTION nothing()",
        )
    assert schema.list_differences(database) == [
        "The trigger events_copy of the table events should not be there.",
        "The trigger events_no_delete of the table events is missing, or switched off.",
        "The trigger events_no_update of the table events does something else than it should.",
    ]


def test_a_condition_that_is_missing_is_told(database: Database) -> None:
    if database.sqlite:
        change(
            database,
            "DROP TABLE snapshots",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, 'CONSTRAINT ck_matches_ply', "
            "'CONSTRAINT ck_matches_plies') WHERE name = 'matches'",
            "PRAGMA writable_schema = OFF",
        )
    else:
        change(
            database,
            "DROP TABLE snapshots",
            "ALTER TABLE matches RENAME CONSTRAINT ck_matches_ply TO ck_matches_plies",
        )
    assert schema.list_differences(database) == [
        "The table snapshots is missing.",
        "The condition ck_matches_ply of the table matches is missing.",
        "The condition ck_matches_plies of the table matches should not be there.",
    ]
