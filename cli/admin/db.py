"""``plybook db``: the schema of a database, what a service may do in it, caches made anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from typing_extensions import override

from cli.container import on_database, open_services, read_settings
from cli.terminal.exits import BROKEN, STOPPED, USAGE, Failure, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import database_option, format_examples

if TYPE_CHECKING:
    from services.container import Services
    from services.store.db.engine import Database


@click.group(cls=LazyGroup, epilog=format_examples("plybook db upgrade"))
def db() -> None:
    """Create the database, and bring its schema up or down."""


@contextmanager
def sentences() -> Iterator[None]:
    """Turn what the schema refuses into failures."""
    from services.store.schema import MigrationRefused, SchemaNotAtHead

    try:
        yield
    except (MigrationRefused, SchemaNotAtHead) as refused:
        raise Failure(str(refused)) from refused
    except ValueError as error:
        raise Failure(str(error), USAGE) from error


@db.command(
    epilog=format_examples(
        "plybook db upgrade", "plybook --database /srv/plybook.sqlite3 db upgrade"
    )
)
@click.argument("revision", default="head")
@database_option
def upgrade(*, revision: str, database: str | None) -> None:
    """Bring the schema up to REVISION, or to the newest.

    Makes the database where there is none yet. Where a step asks for it, lists and
    snapshots are made anew behind it, as by `plybook db rebuild`: a service may run by
    then, and Ctrl-C leaves the rest for later.
    """
    from services.store import schema

    url = read_settings(database).database_url
    with sentences():
        schema.upgrade(url, revision)
        _say_where(url)
        newest = schema.find_current(url) == schema.HEAD
    if newest:
        with open_services(database) as house:
            make_anew_if_asked(house)


class _Steps(click.Command):
    """A command whose argument may be a number of steps down, ``-1``, which is no option."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; a negative number goes behind what ends the options."""
        steps = [word for word in args if re.fullmatch(r"-[0-9]+", word)]
        others = [word for word in args if word not in steps]
        return super().parse_args(ctx, [*others, "--", *steps] if steps else args)


@db.command(
    cls=_Steps, epilog=format_examples("plybook db downgrade 0002", "plybook db downgrade -1")
)
@click.argument("revision")
@click.option("--destroy-events", is_flag=True, help="Also where that drops recorded events.")
@database_option
def downgrade(*, revision: str, destroy_events: bool, database: str | None) -> None:
    """Take the schema down to REVISION.

    `base` leaves nothing, -1 is one step. Refused where recorded events would be lost,
    unless --destroy-events is given.
    """
    from services.store import schema

    url = read_settings(database).database_url
    with sentences():
        schema.downgrade(url, revision, destroy_events=destroy_events)
        _say_where(url)


@db.command(epilog=format_examples("plybook db current"))
@database_option
def current(*, database: str | None) -> None:
    """Say which revision the schema is at."""
    with sentences():
        _say_where(read_settings(database).database_url)


@db.command(
    epilog=format_examples("plybook db check || plybook db upgrade", "plybook db check --all")
)
@click.option(
    "--sample",
    metavar="N",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    help="Of so many matches the caches are compared with the events.",
)
@click.option("--all", "everything", is_flag=True, help="Of all matches.")
@on_database
def check(*, sample: int, everything: bool, house: Services) -> None:
    """Check that the schema is the one of this release, and what is made of the events.

    Exit code 1 if it is not. Tables, columns, indexes, constraints and the triggers that
    keep events from being changed are compared with what this release works with, and of
    some matches, chosen by lot, lists, snapshots and ratings with the events; of
    checkpoints' tree some inner nodes with its leaves; records with the lists. Every
    difference is told in a line.
    """
    from services.store import schema

    shown = house.database.shown_url
    found = schema.list_differences(house.database)
    for difference in found:
        tell_line(difference)
    if found:
        raise Failure(f"{shown} is not as this release made it.")
    tell_line(f"{shown} has the schema of this release.")
    require_grants(house.database)
    if _caches_differ(house, 2**31 if everything else sample):
        raise Failure("Caches differ from the events. To make them anew: plybook db rebuild")


