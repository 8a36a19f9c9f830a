"""``plybook db grant``: what the role of a service may do on PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.terminal.exits import Failure, tell_line
from cli.terminal.options import database_option, examples

if TYPE_CHECKING:
    from services.store.db.engine import Database


@click.command(
    epilog=examples("plybook db grant plybook_service", "plybook db grant auditor --read-only")
)
@click.argument("role")
@click.option("--read-only", is_flag=True, help="Only what reading needs: verify, export, replay.")
@database_option
def grant(*, role: str, read_only: bool, database: str | None) -> None:
    """Allow a ROLE of PostgreSQL what a service needs, and no more.

    It may then read all tables and change what changes, but only add to the events,
    and to the leaves, checkpoints and keys. Do it as the role that owns the tables, and
    again after each upgrade that makes new ones. What the ROLE was allowed before of
    these tables and does not need is taken from it.
    """
    from cli.container import opened
    from services.store import schema

    with opened(database) as house:
        if house.database.sqlite:
            raise Failure("SQLite knows no roles: whoever may write the file may do everything.")
        with house.database.write() as connection:
            schema.grant(connection, role, read_only=read_only)
        does = "read" if read_only else "read and play"
        tell_line(f"{role} may {does} in {house.database.shown_url}.")


def require_grants(database: Database) -> None:
    """Fail, and say what to do, where the role that is connected lacks a right of a service."""
    from sqlalchemy import make_url

    from services.store import schema

    with database.read() as connection:
        lacks = schema.missing(connection)
    if lacks:
        role = make_url(database.url).username or "ROLE"
        raise Failure(
            f"The database {database.shown_url} does not allow {', '.join(lacks)}. The role that "
            f"owns its tables can: plybook db grant {role}"
        )
