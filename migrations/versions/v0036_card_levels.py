"""Ratings of the card game are made anew: its house players are rated by 200 matches a pairing.

What they were rated by before were 10 and 145. Ratings of people who played against them rest on
that, and on these those of whom they played against later.
"""

from __future__ import annotations

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Ask for a rebuild, where a card match was rated."""
    op.execute(
        "INSERT INTO rebuild (id, after, since) SELECT 1, '', '0036' "
        "WHERE EXISTS (SELECT 1 FROM rating_changes WHERE game = 'power-lines') "
        "ON CONFLICT (id) DO UPDATE SET after = excluded.after, since = excluded.since"
    )


def downgrade() -> None:
    """Leave ratings as they are: an earlier release makes them anew by `plybook db rebuild`."""
