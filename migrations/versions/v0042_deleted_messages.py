"""Messages that were deleted after a report: their text stays for administrators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Add when a message was deleted whose text is kept."""
    op.add_column("chat_messages", sa.Column("deleted_at", sa.String(27)))


def downgrade() -> None:
    """Remove the column, with the texts that would else be read again by everybody."""
    must_be_allowed(
        "This would destroy messages that are kept since they were reported.",
        "FROM chat_messages WHERE deleted_at IS NOT NULL",
    )
    op.execute("UPDATE chat_messages SET text = NULL WHERE deleted_at IS NOT NULL")
    op.drop_column("chat_messages", "deleted_at")
