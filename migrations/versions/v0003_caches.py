"""What is made of the events, and the answers that are kept to be given again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

MATCH_LISTS = (
    ("updated_at", "id"),
    ("created_at", "id"),
    ("game", "updated_at", "id"),
    ("status", "updated_at", "id"),
    ("to_act_player", "updated_at", "id"),
    ("seat_1", "updated_at", "id"),
    ("seat_2", "updated_at", "id"),
    ("opponent", "status"),
)


def upgrade() -> None:
    """Make the tables."""
    _create_matches()
    for columns in MATCH_LISTS:
        op.create_index(f"ix_matches_{'_'.join(columns)}", "matches", columns)
    op.create_table(
        "snapshots",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", "version", name="pk_snapshots"),
    )
    _create_idempotency()
    op.create_index("ix_idempotency_created_at", "idempotency", ["created_at"])


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("visibility", sa.String(16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("creator", sa.String(18), nullable=False),
        sa.Column("opponent", sa.String(18)),
        sa.Column("seat_1", sa.String(18)),
        sa.Column("seat_2", sa.String(18)),
        sa.Column("to_act", sa.Integer()),
        sa.Column("to_act_player", sa.String(18)),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer()),
        sa.Column("reason", sa.String(32)),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("updated_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        *_match_checks(),
    )


def _match_checks() -> list[sa.CheckConstraint]:
    checks = {
        "version": "version >= 1",
        "ply": "ply >= 0",
        "status": "status IN ('open', 'active', 'finished', 'aborted')",
        "visibility": "visibility IN ('public', 'unlisted', 'private')",
        "to_act": "to_act IN (1, 2)",
        "winner": "winner IN (1, 2)",
    }
    return [
        sa.CheckConstraint(check, name=op.f(f"ck_matches_{name}")) for name, check in checks.items()
    ]


def _create_idempotency() -> None:
    op.create_table(
        "idempotency",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("key", sa.String(255), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("player", "key", name="pk_idempotency"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_idempotency_player_players"),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("idempotency")
    op.drop_table("snapshots")
    op.drop_table("matches")
