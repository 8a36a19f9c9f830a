"""Ratings: what each match did, what players have, how far that has come; ranges of open matches.

Whoever played before could not know that it would count. So matches that were created before this
step do not; in an empty database there are none.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

NUMBERS = ("rating", "deviation", "volatility")


def upgrade() -> None:
    """Make the tables."""
    position = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    before_and_after = [
        sa.Column(f"{name}_{when}", sa.Integer, nullable=False)
        for when in ("before", "after")
        for name in NUMBERS
    ]
    op.create_table(
        "rating_changes",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("opponent", sa.String(18), nullable=False),
        sa.Column("leaf", position, nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("winner", sa.Integer),
        *before_and_after,
        sa.PrimaryKeyConstraint("match", "seat", name="pk_rating_changes"),
        sa.CheckConstraint("seat IN (1, 2)", name=op.f("ck_rating_changes_seat")),
        sa.CheckConstraint("winner IN (1, 2)", name=op.f("ck_rating_changes_winner")),
    )
    op.create_index(
        "ix_rating_changes_player_game_leaf",
        "rating_changes",
        ["player", "game", "leaf"],
        unique=True,
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("player", sa.String(18), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in NUMBERS),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("last_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("game", "player", name="pk_ratings"),
        sa.CheckConstraint("matches >= 1", name=op.f("ck_ratings_matches")),
    )
    op.create_index("ix_ratings_game_rating_player", "ratings", ["game", "rating", "player"])
    op.create_index("ix_ratings_player", "ratings", ["player"])
    _make_progress(position)
    op.create_table(
        "rating_ranges",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("least", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_rating_ranges"),
        sa.CheckConstraint("least <= most", name=op.f("ck_rating_ranges_least")),
    )


def _make_progress(position: sa.types.TypeEngine[int]) -> None:
    table = op.create_table(
        "rating_progress",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("next_leaf", position, nullable=False),
        sa.Column("since", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rating_progress"),
        sa.CheckConstraint("id = 1", name=op.f("ck_rating_progress_one")),
        sa.CheckConstraint("next_leaf >= 0", name=op.f("ck_rating_progress_next_leaf")),
    )
    played = op.get_bind().execute(sa.text("SELECT 1 FROM events LIMIT 1")).first()
    since = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}" if played else ""
    op.execute(sa.insert(table).values(id=1, next_leaf=0, since=since))


def downgrade() -> None:
    """Remove them. What was asked for of those who join open matches is gone."""
    for name in ("rating_ranges", "rating_progress", "ratings", "rating_changes"):
        op.drop_table(name)
