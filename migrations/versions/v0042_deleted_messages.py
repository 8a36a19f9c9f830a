"""Messages that were deleted after a report: their text stays for administrators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add when a message was deleted whose text is kept."""
    op.add_column("chat_messages", sa.Column("deleted_at", sa.String(27)))


def downgrade() -> None:
    """Remove the column, with the texts that would else be read again by everybody."""
    connection = op.get_bind()
    allowed = context.get_x_argument(as_dictionary=True).get("destroy_events") == "yes"
    kept = "FROM chat_messages WHERE deleted_at IS NOT NULL"
    if not allowed and connection.scalar(sa.text(f"SELECT count(*) {kept}")):
        raise CommandError(
            "This would destroy messages that are kept since they were reported. If that is what "
            "you want, say so: plybook db downgrade REVISION --destroy-events (with Alembic: "
            "-x destroy_events=yes)."
        )
    op.execute("UPDATE chat_messages SET text = NULL WHERE deleted_at IS NOT NULL")
    op.drop_column("chat_messages", "deleted_at")
