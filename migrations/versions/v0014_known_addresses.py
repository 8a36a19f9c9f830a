"""From where players got in of late, as keyed hashes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "known_addresses",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("seen_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_known_addresses"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name="fk_known_addresses_player_players"
        ),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_known_addresses_digest")),
    )
    op.create_index("ix_known_addresses_player", "known_addresses", ["player"])
    op.create_index("ix_known_addresses_seen_at", "known_addresses", ["seen_at"])


def downgrade() -> None:
    """Remove it. Players are known nowhere until they get in again."""
    op.drop_table("known_addresses")
