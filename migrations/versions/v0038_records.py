"""Sums of what players have won, lost and drawn; matches tell whether they are in there.

None is yet. The worker adds all there are. Meanwhile records are right, and as slow as before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

WAITS = "status = 'finished' AND visibility = 'public' AND counted = false"
SEATS = ("seat_1", "seat_2")


def upgrade() -> None:
    """Make the table, and add the column and its indexes."""
    op.create_table(
        "records",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player", "game", name="pk_records"),
    )
    op.add_column(
        "matches",
        sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.text("false")),
    )
    for seat in SEATS:
        op.create_index(
            f"ix_matches_uncounted_{seat}",
            "matches",
            ["counted", seat],
            sqlite_where=sa.text(WAITS),
            postgresql_where=sa.text(WAITS),
        )


def downgrade() -> None:
    """Take it away: an earlier release counts matches whenever it is asked."""
    for seat in SEATS:
        op.drop_index(f"ix_matches_uncounted_{seat}", table_name="matches")
    op.drop_column("matches", "counted")
    op.drop_table("records")
