"""Aborted matches are found by who sits in them, however many others those have played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

ABORTED = sa.text("status = 'aborted'")
INDEXES = {
    f"ix_matches_aborted_{seat}_{at}": [seat, "status", at, "id"]
    for seat in ("seat_1", "seat_2")
    for at in ("updated_at", "created_at")
}


def upgrade() -> None:
    """Make the indexes."""
    for name, columns in INDEXES.items():
        op.create_index(name, "matches", columns, sqlite_where=ABORTED, postgresql_where=ABORTED)


def downgrade() -> None:
    """Take them away."""
    for name in INDEXES:
        op.drop_index(name, table_name="matches")
