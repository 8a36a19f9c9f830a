"""When time alone ends a match, who is on vacation, and which process does a chore."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from alembic import op

from migrations.loss import must_be_allowed

revision = "0009"
down_revision = "0008"

OPEN_FOR, CHALLENGE_FOR = timedelta(days=60), timedelta(days=14)
"""How long matches waited for their second player when this step was written."""
CHALLENGE_FOR = timedelta(days=14)
"""And how long a challenge waited for the player who was challenged."""


def upgrade() -> None:
    """Make column and tables; matches that are open get the instant at which they lapse."""
    op.add_column("matches", sa.Column("deadline", sa.String(27)))
    there = sa.text("deadline IS NOT NULL")
    op.create_index(
        "ix_matches_deadline_id",
        "matches",
        ["deadline", "id"],
        sqlite_where=there,
        postgresql_where=there,
    )
    _give_open_matches_a_deadline()
    _create_vacations()
    op.create_table(
        "leases",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until", sa.String(27), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def _create_vacations() -> None:
    op.create_table(
        "vacations",
        sa.Column("player", sa.String(18), nullable=False),
        sa.Column("started_at", sa.String(27), nullable=False),
        sa.Column("ends_at", sa.String(27), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player", "started_at", name="pk_vacations"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_vacations_player_players"),
        sa.CheckConstraint("days >= 1", name=op.f("ck_vacations_days")),
    )
    op.create_index("ix_vacations_ends_at", "vacations", ["ends_at"])


def _give_open_matches_a_deadline() -> None:
    connection = op.get_bind()
    names = ("id", "status", "opponent", "created_at", "deadline")
    matches = sa.table("matches", *map(sa.column, names))
    opened = sa.select(matches.c.id, matches.c.opponent, matches.c.created_at)
    for match, opponent, created_at in connection.execute(
        opened.where(matches.c.status == "open")
    ).all():
        waits = OPEN_FOR if opponent is None else CHALLENGE_FOR
        lapses = datetime.fromisoformat(created_at) + waits
        connection.execute(
            sa.update(matches)
            .where(matches.c.id == match)
            .values(deadline=lapses.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
        )


def downgrade() -> None:
    """Remove them, unless that would lose vacations and nobody has said that it may."""
    must_be_allowed(
        "This would destroy what players have taken of their vacations.", "FROM vacations"
    )
    op.drop_table("leases")
    op.drop_table("vacations")
    op.drop_index("ix_matches_deadline_id", "matches")
    op.drop_column("matches", "deadline")
