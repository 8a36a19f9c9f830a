"""Caches can be made anew from the events, and a step can ask for that.

Some steps before this one have added columns to lists without filling them, where that takes a
fold of the events, of which a migration knows nothing. So whoever comes past here with matches has
all caches made anew.

The full nodes above the tree's leaves follow from the leaves, which are records: a cache, too. So
nothing keeps them from being changed any more.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

IS_NEXT = (
    "NEW.number = (SELECT coalesce(max(number) + 1, 0) FROM checkpoint_nodes "
    "WHERE level = NEW.level)"
)


def upgrade() -> None:
    """Make the table, ask for a rebuild, and let go of the nodes."""
    op.create_table(
        "rebuild",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("after", sa.String(16), nullable=False),
        sa.Column("since", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rebuild"),
        sa.CheckConstraint("id = 1", name=op.f("ck_rebuild_one")),
    )
    op.execute(
        "INSERT INTO rebuild (id, after, since) "
        "SELECT 1, '', '0017' WHERE EXISTS (SELECT 1 FROM events)"
    )
    on_postgres = op.get_bind().dialect.name == "postgresql"
    for name in ("next", "no_update", "no_delete", *(["no_truncate"] if on_postgres else [])):
        where = " ON checkpoint_nodes" if on_postgres else ""
        op.execute(f"DROP TRIGGER checkpoint_nodes_{name}{where}")
    if on_postgres:
        op.execute("DROP FUNCTION checkpoint_nodes_next()")


def downgrade() -> None:
    """Remove the table, and guard the nodes as they were."""
    op.drop_table("rebuild")
    if op.get_bind().dialect.name == "postgresql":
        _guard_on_postgres()
    else:
        _guard_on_sqlite()


def _guard_on_sqlite() -> None:
    refused = "checkpoint_nodes_append_only: a row"
    op.execute(
        f"""
            CREATE TRIGGER checkpoint_nodes_next BEFORE INSERT ON checkpoint_nodes
            WHEN NOT ({IS_NEXT})
            BEGIN
                SELECT RAISE(ABORT, '{refused} comes after all others');
            END
        """
    )
    for event in ("update", "delete"):
        op.execute(
            f"""
            CREATE TRIGGER checkpoint_nodes_no_{event} BEFORE {event.upper()} ON checkpoint_nodes
            BEGIN
                SELECT RAISE(ABORT, '{refused} is never changed or removed');
            END
            """
        )


def _guard_on_postgres() -> None:
    op.execute(
        f"""
        CREATE FUNCTION checkpoint_nodes_next() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF {IS_NEXT} THEN RETURN NEW; END IF;
            RAISE EXCEPTION 'a row comes after all others'
                USING ERRCODE = 'integrity_constraint_violation',
                      CONSTRAINT = 'checkpoint_nodes_next';
        END
        $$
        """
    )
    op.execute(
        "CREATE TRIGGER checkpoint_nodes_next BEFORE INSERT ON checkpoint_nodes "
        "FOR EACH ROW EXECUTE FUNCTION checkpoint_nodes_next()"
    )
    for event in ("update", "delete", "truncate"):
        op.execute(
            f"CREATE TRIGGER checkpoint_nodes_no_{event} BEFORE {event.upper()} "
            "ON checkpoint_nodes FOR EACH STATEMENT EXECUTE FUNCTION checkpoints_append_only()"
        )
