"""The servers' heartbeat, and the times in which there was none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

INSTANT = sa.String(27)


def upgrade() -> None:
    """Make both tables, empty: nobody knows when the service was away before."""
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("beat_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_heartbeat"),
        sa.CheckConstraint("id = 1", name=op.f("ck_heartbeat_one")),
    )
    op.create_table(
        "downtimes",
        sa.Column("began_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=False),
        sa.Column("given_up_to", sa.String(16), nullable=True),
        sa.Column("given_at", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("began_at", name="pk_downtimes"),
        sa.CheckConstraint("began_at < ended_at", name=op.f("ck_downtimes_order")),
    )


def downgrade() -> None:
    """Remove them. What was given back stands in the events of matches."""
    op.drop_table("downtimes")
    op.drop_table("heartbeat")
