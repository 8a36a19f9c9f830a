"""Series that go on, or were aborted, are found by an index: they are few among many."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Make the index."""
    there = sa.text("series IS NOT NULL")
    op.create_index(
        "ix_matches_series_status",
        "matches",
        ["status", "series"],
        sqlite_where=there,
        postgresql_where=there,
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_index("ix_matches_series_status", table_name="matches")
