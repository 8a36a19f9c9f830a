"""Whether a line answers a move is looked up by a key; who may append past lines is a constraint.

``conditional_keys`` has a digest of each move that a seat's lines begin with. ``matches.guard`` is
2 for nobody: an append that would leave stored lines behind breaks the constraint by that value.
"""

from __future__ import annotations

import json
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Make the table, fill it, and add the guard."""
    keys = op.create_table(
        "conditional_keys",
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", "key", name="pk_conditional_keys"),
    )
    connection = op.get_bind()
    stored = connection.execute(
        sa.text('SELECT "match", seat, lines FROM conditional_moves WHERE pending')
    )
    rows = [
        {"match": match, "seat": seat, "key": key}
        for match, seat, lines in stored
        for key in {_key(line["if"]) for line in json.loads(bytes(lines))}
    ]
    if rows:
        op.bulk_insert(keys, rows)
    op.execute(
        "ALTER TABLE matches ADD COLUMN guard INTEGER DEFAULT 0 NOT NULL "
        "CONSTRAINT ck_matches_lines_followed CHECK (guard IN (0, 1))"
    )


def downgrade() -> None:
    """Remove both."""
    # The constraint goes with its column.
    op.execute("ALTER TABLE matches DROP COLUMN guard")
    op.drop_table("conditional_keys")


def _key(move: object) -> str:
    written = json.dumps(move, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(written.encode()).hexdigest()
