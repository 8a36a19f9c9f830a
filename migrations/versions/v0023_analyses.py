"""Analyses of finished matches, a position at a time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

MATCH_ID = sa.String(16)


def upgrade() -> None:
    """Make both tables, empty: an analysis is made when somebody asks for it."""
    op.create_table(
        "analyses",
        sa.Column("match", MATCH_ID, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("engine", sa.String(16), nullable=False),
        sa.Column("asked_by", sa.String(18), nullable=True),
        sa.Column("asked_at", sa.String(27), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("positions", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_analyses"),
        sa.CheckConstraint("state IN ('open', 'done', 'failed')", name=op.f("ck_analyses_state")),
        sa.CheckConstraint("done >= 0 AND done <= positions", name=op.f("ck_analyses_done")),
    )
    op.create_index("ix_analyses_state_asked_at", "analyses", ["state", "asked_at"])
    op.create_table(
        "analysed_positions",
        sa.Column("match", MATCH_ID, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match", "number", name="pk_analysed_positions"),
        sa.ForeignKeyConstraint(
            ["match"], ["analyses.match"], name="fk_analysed_positions_match_analyses"
        ),
        sa.CheckConstraint("number >= 0", name=op.f("ck_analysed_positions_number")),
    )


def downgrade() -> None:
    """Remove them: each can be asked for again."""
    op.drop_table("analysed_positions")
    op.drop_table("analyses")
