"""Notices: where people want to be told of what happens, and each thing that is told there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

_INSTANT = sa.String(27)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "notice_channels",
        sa.Column("id", sa.String(18), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("types", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
        sa.Column("secret", sa.Text),
        sa.Column("digest", sa.String(64)),
        sa.Column("former_secret", sa.Text),
        sa.Column("former_until", _INSTANT),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("off_at", _INSTANT),
        sa.Column("off_reason", sa.String(16)),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("failing_since", _INSTANT),
        sa.Column("held_until", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notice_channels"),
        sa.UniqueConstraint("digest", name="uq_notice_channels_digest"),
        sa.CheckConstraint("failures >= 0", name=op.f("ck_notice_channels_failures")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_notice_channels_digest")),
    )
    for column in ("player", "held_until"):
        op.create_index(f"ix_notice_channels_{column}", "notice_channels", [column])
    _make_deliveries()


def _make_deliveries() -> None:
    position = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "notice_deliveries",
        sa.Column("number", position, autoincrement=False, nullable=False),
        sa.Column("channel", sa.String(18), nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("match", sa.String(16)),
        sa.Column("version", sa.Integer),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("due_at", _INSTANT),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("reason", sa.String(16)),
        sa.Column("tried_at", _INSTANT),
        sa.PrimaryKeyConstraint("number", "channel", name="pk_notice_deliveries"),
        sa.CheckConstraint(
            "state IN ('waiting', 'sent', 'failed', 'kept')",
            name=op.f("ck_notice_deliveries_state"),
        ),
        sa.CheckConstraint(
            "(state = 'waiting') = (due_at IS NOT NULL)", name=op.f("ck_notice_deliveries_due")
        ),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_notice_deliveries_attempts")),
    )
    op.create_index("ix_notice_deliveries_at", "notice_deliveries", ["at"])
    op.create_index(
        "ix_notice_deliveries_channel_at_number", "notice_deliveries", ["channel", "at", "number"]
    )
    waits = sa.text("due_at IS NOT NULL")
    op.create_index(
        "ix_notice_deliveries_channel_due_at",
        "notice_deliveries",
        ["channel", "due_at"],
        sqlite_where=waits,
        postgresql_where=waits,
    )


def downgrade() -> None:
    """Remove them. Nobody is told any more, and who wanted to be is gone."""
    op.drop_table("notice_deliveries")
    op.drop_table("notice_channels")
