"""Open matches are found by who has created them, however many others those have played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

OPEN = sa.text("status = 'open'")


def upgrade() -> None:
    """Make the index."""
    op.create_index(
        "ix_matches_open_creator",
        "matches",
        ["creator", "status"],
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )


def downgrade() -> None:
    """Take it away."""
    op.drop_index("ix_matches_open_creator", table_name="matches")
