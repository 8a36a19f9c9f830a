"""Snapshots name the form that they are written in.

Of those that are there nobody knows it; they are a cache, and taken anew. An earlier release would
believe whatever it finds, so they go on the way down, too.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Remove the snapshots, and add the column."""
    op.execute("DELETE FROM snapshots")
    # SQLite adds no column without a default; PostgreSQL keeps who may use the table.
    with op.batch_alter_table("snapshots") as table:
        table.add_column(sa.Column("format", sa.String(64), nullable=False))


def downgrade() -> None:
    """Remove the snapshots, and the column."""
    op.execute("DELETE FROM snapshots")
    op.drop_column("snapshots", "format")
