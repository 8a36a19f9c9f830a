"""House players: accounts that nobody signs in to, one for each level."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

LEVELS = range(1, 6)
SINCE = "2026-11-29T00:00:00.000000Z"

_players = sa.table(
    "players",
    *(sa.column(name) for name in ("id", "name", "key", "password_hash", "created_at", "skeleton")),
)


def upgrade() -> None:
    """Add them. Their names have a colon, which nobody's name has."""
    op.bulk_insert(_players, [_player(level) for level in LEVELS])


def downgrade() -> None:
    """Remove them, with what an earlier release has kept of them."""
    ids = [_player(level)["id"] for level in LEVELS]
    op.execute(_players.delete().where(_players.c.id.in_(ids)))


def _player(level: int) -> dict[str, str | None]:
    name = f"house:{level}"
    return {
        "id": f"p_house{level:011}",
        "name": name,
        "key": name,
        "password_hash": None,
        "created_at": SINCE,
        "skeleton": name.replace("1", "l"),
    }
