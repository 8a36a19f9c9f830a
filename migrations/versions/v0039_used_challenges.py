"""What passkeys have signed, so that nobody shows the same answer twice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "used_challenges",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_used_challenges"),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_used_challenges_digest")),
    )
    op.create_index("ix_used_challenges_expires_at", "used_challenges", ["expires_at"])


def downgrade() -> None:
    """Remove it; what it has is of the last five minutes."""
    op.drop_table("used_challenges")