def _caches_differ(house: Services, sample: int) -> bool:
    """Compare caches, tell what differs, and say whether anything does."""
    from cli.terminal.output import counting

    found = False
    with counting("matches") as counted:
        for difference in house.rebuilding.iter_differences(sample, counted.show_count):
            found = True
            counted.run_aside(tell_line, difference)
    return found


def _say_where(url: str) -> None:
    from services.store import schema
    from services.store.db.engine import Database

    found = schema.find_current(url)
    at = "empty" if found is None else f"at {found}"
    newest = " (the newest)" if found == schema.HEAD else f"; the newest is {schema.HEAD}"
    tell_line(f"{Database(url).shown_url} is {at}{newest}")


@db.command(epilog=format_examples("plybook db rebuild", "plybook db rebuild --anew"))
@click.option("--anew", is_flag=True, help="From the first match on, not where one was stopped.")
@on_database
def rebuild(*, anew: bool, house: Services) -> None:
    """Make lists, snapshots, ratings, records and checkpoints' inner nodes anew.

    All of it follows from the events and from the tree's leaves, which are never
    changed; nor are checkpoints. `plybook serve` may run meanwhile. Stopped by Ctrl-C,
    it goes on there when it is called again. Exit code 3 if events of a match cannot be
    read: its caches stay as they are.
    """
    make_anew(house, anew=anew)


def make_anew_if_asked(house: Services) -> None:
    """Make caches anew where a step of the schema asks for it, or a rebuild was stopped."""
    if house.rebuilding.find_waiting() is not None:
        tell_line("Lists and snapshots are made anew from the events:", err=True)
        make_anew(house)


def make_anew(house: Services, *, anew: bool = False) -> None:
    """Make caches anew, with what it comes to in words."""
    from cli.terminal.output import counting

    matches, changed, broken = 0, 0, 0
    after = "" if anew else house.rebuilding.find_waiting()
    if after:
        tell_line(f"Going on behind the match {after}.", err=True)
    try:
        with counting("matches") as counted:
            for part in house.rebuilding.run(anew=anew):
                matches, changed = matches + part.matches, changed + part.changed
                broken += len(part.broken)
                for match, reason in part.broken:
                    told = f"{match} is left as it is: {reason}."
                    counted.run_aside(tell_line, told)
                counted.show_count(matches)
    except KeyboardInterrupt:
        tell_line(f"Stopped after {_format_count(matches)}. To go on: plybook db rebuild", err=True)
        sys.exit(STOPPED)
    told = (
        f"{_format_count(matches)} made anew; {changed:,} rows and nodes were not as they are now."
    )
    tell_line(told)
    if broken:
        sys.exit(BROKEN)


def _format_count(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


@db.command(
    epilog=format_examples(
        "plybook db grant plybook_service", "plybook db grant auditor --read-only"
    )
)
@click.argument("role")
@click.option("--read-only", is_flag=True, help="Only what reading needs: verify, export, replay.")
@on_database
def grant(*, role: str, read_only: bool, house: Services) -> None:
    """Allow a ROLE of PostgreSQL what a service needs, and no more.

    It may then read all tables and change what changes, but only add to the events,
    and to the leaves, checkpoints and keys. Do it as the role that owns the tables, and
    again after each upgrade that makes new ones. What the ROLE was allowed before of
    these tables and does not need is taken from it.
    """
    from services.store import schema

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
        lacks = schema.list_missing_rights(connection)
    if lacks:
        role = make_url(database.url).username or "ROLE"
        raise Failure(
            f"The database {database.shown_url} does not allow {', '.join(lacks)}. The role that "
            f"owns its tables can: plybook db grant {role}"
        )
