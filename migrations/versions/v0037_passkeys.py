"""Passkeys, by which players log in without a password."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created_at", sa.String(27), nullable=False),
        sa.Column("used_at", sa.String(27)),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_passkeys_player_players"),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])


def downgrade() -> None:
    """Remove it, unless passkeys would be lost and nobody has said that they may."""
    allowed = context.get_x_argument(as_dictionary=True).get("destroy_events") == "yes"
    if not allowed and op.get_bind().scalar(sa.text("SELECT count(*) FROM passkeys")):
        raise CommandError(
            "This would destroy people's passkeys. If that is what you want, say so: plybook db "
            "downgrade REVISION --destroy-events (with Alembic: -x destroy_events=yes)."
        )
    op.drop_table("passkeys")
