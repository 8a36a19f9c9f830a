"""Leases are locks, which end with their holder: the table that had them goes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Drop the table, which nothing has read."""
    op.drop_table("leases")


def downgrade() -> None:
    """Make it anew. Nothing in it is missed: a lease is good for a minute."""
    op.create_table(
        "leases",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )
