"""``plybook db``: the schema of the database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click
from typing_extensions import override

from cli.terminal.exits import USAGE, Failure, tell_line
from cli.terminal.groups import LazyGroup
from cli.terminal.options import database_option, examples

if TYPE_CHECKING:
    from services.container import House


@click.group(
    cls=LazyGroup,
    lazy={
        "upgrade": "cli.commands.db:upgrade",
        "downgrade": "cli.commands.db:downgrade",
        "current": "cli.commands.db:current",
        "check": "cli.commands.db:check",
        "rebuild": "cli.commands.rebuilding:rebuild",
        "grant": "cli.commands.granting:grant",
    },
    epilog=examples("plybook db upgrade"),
)
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


@click.command(
    epilog=examples("plybook db upgrade", "plybook --database /srv/plybook.sqlite3 db upgrade")
)
@click.argument("revision", default="head")
@database_option
def upgrade(*, revision: str, database: str | None) -> None:
    """Bring the schema up to REVISION, or to the newest.

    Makes the database where there is none yet. Where a step asks for it, lists and
    snapshots are made anew behind it, as by `plybook db rebuild`: a service may run by
    then, and Ctrl-C leaves the rest for later.
    """
    from cli.commands.rebuilding import make_anew_if_asked
    from cli.container import opened, settings_of
    from services.store import schema

    url = settings_of(database).database_url
    with sentences():
        schema.upgrade(url, revision)
        _say_where(url)
        newest = schema.current(url) == schema.HEAD
    if newest:
        with opened(database) as house:
            make_anew_if_asked(house)


class _Steps(click.Command):
    """A command whose argument may be a number of steps down, ``-1``, which is no option."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; a negative number goes behind what ends the options."""
        steps = [word for word in args if re.fullmatch(r"-[0-9]+", word)]
        others = [word for word in args if word not in steps]
        return super().parse_args(ctx, [*others, "--", *steps] if steps else args)


@click.command(cls=_Steps, epilog=examples("plybook db downgrade 0002", "plybook db downgrade -1"))
@click.argument("revision")
@click.option("--destroy-events", is_flag=True, help="Also where that drops recorded events.")
@database_option
def downgrade(*, revision: str, destroy_events: bool, database: str | None) -> None:
    """Take the schema down to REVISION.

    `base` leaves nothing, -1 is one step. Refused where recorded events would be lost,
    unless --destroy-events is given.
    """
    from cli.container import settings_of
    from services.store import schema

    url = settings_of(database).database_url
    with sentences():
        schema.downgrade(url, revision, destroy_events=destroy_events)
        _say_where(url)


@click.command(epilog=examples("plybook db current"))
@database_option
def current(*, database: str | None) -> None:
    """Say which revision the schema is at."""
    from cli.container import settings_of

    with sentences():
        _say_where(settings_of(database).database_url)


@click.command(epilog=examples("plybook db check || plybook db upgrade", "plybook db check --all"))
@click.option(
    "--sample",
    metavar="N",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    help="Of so many matches the caches are compared with the events.",
)
@click.option("--all", "everything", is_flag=True, help="Of all matches.")
@database_option
def check(*, sample: int, everything: bool, database: str | None) -> None:
    """Check that the schema is the one of this release, and what is made of the events.

    Exit code 1 if it is not. Tables, columns, indexes, constraints and the triggers that
    keep events from being changed are compared with what this release works with, and of
    some matches, chosen by lot, lists and snapshots with the events; of checkpoints' tree
    some inner nodes with its leaves. Every difference is told in a line.
    """
    from cli.commands.granting import require_grants
    from cli.container import opened
    from services.store import schema

    with opened(database) as house:
        shown = house.database.shown_url
        found = schema.differences(house.database)
        for difference in found:
            tell_line(difference)
        if found:
            raise Failure(f"{shown} is not as this release made it.")
        tell_line(f"{shown} has the schema of this release.")
        require_grants(house.database)
        if _caches_differ(house, 2**31 if everything else sample):
            raise Failure("Caches differ from the events. To make them anew: plybook db rebuild")


def _caches_differ(house: House, sample: int) -> bool:
    """Compare caches, tell what differs, and say whether anything does."""
    from cli.terminal.output import counting

    found = False
    with counting("matches") as counted:
        for difference in house.rebuilding.differences(sample, counted.told):
            found = True
            counted.aside(partial(tell_line, difference))
    return found


def _say_where(url: str) -> None:
    from services.store import schema
    from services.store.db.engine import Database

    found = schema.current(url)
    at = "empty" if found is None else f"at {found}"
    newest = " (the newest)" if found == schema.HEAD else f"; the newest is {schema.HEAD}"
    tell_line(f"{Database(url).shown_url} is {at}{newest}")
