"""Which matches were imported, when, and what their players are called in their file."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "imported_matches",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("imported_at", sa.String(27), nullable=False),
        sa.Column("names", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_imported_matches"),
    )


def downgrade() -> None:
    """Remove it; without it imported matches would pass for matches of this service's players."""
    must_be_allowed(
        "Imported matches would pass for matches of this service's own players.",
        "FROM imported_matches",
    )
    op.drop_table("imported_matches")
