"""Passkeys, by which players log in without a password."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0037"
down_revision = "0036"


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
    must_be_allowed("This would destroy people's passkeys.", "FROM passkeys")
    op.drop_table("passkeys")
