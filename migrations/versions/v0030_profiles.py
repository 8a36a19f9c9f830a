"""What players choose for themselves: display name, time zone, what others see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


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
    allowed = context.get_x_argument(as_dictionary=True).get("destroy_events") == "yes"
    if not allowed and op.get_bind().scalar(sa.text("SELECT count(*) FROM profiles")):
        raise CommandError(
            "This would destroy the display names and settings of players. If that is what you "
            "want, say so: plybook db downgrade REVISION --destroy-events (with Alembic: "
            "-x destroy_events=yes)."
        )
    op.drop_table("profiles")
