"""What players choose for themselves: display name, time zone, what others see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Make the table; who has chosen nothing has no row."""
    op.create_table(
        "profiles",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("display_name", sa.String(64)),
        sa.Column("skeleton", sa.String(255)),
        sa.Column("time_zone", sa.String(64)),
        sa.Column("shows_record", sa.Boolean(), nullable=False),
        sa.Column("shows_matches", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_profiles"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_profiles_player_players"),
    )
    op.create_index("ix_profiles_skeleton", "profiles", ["skeleton"])


def downgrade() -> None:
    """Remove it, unless what people chose would be lost and nobody has said that it may."""
    must_be_allowed(
        "This would destroy the display names and settings of players.", "FROM profiles"
    )
    op.drop_table("profiles")
