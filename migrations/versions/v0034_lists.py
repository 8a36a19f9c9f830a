"""Lists are read by an index each; a series' first match knows what all of it is up to.

A series has one rematch, whichever of its matches asks. Rematches were kept by the match behind
which they were asked for. Of those of one series that which came last stays.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

SETTLE = """
UPDATE matches SET series_status = coalesce((SELECT one.status FROM matches AS one
WHERE one.series = matches.series AND one.status <> 'finished' ORDER BY one.number LIMIT 1),
'finished') WHERE series = id AND number = 1
"""
FIND_REMATCHES = """
SELECT asked.series, asked.id, kept.rematch FROM rematches AS kept
JOIN matches AS asked ON asked.id = kept."match"
JOIN matches AS again ON again.id = kept.rematch
WHERE asked.series IS NOT NULL ORDER BY again.created_at, again.id
"""
BY_CREATION = ("game", "status", "seat_1", "seat_2")
STATUS = "ix_matches_series_status"
OF_SERIES = {"created_at": [], "game": ["game"], "seat_1": ["seat_1"], "seat_2": ["seat_2"]}
BY_STATUS = {"status": ["series_status"], "game_status": ["game", "series_status"]}


def upgrade() -> None:
    """Add the column, fill it, and make the indexes."""
    op.add_column("matches", sa.Column("series_status", sa.String(16)))
    op.execute(SETTLE)
    op.drop_index(STATUS, table_name="matches")
    for name, columns in OF_SERIES.items():
        op.drop_index(f"ix_matches_series_{name}", table_name="matches")
        _of_series(name, "number", *columns)
    for name, columns in BY_STATUS.items():
        _of_series(name, "number", *columns)
    for name in BY_CREATION:
        columns = [name, "created_at", "id"]
        op.create_index(f"ix_matches_{'_'.join(columns)}", "matches", columns)
    _keep_by_series()


def _keep_by_series() -> None:
    connection = op.get_bind()
    found = connection.execute(sa.text(FIND_REMATCHES)).all()
    for _, match, _ in found:
        connection.execute(sa.text('DELETE FROM rematches WHERE "match" = :m'), {"m": match})
    for series, rematch in {series: rematch for series, _, rematch in found}.items():
        values = {"m": series, "r": rematch}
        connection.execute(sa.text("INSERT INTO rematches VALUES (:m, :r)"), values)


def _of_series(name: str, *columns: str) -> None:
    _index(f"ix_matches_series_{name}", [*columns, "created_at", "id"], "number = 1")


def _index(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        name, "matches", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )


def downgrade() -> None:
    """Take it away. Rematches of series stay where they are: with their first matches."""
    for name in BY_CREATION:
        op.drop_index(f"ix_matches_{name}_created_at_id", table_name="matches")
    for name in (*OF_SERIES, *BY_STATUS):
        op.drop_index(f"ix_matches_series_{name}", table_name="matches")
    for name, columns in OF_SERIES.items():
        _of_series(name, *columns)
    op.drop_column("matches", "series_status")
    _index(STATUS, ["status", "series"], "series IS NOT NULL")
