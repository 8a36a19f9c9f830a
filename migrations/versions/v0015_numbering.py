"""Transactions' numbers that only grow, also where a log goes on at another PostgreSQL server.

The feed of all events goes by the numbers of their transactions. A log that is restored brings its
own ones along, and they may lie ahead of what its new server counts. So a shift is added to the
server's numbers; it is set anew where that is so, and what was restored comes before what is new.
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"

LOCK = 0x706C7967
"""PostgreSQL's lock of whoever sets a shift: a number of ours."""

SHIFT = "pg_sequence_last_value('events_shift')"
"""A sequence for a variable: each row reads it, and from a table that takes ten times as long."""

MAKING = (
    "CREATE SEQUENCE events_shift MINVALUE 0",
    "SELECT setval('events_shift', 0)",
    "GRANT SELECT ON SEQUENCE events_shift TO PUBLIC",
    f"""
    CREATE FUNCTION log_transaction() RETURNS xid8 LANGUAGE sql VOLATILE AS $$
        SELECT (pg_current_xact_id()::text::bigint + {SHIFT})::text::xid8
    $$
    """,
    f"""
    CREATE FUNCTION log_horizon() RETURNS xid8 LANGUAGE sql STABLE AS $$
        SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + {SHIFT})::text::xid8
    $$
    """,
    f"""
    CREATE FUNCTION log_moment() RETURNS pg_snapshot LANGUAGE sql STABLE AS $$
        SELECT concat_ws(
            ':',
            pg_snapshot_xmin(now)::text::bigint + shift,
            pg_snapshot_xmax(now)::text::bigint + shift,
            coalesce(
                (
                    SELECT string_agg((running::text::bigint + shift)::text, ',' ORDER BY running)
                    FROM pg_snapshot_xip(now) AS running
                ),
                ''
            )
        )::pg_snapshot
        FROM (SELECT pg_current_snapshot() AS now, {SHIFT} AS shift) AS here
    $$
    """,  # noqa: S608 - our own text
    # A number that is stored and that the server has not given out is another server's. With the
    # shift, the oldest transaction that may still append comes right behind the newest event.
    # It is looked at once more when it is one's turn: somebody else may have seen to it.
    f"""
    CREATE FUNCTION log_renumber() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE
        needed bigint;
    BEGIN
        FOR look IN 1..2 LOOP
            SELECT newest + 1 - pg_snapshot_xmin(now)::text::bigint INTO needed
            FROM (
                SELECT txid::text::bigint AS newest, pg_current_snapshot() AS now
                FROM events ORDER BY events.txid DESC LIMIT 1
            ) AS here
            WHERE newest - {SHIFT} >= pg_snapshot_xmax(now)::text::bigint;
            IF needed IS NULL THEN
                RETURN;
            ELSIF look = 1 THEN
                PERFORM pg_advisory_xact_lock({LOCK});
            ELSE
                PERFORM setval('events_shift', needed);
            END IF;
        END LOOP;
    END
    $$
    """,  # noqa: S608 - our own text
    "ALTER TABLE events ALTER COLUMN txid SET DEFAULT log_transaction()",
)

UNMAKING = (
    "ALTER TABLE events ALTER COLUMN txid SET DEFAULT pg_current_xact_id()",
    "DROP FUNCTION log_renumber()",
    "DROP FUNCTION log_moment()",
    "DROP FUNCTION log_horizon()",
    "DROP FUNCTION log_transaction()",
    "DROP SEQUENCE events_shift",
)


def upgrade() -> None:
    """Make what numbers events on PostgreSQL; SQLite's positions need nothing."""
    _run(MAKING)


def downgrade() -> None:
    """Count as the server does alone, whatever lies ahead of it."""
    _run(UNMAKING)


def _run(statements: tuple[str, ...]) -> None:
    if op.get_bind().dialect.name == "postgresql":
        for statement in statements:
            op.execute(statement)
