"""What a name has in common with those that look like it, for whoever signs up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

COMMON = str.maketrans({"1": "l", "I": "l", "0": "o", "m": "rn", "w": "vv"})
"""What looked like what when this step was written."""


def upgrade() -> None:
    """Make the column and fill it. Names that look like each other already stay.

    Of a closed account only the folded name is left.
    """
    op.add_column(
        "players",
        sa.Column("skeleton", sa.String(48), nullable=False, server_default=sa.text("''")),
    )
    table = sa.table(
        "players", *(sa.column(name) for name in ("id", "name", "key", "closed_at", "skeleton"))
    )
    connection = op.get_bind()
    found = connection.execute(
        sa.select(table.c.id, table.c.name, table.c.key, table.c.closed_at)
    ).all()
    filled = [
        {"player": one.id, "filled": _skeleton(one.name if one.closed_at is None else one.key)}
        for one in found
    ]
    if filled:
        change = sa.update(table).where(table.c.id == sa.bindparam("player"))
        connection.execute(change.values(skeleton=sa.bindparam("filled")), filled)
    op.create_index("ix_players_skeleton", "players", ["skeleton"])


def downgrade() -> None:
    """Remove it; it is made from the names."""
    op.drop_index("ix_players_skeleton", "players")
    op.drop_column("players", "skeleton")


def _skeleton(name: str) -> str:
    return name.translate(COMMON).casefold()
