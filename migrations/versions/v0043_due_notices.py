"""What is due to be sent is found by an index: most of what waits is due later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

WAITS = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    """Make the index."""
    op.create_index(
        "ix_notice_deliveries_due_at_channel",
        "notice_deliveries",
        ["due_at", "channel"],
        sqlite_where=WAITS,
        postgresql_where=WAITS,
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_index("ix_notice_deliveries_due_at_channel", "notice_deliveries")
