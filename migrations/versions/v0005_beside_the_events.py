"""What players keep beside a match: conditional moves, notes, chat.

``matches.conditional`` says that a seat has conditional moves, so that a move need not look for
them where there are none.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0005"
down_revision = "0004"

KEPT = ("conditional_moves", "notes", "chat_messages")
"""What cannot be made anew."""


def upgrade() -> None:
    """Make the tables."""
    op.add_column(
        "matches",
        sa.Column("conditional", sa.Boolean(), nullable=False, server_default=sa.text("false")),
    )
    _conditional_moves()
    _conditional_happenings()
    _notes()
    _chat()


def _conditional_moves() -> None:
    op.create_table(
        "conditional_moves",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Boolean(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.Column("updated_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_conditional_moves"),
        sa.CheckConstraint("seat IN (1, 2)", name=op.f("ck_conditional_moves_seat")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_conditional_moves_version")),
    )


def _conditional_happenings() -> None:
    op.create_table(
        "conditional_happenings",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
        sa.Column("detail", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "number", name="pk_conditional_happenings"),
        sa.CheckConstraint("seat IN (1, 2)", name=op.f("ck_conditional_happenings_seat")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_conditional_happenings_number")),
    )


def _notes() -> None:
    op.create_table(
        "notes",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("player", "match", "version", name="pk_notes"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_notes_player_players"),
        sa.CheckConstraint("version >= 0", name=op.f("ck_notes_version")),
    )


def _chat() -> None:
    op.create_table(
        "chat_messages",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("room", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("at", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("match", "room", "number", name="pk_chat_messages"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_chat_messages_player_players"),
        sa.CheckConstraint("room IN ('players', 'spectators')", name=op.f("ck_chat_messages_room")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_chat_messages_number")),
    )
    op.create_index("ix_chat_messages_player_at", "chat_messages", ["player", "at"])


def downgrade() -> None:
    """Remove them, unless that would lose what people wrote and nobody has said that it may."""
    for name in KEPT:
        must_be_allowed(f"This would destroy what people wrote ({name}).", f"FROM {name}")
    for name in ("chat_messages", "notes", "conditional_happenings", "conditional_moves"):
        op.drop_table(name)
    op.drop_column("matches", "conditional")
