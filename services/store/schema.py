"""The schema of a database: which step it is at, and the steps up and down (Alembic)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, make_url, text

from services.store.engine import Database, normal_url

HEAD = "0003"
"""The newest step. A test holds it to the migrations, so that a start need not load Alembic."""

UPGRADE = "plybook db upgrade"
"""The command that brings a database's schema to the newest."""

_ONE_AT_A_TIME = 0x706C7962
"""PostgreSQL's lock of whoever migrates: a number of ours."""


class SchemaNotAtHead(Exception):
    """The database is not at the schema of this release; the text says what to run."""


class MigrationRefused(Exception):
    """The steps asked for were not gone, and nothing has changed; the text says why."""


def upgrade(path_or_url: str, revision: str = "head") -> None:
    """Bring a database up to ``revision``; an SQLite file is made where there is none.

    All steps are one transaction. Raises ``MigrationRefused``, and ``Unavailable`` when the
    database cannot be opened.
    """
    url = normal_url(path_or_url)
    if url.startswith("sqlite"):
        _make_file(_path(url))
    _migrate(url, lambda command, config: command.upgrade(config, revision))


def downgrade(path_or_url: str, revision: str, *, destroy_events: bool = False) -> None:
    """Take a database down to ``revision``; ``base`` leaves nothing.

    Raises ``MigrationRefused`` where events would be lost without ``destroy_events``, and for a
    revision that there is not; ``Unavailable`` when the database cannot be opened.
    """
    flags = ["destroy_events=yes"] if destroy_events else []
    _migrate(path_or_url, lambda command, config: command.downgrade(config, revision), flags)


def current(path_or_url: str) -> str | None:
    """Return the revision of a database, or None if it has none. Raises ``Unavailable``."""
    database = Database(path_or_url)
    try:
        return revision(database)
    finally:
        database.dispose()


def revision(database: Database) -> str | None:
    """Return the revision that a database is at, or None. Raises ``Unavailable``."""
    with database.read() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found


def is_at_head(database: Database) -> bool:
    """Say whether the schema is that of this release. Raises ``Unavailable``."""
    return revision(database) == HEAD


def require_head(database: Database) -> None:
    """Raise ``SchemaNotAtHead`` unless the schema is that of this release.

    Raises ``Unavailable`` when the database cannot be asked.
    """
    if database.sqlite and not _path(database.url).exists():
        raise SchemaNotAtHead(
            f"There is no database {database.shown_url} yet. To make it, run: {UPGRADE}"
        )
    found = revision(database)
    if found != HEAD:
        at = "empty" if found is None else f"at schema {found}"
        raise SchemaNotAtHead(
            f"The database {database.shown_url} is {at}, and this release needs schema {HEAD}. "
            f"To bring it there, run: {UPGRADE}"
        )


def _migrate(
    path_or_url: str, steps: Callable[[Any, Any], None], flags: list[str] | None = None
) -> None:
    # Alembic takes as long to import as all the rest, and only migrations need it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config(cmd_opts=Namespace(x=flags or []))
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    database = Database(path_or_url)
    try:
        with database.migrate() as connection:
            _take_the_lock(connection)
            config.attributes["connection"] = connection
            steps(command, config)
            _check_references(connection)
    except CommandError as error:
        raise MigrationRefused(str(error)) from error
    finally:
        database.dispose()


def _take_the_lock(connection: Connection) -> None:
    """Make others who migrate wait; on SQLite they wait for the transaction anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_ONE_AT_A_TIME})"))


def _check_references(connection: Connection) -> None:
    """See that no row lost the one it refers to while SQLite was not looking."""
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).first()
        if broken is not None:
            raise MigrationRefused(f"A row of {broken[0]} would refer to nothing: {broken}.")


def _path(url: str) -> Path:
    return Path(make_url(url).database or "")


def _make_file(path: Path) -> None:
    # Passwords' digests and sealed secrets are in it: nobody else on the machine reads them.
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
