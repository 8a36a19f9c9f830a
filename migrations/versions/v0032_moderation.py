"""What is done about abuse: a log that only grows, messages that are hidden, suspended accounts.

The database keeps the log as it keeps the events: no row is changed or removed, and each comes
behind all others. The triggers stand in nobody's model: a later step that rebuilds the table makes
them anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0032"
down_revision = "0031"

IS_NEXT = "NEW.number = (SELECT coalesce(max(number) + 1, 1) FROM moderation)"
"""What a new row has to be: the next one, which also stops one that would replace another."""

LAST, KEPT = "a row comes after all others", "a row is never changed or removed"


def upgrade() -> None:
    """Make the table with the triggers that guard it, and the columns."""
    op.create_table(
        "moderation",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("actor", sa.String(18)),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("match", sa.String(16)),
        sa.Column("room", sa.String(16)),
        sa.Column("message", sa.Integer()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_moderation"),
        sa.CheckConstraint("number >= 1", name=op.f("ck_moderation_number")),
        sa.CheckConstraint(
            "kind IN ('reported', 'hidden', 'suspended', 'lifted')", name=op.f("ck_moderation_kind")
        ),
    )
    op.create_index("ix_moderation_actor_at", "moderation", ["actor", "at"])
    op.create_index("ix_moderation_player_number", "moderation", ["player", "number"])
    op.add_column("chat_messages", sa.Column("hidden", sa.Text()))
    op.add_column("players", sa.Column("suspended_at", sa.String(27)))
    if op.get_bind().dialect.name == "postgresql":
        _guard_on_postgres()
    else:
        _guard_on_sqlite()


def _guard_on_sqlite() -> None:
    op.execute(
        f"""
        CREATE TRIGGER moderation_next BEFORE INSERT ON moderation WHEN NOT ({IS_NEXT})
        BEGIN
            SELECT RAISE(ABORT, 'moderation_append_only: {LAST}');
        END
        """
    )
    for event in ("update", "delete"):
        op.execute(
            f"""
            CREATE TRIGGER moderation_no_{event} BEFORE {event.upper()} ON moderation
            BEGIN
                SELECT RAISE(ABORT, 'moderation_append_only: {KEPT}');
            END
            """
        )


def _guard_on_postgres() -> None:
    test = f"IF {IS_NEXT} THEN RETURN NEW; END IF;"
    op.execute(_refusing("moderation_next", test, LAST))
    op.execute(_refusing("moderation_append_only", "", KEPT))
    op.execute(
        "CREATE TRIGGER moderation_next BEFORE INSERT ON moderation "
        "FOR EACH ROW EXECUTE FUNCTION moderation_next()"
    )
    for event in ("update", "delete", "truncate"):
        op.execute(
            f"CREATE TRIGGER moderation_no_{event} BEFORE {event.upper()} ON moderation "
            "FOR EACH STATEMENT EXECUTE FUNCTION moderation_append_only()"
        )


def _refusing(name: str, before: str, reason: str) -> str:
    return f"""
    CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {before}
        RAISE EXCEPTION '{reason}'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = '{name}';
    END
    $$
    """


def downgrade() -> None:
    """Remove them, unless that would lose what was done and nobody has said that it may."""
    connection = op.get_bind()
    must_be_allowed(
        "This would destroy the log of what was reported, hidden and suspended.", "FROM moderation"
    )
    op.drop_column("players", "suspended_at")
    op.drop_column("chat_messages", "hidden")
    op.drop_table("moderation")
    if connection.dialect.name == "postgresql":
        op.execute("DROP FUNCTION moderation_next()")
        op.execute("DROP FUNCTION moderation_append_only()")
