"""A tree over the heads of all matches, its signed checkpoints, and the keys that signed them.

All four tables only grow, and the database itself keeps them so, as it does with the events. The
triggers stand in nobody's model: a later step that rebuilds such a table makes them anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0008"
down_revision = "0007"

NEXT = {
    "checkpoint_leaves": (
        "NEW.number = (SELECT coalesce(max(number) + 1, 0) FROM checkpoint_leaves)"
    ),
    "checkpoint_nodes": (
        "NEW.number = (SELECT coalesce(max(number) + 1, 0) FROM checkpoint_nodes "
        "WHERE level = NEW.level)"
    ),
    "checkpoints": "NEW.size > (SELECT coalesce(max(size), 0) FROM checkpoints)",
    "signing_keys": "NEW.number = (SELECT coalesce(max(number) + 1, 1) FROM signing_keys)",
}
"""What a new row has to be: the next one, which also stops one that would replace another."""

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables, and the triggers that guard them."""
    _tree()
    _signatures()
    if op.get_bind().dialect.name == "postgresql":
        _guard_on_postgres()
    else:
        _guard_on_sqlite()


def _tree() -> None:
    op.create_table(
        "checkpoint_leaves",
        sa.Column("number", BIG, nullable=False, autoincrement=False),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("cursor", sa.String(48), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_checkpoint_leaves"),
        sa.CheckConstraint("version >= 1", name=op.f("ck_checkpoint_leaves_version")),
        sa.CheckConstraint("length(head) = 64", name=op.f("ck_checkpoint_leaves_head")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_checkpoint_leaves_hash")),
    )
    op.create_index("ix_checkpoint_leaves_match_number", "checkpoint_leaves", ["match", "number"])
    op.create_table(
        "checkpoint_nodes",
        sa.Column("level", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("number", BIG, nullable=False, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("level", "number", name="pk_checkpoint_nodes"),
        sa.CheckConstraint("level >= 1", name=op.f("ck_checkpoint_nodes_level")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_checkpoint_nodes_hash")),
    )


def _signatures() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("public_key", sa.String(64), nullable=False),
        sa.Column("valid_from", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_signing_keys"),
        sa.UniqueConstraint("id", name="uq_signing_keys_id"),
        sa.CheckConstraint("length(public_key) = 64", name=op.f("ck_signing_keys_public_key")),
    )
    op.create_table(
        "checkpoints",
        sa.Column("size", BIG, nullable=False, autoincrement=False),
        sa.Column("origin", sa.String(80), nullable=False),
        sa.Column("root", sa.String(64), nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(128), nullable=False),
        sa.PrimaryKeyConstraint("size", name="pk_checkpoints"),
        sa.ForeignKeyConstraint(
            ["key"], ["signing_keys.id"], name="fk_checkpoints_key_signing_keys"
        ),
        sa.CheckConstraint("size >= 1", name=op.f("ck_checkpoints_size")),
        sa.CheckConstraint("length(root) = 64", name=op.f("ck_checkpoints_root")),
        sa.CheckConstraint("length(signature) = 128", name=op.f("ck_checkpoints_signature")),
    )


def _guard_on_sqlite() -> None:
    for table, is_next in NEXT.items():
        op.execute(
            f"""
            CREATE TRIGGER {table}_next BEFORE INSERT ON {table} WHEN NOT ({is_next})
            BEGIN
                SELECT RAISE(ABORT, '{table}_append_only: a row comes after all others');
            END
            """
        )
        for event in ("update", "delete"):
            op.execute(
                f"""
                CREATE TRIGGER {table}_no_{event} BEFORE {event.upper()} ON {table}
                BEGIN
                    SELECT RAISE(ABORT, '{table}_append_only: a row is never changed or removed');
                END
                """
            )


def _guard_on_postgres() -> None:
    op.execute(_refusing("checkpoints_append_only", "", "a row is never changed or removed"))
    for table, is_next in NEXT.items():
        test = f"IF {is_next} THEN RETURN NEW; END IF;"
        op.execute(_refusing(f"{table}_next", test, "a row comes after all others"))
        op.execute(
            f"CREATE TRIGGER {table}_next BEFORE INSERT ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_next()"
        )
        for event in ("update", "delete", "truncate"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{event} BEFORE {event.upper()} ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION checkpoints_append_only()"
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
    """Remove them, unless that would lose checkpoints and nobody has said that it may."""
    connection = op.get_bind()
    must_be_allowed(
        "This would destroy the signed checkpoints, and the tree that proves what they cover.",
        "FROM signing_keys",
    )
    for table in ("checkpoints", "signing_keys", "checkpoint_nodes", "checkpoint_leaves"):
        op.drop_table(table)
    if connection.dialect.name == "postgresql":
        for table in NEXT:
            op.execute(f"DROP FUNCTION {table}_next()")
        op.execute("DROP FUNCTION checkpoints_append_only()")
