"""Recovery codes, by which somebody sets a new password who has forgotten theirs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("used_at", sa.String(27)),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_codes"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="fk_recovery_codes_player_players"
        ),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_recovery_codes_digest")),
    )
    op.create_index("ix_recovery_codes_player", "recovery_codes", ["player"])


def downgrade() -> None:
    """Remove it, unless codes that people keep would be lost and nobody has said that they may."""
    must_be_allowed("This would destroy people's recovery codes.", "FROM recovery_codes")
    op.drop_table("recovery_codes")
