"""Who has blocked whom, and who follows whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "relations",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("other", sa.String(18), nullable=False),
        sa.Column("since", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("player", "kind", "other", name="pk_relations"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_relations_player_players"),
        sa.ForeignKeyConstraint(["other"], ["players.id"], name="fk_relations_other_players"),
        sa.CheckConstraint("kind IN ('blocks', 'follows')", name=op.f("ck_relations_kind")),
        sa.CheckConstraint("player <> other", name=op.f("ck_relations_other")),
    )
    op.create_index("ix_relations_other", "relations", ["other"])


def downgrade() -> None:
    """Remove it, unless what people chose would be lost and nobody has said that it may."""
    must_be_allowed("This would forget whom players have blocked and follow.", "FROM relations")
    op.drop_table("relations")
