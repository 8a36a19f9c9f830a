"""What a step asks before it takes back something that cannot be made anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError


def must_be_allowed(loss: str, *rows: str) -> None:
    """Refuse to lose rows, unless whoever asks has said that it may be. Raises ``CommandError``.

    ``loss``: what would happen, in a sentence. ``rows``: SQL for what would be lost, from ``FROM``
    on.
    """
    if context.get_x_argument(as_dictionary=True).get("destroy_events") == "yes":
        return
    if any(op.get_bind().scalar(sa.text(f"SELECT count(*) {one}")) for one in rows):
        raise CommandError(
            f"{loss} If that is what you want, say so: plybook db downgrade REVISION "
            "--destroy-events (with Alembic: -x destroy_events=yes)."
        )
