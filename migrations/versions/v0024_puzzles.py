"""Puzzles, what players have solved of them, and which matches were looked through for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

SOURCE = '("match" IS NULL) = ("version" IS NULL) AND ("match" IS NULL) <> ("start" IS NULL)'


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "puzzles",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("match", sa.String(16)),
        sa.Column("version", sa.Integer),
        sa.Column("start", sa.Text),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("aim", sa.String(4), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("difficulty", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
        sa.CheckConstraint("seat IN (1, 2)", name=op.f("ck_puzzles_seat")),
        sa.CheckConstraint("aim IN ('win', 'save')", name=op.f("ck_puzzles_aim")),
        sa.CheckConstraint("difficulty BETWEEN 1 AND 5", name=op.f("ck_puzzles_difficulty")),
        sa.CheckConstraint(SOURCE, name=op.f("ck_puzzles_source")),
    )
    op.create_index("ix_puzzles_difficulty_id", "puzzles", ["difficulty", "id"])
    op.create_index("ix_puzzles_game_difficulty_id", "puzzles", ["game", "difficulty", "id"])
    op.create_index("ix_puzzles_match", "puzzles", ["match"])
    op.create_table(
        "puzzle_attempts",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("solved_at", sa.String(27)),
        sa.Column("shown_at", sa.String(27)),
        sa.PrimaryKeyConstraint("player", "puzzle", name="pk_puzzle_attempts"),
        sa.ForeignKeyConstraint(
            ["player"], ["players.id"], name=op.f("fk_puzzle_attempts_player_players")
        ),
        sa.ForeignKeyConstraint(
            ["puzzle"], ["puzzles.id"], name=op.f("fk_puzzle_attempts_puzzle_puzzles")
        ),
        sa.CheckConstraint("wrong >= 0", name=op.f("ck_puzzle_attempts_wrong")),
    )
    op.create_table(
        "puzzle_searches",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("method", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_puzzle_searches"),
    )


def downgrade() -> None:
    """Remove them; puzzles can be found anew, what was solved is gone."""
    for name in ("puzzle_searches", "puzzle_attempts", "puzzles"):
        op.drop_table(name)
