"""Lists tell matches by the kind of their pace."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Matches that are there have no clock, which is what null says."""
    op.add_column("matches", sa.Column("pace", sa.String(16)))


def downgrade() -> None:
    """Remove it; it is made from the events."""
    op.drop_column("matches", "pace")
