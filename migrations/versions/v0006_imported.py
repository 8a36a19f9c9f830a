"""Which matches were imported, when, and what their players are called in their file."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


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
    connection = op.get_bind()
    allowed = context.get_x_argument(as_dictionary=True).get("destroy_events") == "yes"
    table = sa.table("imported_matches")
    if not allowed and connection.scalar(sa.select(sa.func.count()).select_from(table)):
        raise CommandError(
            "Imported matches would pass for matches of this service's own players. If that is "
            "what you want, say so: plybook db downgrade REVISION --destroy-events (with Alembic: "
            "-x destroy_events=yes)."
        )
    op.drop_table("imported_matches")
