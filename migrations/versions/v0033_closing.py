"""When an account is to be deleted whose player has asked for it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Make the column, and the index by which the worker finds what is due."""
    op.add_column("players", sa.Column("closes_at", sa.String(27)))
    due = sa.text("closes_at IS NOT NULL")
    op.create_index(
        "ix_players_closes_at", "players", ["closes_at"], sqlite_where=due, postgresql_where=due
    )


def downgrade() -> None:
    """Remove it: who has asked for it keeps the account."""
    op.drop_index("ix_players_closes_at", table_name="players")
    op.drop_column("players", "closes_at")
