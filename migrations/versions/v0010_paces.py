"""Lists tell matches by the kind of their pace."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column.

    Matches with clocks may be there, of a database that was at a later step. What their events say
    of them is filled in behind step 0017.
    """
    op.add_column("matches", sa.Column("pace", sa.String(16)))


def downgrade() -> None:
    """Remove it; it is made from the events."""
    op.drop_column("matches", "pace")
