"""Invitations, reasons for declining and rematches, beside the events; accounts that are closed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0007"
down_revision = "0006"

KEPT = ("invitations", "declined_challenges", "rematches")
"""What cannot be made anew."""


def upgrade() -> None:
    """Make the tables."""
    op.add_column("players", sa.Column("closed_at", sa.String(27)))
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(18), nullable=False),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("expires_at", sa.String(27), nullable=False),
        sa.Column("revoked_at", sa.String(27)),
        sa.Column("used_at", sa.String(27)),
        sa.Column("used_by", sa.String(18)),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
        sa.UniqueConstraint("digest", name="uq_invitations_digest"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_invitations_player_players"),
        sa.ForeignKeyConstraint(["used_by"], ["players.id"], name="fk_invitations_used_by_players"),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_invitations_digest")),
        sa.CheckConstraint(
            "(used_at IS NULL) = (used_by IS NULL)", name=op.f("ck_invitations_used")
        ),
    )
    op.create_index("ix_invitations_match_created_at", "invitations", ["match", "created_at"])
    op.create_table(
        "declined_challenges",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_declined_challenges"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="fk_declined_challenges_player_players"
        ),
    )
    op.create_table(
        "rematches",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("rematch", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_rematches"),
        sa.UniqueConstraint("rematch", name="uq_rematches_rematch"),
    )


def downgrade() -> None:
    """Remove them, unless that would lose what people wrote or open closed accounts again."""
    must_be_allowed(
        "This would destroy what people wrote, and closed accounts would be open again.",
        "FROM players WHERE closed_at IS NOT NULL",
        *(f"FROM {name}" for name in KEPT),
    )
    for name in reversed(KEPT):
        op.drop_table(name)
    op.drop_column("players", "closed_at")
