"""The events, which the database itself keeps from being changed.

An event is taken only at the next version of its match, and only if it names the hash of the event
before it: what was decided on another past is refused by the database itself.

The triggers stand in nobody's model: a later step that rebuilds the table (Alembic's batch mode
on SQLite does) loses them and must make them anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import UserDefinedType
from typing_extensions import override

from migrations.loss import must_be_allowed

revision = "0002"
down_revision = "0001"

SQLITE_TRIGGERS = (
    # INSERT OR REPLACE removes the rows in its way without a word to the trigger on DELETE; so
    # a position that is in use is refused as well, and it is checked before anything is done.
    """
    CREATE TRIGGER events_next_version BEFORE INSERT ON events
    BEGIN
        SELECT CASE
            WHEN NEW.version = newest + 1 THEN NULL
            WHEN NEW.version BETWEEN 1 AND newest
            THEN RAISE(ABORT, 'events_version_taken: the match has an event of this version')
            ELSE RAISE(ABORT, 'events_version_skipped: the match has a gap before this version')
        END
        FROM (
            SELECT coalesce(max(version), 0) AS newest FROM events WHERE "match" = NEW."match"
        );
        SELECT RAISE(ABORT, 'events_version_taken: the match has another past')
        WHERE NEW.version > 1 AND NOT EXISTS (
            SELECT 1 FROM events
            WHERE "match" = NEW."match" AND version = NEW.version - 1
            AND hash = json_extract(CAST(NEW.body AS TEXT), '$.previous')
        );
        SELECT RAISE(ABORT, 'events_append_only: the position is in use')
        WHERE EXISTS (SELECT 1 FROM events WHERE position = NEW.position);
    END
    """,
    """
    CREATE TRIGGER events_last_position AFTER INSERT ON events
    WHEN NEW.position <> (SELECT max(position) FROM events) OR NEW.position < 1
    BEGIN
        SELECT RAISE(ABORT, 'events_append_only: positions only grow');
    END
    """,
    """
    CREATE TRIGGER events_no_update BEFORE UPDATE ON events
    BEGIN
        SELECT RAISE(ABORT, 'events_append_only: an event is never changed');
    END
    """,
    """
    CREATE TRIGGER events_no_delete BEFORE DELETE ON events
    BEGIN
        SELECT RAISE(ABORT, 'events_append_only: an event is never removed');
    END
    """,
)

POSTGRES_TRIGGERS = (
    """
    CREATE FUNCTION events_next_version() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        last events%ROWTYPE;
    BEGIN
        SELECT * INTO last FROM events WHERE match = NEW.match ORDER BY version DESC LIMIT 1;
        IF NEW.version = coalesce(last.version, 0) + 1 THEN
            IF NEW.version = 1
                OR last.hash = convert_from(NEW.body, 'UTF8')::json ->> 'previous'
            THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION 'the match has another past'
                USING ERRCODE = 'integrity_constraint_violation',
                      CONSTRAINT = 'events_version_taken';
        ELSIF NEW.version BETWEEN 1 AND last.version THEN
            RAISE EXCEPTION 'the match has an event of this version'
                USING ERRCODE = 'integrity_constraint_violation',
                      CONSTRAINT = 'events_version_taken';
        END IF;
        RAISE EXCEPTION 'the match has a gap before this version'
            USING ERRCODE = 'integrity_constraint_violation',
                  CONSTRAINT = 'events_version_skipped';
    END
    $$
    """,
    """
    CREATE FUNCTION events_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'an event is never changed or removed'
            USING ERRCODE = 'integrity_constraint_violation',
                  CONSTRAINT = 'events_append_only';
    END
    $$
    """,
    """
    CREATE TRIGGER events_next_version BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION events_next_version()
    """,
    """
    CREATE TRIGGER events_no_update BEFORE UPDATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
    """
    CREATE TRIGGER events_no_delete BEFORE DELETE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
    """
    CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()
    """,
)


class TransactionId(UserDefinedType[str]):
    """PostgreSQL's ``xid8``."""

    cache_ok = True

    @override
    def get_col_spec(self, **_: object) -> str:
        """Return the type's name in SQL."""
        return "xid8"


def upgrade() -> None:
    """Make the table, and the triggers that guard it."""
    on_postgres = op.get_bind().dialect.name == "postgresql"
    op.create_table(
        "events",
        sa.Column(
            "position",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=True),
            nullable=False,
        ),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("openings", sa.LargeBinary()),
        *([_txid()] if on_postgres else []),
        sa.PrimaryKeyConstraint("position", name="pk_events"),
        sa.UniqueConstraint("match", "version", name="uq_events_match_version"),
        sa.CheckConstraint("version >= 1", name=op.f("ck_events_version")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_events_hash")),
        sqlite_autoincrement=True,
    )
    if on_postgres:
        op.create_index("ix_events_txid_position", "events", ["txid", "position"])
    for trigger in POSTGRES_TRIGGERS if on_postgres else SQLITE_TRIGGERS:
        op.execute(trigger)


def _txid() -> sa.Column[str]:
    default = sa.text("pg_current_xact_id()")
    return sa.Column("txid", TransactionId(), nullable=False, server_default=default)


def downgrade() -> None:
    """Remove them, unless that would lose events and nobody has said that it may."""
    connection = op.get_bind()
    must_be_allowed("This would destroy every match's events.", "FROM events")
    op.drop_table("events")
    if connection.dialect.name == "postgresql":
        op.execute("DROP FUNCTION events_next_version()")
        op.execute("DROP FUNCTION events_append_only()")
