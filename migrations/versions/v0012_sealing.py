"""The key by which cursors and ids of lines are sealed before they leave the house."""

from __future__ import annotations

from secrets import token_hex

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table with its one row."""
    table = op.create_table(
        "sealing",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sealing"),
        sa.CheckConstraint("id = 1", name=op.f("ck_sealing_one")),
        sa.CheckConstraint("length(key) = 64", name=op.f("ck_sealing_key")),
    )
    op.execute(sa.insert(table).values(id=1, key=token_hex(32)))


def downgrade() -> None:
    """Remove it. Lists and streams that are being read have to be begun anew."""
    op.drop_table("sealing")
