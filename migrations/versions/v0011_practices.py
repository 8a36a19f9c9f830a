"""Practice matches of browsers without an account; sessions say which browser they are in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table and the column; of sessions that are there nobody knows the browser."""
    op.add_column("sessions", sa.Column("agent", sa.String(200)))
    op.create_table(
        "practices",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("expires_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_practices"),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_practices_digest")),
    )
    op.create_index("ix_practices_digest_created_at", "practices", ["digest", "created_at"])
    op.create_index("ix_practices_expires_at", "practices", ["expires_at"])


def downgrade() -> None:
    """Remove them. Practice matches are held for a day only, and their events remain."""
    op.drop_table("practices")
    op.drop_column("sessions", "agent")
