"""Lists know which match of which series a match is.

No match that is there is of one, so there is nothing to be made anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

FIRST = (
    ("ix_matches_series_created_at", ["created_at", "id"]),
    ("ix_matches_series_game", ["game", "created_at", "id"]),
    ("ix_matches_series_seat_1", ["seat_1", "created_at", "id"]),
    ("ix_matches_series_seat_2", ["seat_2", "created_at", "id"]),
)


def upgrade() -> None:
    """Add the columns, and find series by their first matches."""
    op.add_column("matches", sa.Column("series", sa.String(16)))
    op.add_column("matches", sa.Column("number", sa.Integer))
    _index("ix_matches_series_number", ["series", "number"], "series IS NOT NULL")
    for name, columns in FIRST:
        _index(name, columns, "number = 1")


def _index(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        name, "matches", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )


def downgrade() -> None:
    """Take them away."""
    for name in ("ix_matches_series_number", *(name for name, _ in FIRST)):
        op.drop_index(name, table_name="matches")
    op.drop_column("matches", "number")
    op.drop_column("matches", "series")
