"""Display names are found by how they begin: PostgreSQL needs the order of bytes for that."""

from __future__ import annotations

from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Give the column its collation; its index is made anew with it."""
    _collate('"C"')


def downgrade() -> None:
    """Sort as the database does."""
    _collate('"default"')


def _collate(collation: str) -> None:
    # SQLite sorts by bytes anyway.
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE profiles ALTER skeleton TYPE VARCHAR(255) COLLATE {collation}")
