"""The language in which a player reads pages and mails, and names of webhooks and browsers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Add the columns; nobody has chosen anything yet."""
    op.add_column("profiles", sa.Column("language", sa.String(16)))
    op.add_column("notice_channels", sa.Column("name", sa.Text()))


def downgrade() -> None:
    """Remove them, and former addresses: an earlier release knows none, and would ask for them."""
    former = "SELECT id FROM notice_channels WHERE kind = 'former-email'"
    op.execute(f"DELETE FROM notice_deliveries WHERE channel IN ({former})")  # noqa: S608
    op.execute("DELETE FROM notice_channels WHERE kind = 'former-email'")
    op.drop_column("notice_channels", "name")
    op.drop_column("profiles", "language")
