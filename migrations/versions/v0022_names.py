"""Folded names are sorted by their bytes, so that an index finds those that begin alike.

SQLite sorts so already. PostgreSQL sorts as the database's language has it unless it is told.
"""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Give the column its collation; the index of its constraint is made anew with it."""
    _collate('"C"')


def downgrade() -> None:
    """Sort by the language of the database again."""
    _collate('"default"')


def _collate(collation: str) -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute(f'ALTER TABLE players ALTER COLUMN "key" TYPE VARCHAR(24) COLLATE {collation}')
