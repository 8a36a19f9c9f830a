"""The schema of a database: which step it is at, steps up and down, guards, who may what.

Alembic finds what sets a schema apart from the tables here, as what would have to be done to the
database; it is told as what is wrong with it. Alembic looks neither at the triggers that make
tables append-only (law 4) nor at the conditions on rows, and whoever wants to rewrite a match has
to get rid of these first: they are compared with how they were made.

On PostgreSQL the role that a service connects as may do no more than it needs. Tables that only
grow are added to and read; their owner alone could lift what guards them.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from os.path import exists
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import ProgrammingError

from services.errors import NotFound, NotGranted, Unavailable
from services.store.db.engine import Database, make_not_granted, normalize_url
from services.store.db.metadata import metadata
from services.store.db.postgres import NOT_GRANTED

_SQLITE = "SELECT name, tbl_name, sql, 1 FROM sqlite_master WHERE type = 'trigger'"
_POSTGRES = """
SELECT tgname, relname, prosrc, tgenabled IN ('O', 'A') FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""

_FIXED = {
    "events": "34d32e08c63f43c9",
    "moderation": "e2d564af4d808828",
    "checkpoint_leaves": "5ed0f74554db728e",
    "checkpoints": "5ed0f74554db728e",
    "signing_keys": "5ed0f74554db728e",
}
"""Tables that only grow, with the digest of what refuses anything else on PostgreSQL."""

APPEND_ONLY = tuple(_FIXED)
"""Tables whose rows are never changed or removed."""

TRIGGERS = {
    "sqlite": {
        "checkpoint_leaves.checkpoint_leaves_next": "0d61ecadc0bc04e2",
        "checkpoint_leaves.checkpoint_leaves_no_delete": "28d16c18641d50e1",
        "checkpoint_leaves.checkpoint_leaves_no_update": "b473ac021c8306cd",
        "checkpoints.checkpoints_next": "e2fb1385ab15ba31",
        "checkpoints.checkpoints_no_delete": "236af1040c63f689",
        "checkpoints.checkpoints_no_update": "ad8b03431a53fcec",
        "events.events_last_position": "1a83b2a578d18e93",
        "events.events_next_version": "538dd42f0049b45b",
        "events.events_no_delete": "2f6574a365425eba",
        "events.events_no_update": "a82791f204e46282",
        "moderation.moderation_next": "693d4b2c75714139",
        "moderation.moderation_no_delete": "1d2385594d16d3d7",
        "moderation.moderation_no_update": "ef507d5a421b629f",
        "signing_keys.signing_keys_next": "f4a2298ed89ec834",
        "signing_keys.signing_keys_no_delete": "5a3e5402c9575bea",
        "signing_keys.signing_keys_no_update": "55c701111c029c89",
    },
    "postgresql": {
        "checkpoint_leaves.checkpoint_leaves_next": "ab5ebd6f84d836bf",
        "checkpoints.checkpoints_next": "5a0f209cbd528b87",
        "events.events_next_version": "065e6851db6fff7b",
        "moderation.moderation_next": "5057368cacac22f6",
        "signing_keys.signing_keys_next": "f6db74856f8b1685",
        **{
            f"{table}.{table}_no_{change}": digest
            for table, digest in _FIXED.items()
            for change in ("update", "delete", "truncate")
        },
    },
}
"""Digests of what each trigger runs, by table and name, as the migrations make it."""


def list_triggers(connection: Connection) -> dict[str, str]:
    """Return the triggers that work on the tables of a database, as ``TRIGGERS`` has them."""
    asked = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES
    return {
        f"{table}.{name}": sha256(" ".join(body.split()).encode()).hexdigest()[:16]
        for name, table, body, works in connection.execute(sa.text(asked))
        if works
    }


def _check_triggers(connection: Connection) -> Iterator[str]:
    """Tell, a sentence each, which triggers are not as they were made."""
    found, made = list_triggers(connection), TRIGGERS[connection.dialect.name]
    for name in sorted(made.keys() | found.keys()):
        table, _, trigger = name.partition(".")
        told = f"The trigger {trigger} of the table {table}"
        if name not in found:
            yield f"{told} is missing, or switched off."
        elif name not in made:
            yield f"{told} should not be there."
        elif found[name] != made[name]:
            yield f"{told} does something else than it should."


def _check_conditions(connection: Connection) -> Iterator[str]:
    looking = sa.inspect(connection)
    for table in metadata.sorted_tables:
        if not looking.has_table(table.name):
            continue
        made = {str(one.name) for one in table.constraints if isinstance(one, sa.CheckConstraint)}
        found = {str(one["name"]) for one in looking.get_check_constraints(table.name)}
        for name in sorted(made - found):
            yield f"The condition {name} of the table {table.name} is missing."
        for name in sorted(found - made):
            yield f"The condition {name} of the table {table.name} should not be there."


_PARTS = {"fk": "foreign key"}
"""Alembic's short names of what belongs to a table."""


def tell_differences(found: Iterable[Any]) -> Iterator[str]:
    """Tell Alembic's differences, a sentence each.

    An entry is ``(operation, part)`` or, for a column, ``(operation, schema, table, column)``;
    the changes of one column come as a list of ``(operation, schema, table, column, more, has,
    should)``.
    """
    for entry in found:
        if isinstance(entry, list):
            yield from (_tell_changed(*change) for change in entry)
        else:
            yield _tell_lacking(*entry)


def _tell_lacking(operation: str, *parts: Any) -> str:  # noqa: ANN401 - parts of a schema
    verb, _, kind = operation.partition("_")
    what = parts[-1]
    if kind == "table":
        told = f"The table {what.name}"
    elif kind == "column":
        told = f"The column {parts[1]}.{what.name}"
    else:
        columns = ", ".join(column.name for column in what.columns)
        named = f" {what.name}" if what.name else ""
        told = f"The {_PARTS.get(kind, kind)}{named} over {columns} of the table {what.table.name}"
    return f"{told} is missing." if verb == "add" else f"{told} should not be there."


def _tell_changed(
    operation: str, _: object, table: str, column: str, __: object, has: object, should: object
) -> str:
    aspect = operation.removeprefix("modify_")
    return (
        f"The column {table}.{column} should have {aspect} {_format_value(should)}, "
        f"and has {_format_value(has)}."
    )


def _format_value(value: object) -> str:
    """Write a type, a truth or a default, whatever SQLAlchemy and SQLite put around it."""
    text = "none" if value is None else str(getattr(value, "arg", value)).lower()
    return text[1:-1] if text.startswith("(") else text


HEAD = "0045"
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
    database cannot be made or opened.
    """
    url = normalize_url(path_or_url)
    if url.startswith("sqlite"):
        _make_file(url)
    _migrate(url, lambda command, config: command.upgrade(config, revision))


def downgrade(path_or_url: str, revision: str, *, destroy_events: bool = False) -> None:
    """Take a database down to ``revision``; ``base`` leaves nothing.

    Raises ``MigrationRefused`` where events would be lost without ``destroy_events``, and for a
    revision that there is not; ``Unavailable`` when the database cannot be opened.
    """
    flags = ["destroy_events=yes"] if destroy_events else []
    _migrate(path_or_url, lambda command, config: command.downgrade(config, revision), flags)


def find_current(path_or_url: str) -> str | None:
    """Return the revision of a database, or None if it has none.

    Raises ``SchemaNotAtHead`` where there is no file, and ``Unavailable``.
    """
    database = Database(path_or_url)
    try:
        _require_a_file(database)
        return find_revision(database)
    finally:
        database.dispose()


def find_revision(database: Database) -> str | None:
    """Return the revision that a database is at, or None. Raises ``Unavailable``."""
    with database.read() as connection:
        if not sa.inspect(connection).has_table("alembic_version"):
            _require_a_schema(connection, database)
            return None
        found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        return found


def _require_a_schema(connection: Connection, database: Database) -> None:
    """Raise ``NotGranted`` where nothing is seen since nothing may be."""
    if database.sqlite or connection.scalar(sa.text("SELECT current_schema()")) is not None:
        return
    raise make_not_granted(database.shown_url, "the role may use none of its schemas")


def _require_a_file(database: Database) -> None:
    if database.sqlite and not exists(_parse_path(database.url)):  # noqa: PTH110 - Path's raises
        raise SchemaNotAtHead(
            f"There is no database {database.shown_url} yet. To make it, run: {UPGRADE}"
        )


def is_at_head(database: Database) -> bool:
    """Say whether the schema is that of this release. Raises ``Unavailable``."""
    return find_revision(database) == HEAD


def require_head(database: Database) -> None:
    """Raise ``SchemaNotAtHead`` unless the schema is that of this release.

    Raises ``Unavailable`` when the database cannot be asked.
    """
    _require_a_file(database)
    found = find_revision(database)
    if found != HEAD:
        at = "empty" if found is None else f"at schema {found}"
        raise SchemaNotAtHead(
            f"The database {database.shown_url} is {at}, and this release needs schema {HEAD}. "
            f"To bring it there, run: {UPGRADE}"
        )


def list_differences(database: Database) -> list[str]:
    """Say, a sentence each, how a database at the newest schema differs from the models.

    Tables, columns, indexes, constraints and triggers are compared. Raises ``SchemaNotAtHead``
    and ``Unavailable``.
    """
    # Only this and migrations need Alembic, which takes as long to import as all the rest.
    from alembic import command  # noqa: PLC0415
    from alembic.util import AutogenerateDiffsDetected  # noqa: PLC0415

    require_head(database)
    with database.read() as connection:
        guards = [*_check_triggers(connection), *_check_conditions(connection)]
        try:
            command.check(_make_config(connection))
        except AutogenerateDiffsDetected as found:
            return [*tell_differences(found.diffs), *guards]
        except ProgrammingError as error:
            if getattr(error.orig, "sqlstate", None) == NOT_GRANTED:
                raise
            # PostgreSQL itself compares defaults, and refuses where the types are too far apart.
            reason = str(error.orig).partition("\n")[0]
            return [f"A column's default is of another type than it should be: {reason}.", *guards]
    return guards


def _migrate(
    path_or_url: str, steps: Callable[[Any, Any], None], flags: list[str] | None = None
) -> None:
    # Alembic takes as long to import as all the rest, and only migrations need it.
    from alembic import command  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    database = Database(path_or_url)
    try:
        with database.migrate() as connection:
            if not database.sqlite:
                # On SQLite others who migrate wait for the transaction anyway.
                connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_ONE_AT_A_TIME})"))
            steps(command, _make_config(connection, flags))
            _check_references(connection)
    except CommandError as error:
        raise MigrationRefused(str(error)) from error
    except NotGranted as error:
        raise MigrationRefused(
            f"{error.reason.partition('. The role')[0]}. The schema is made and changed by the "
            "role that owns it."
        ) from error
    finally:
        database.dispose()


def _make_config(connection: Connection, flags: list[str] | None = None) -> Any:  # noqa: ANN401 - Alembic's
    """Configure Alembic to work over a connection, and to print nothing."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config(cmd_opts=Namespace(x=flags or []), stdout=StringIO())
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _check_references(connection: Connection) -> None:
    """See that no row lost the one it refers to while SQLite was not looking."""
    if connection.dialect.name == "sqlite":
        broken = connection.execute(sa.text("PRAGMA foreign_key_check")).first()
        if broken is not None:
            raise MigrationRefused(f"A row of {broken[0]} would refer to nothing: {broken}.")


def _parse_path(url: str) -> Path:
    return Path(sa.make_url(url).database or "")


def _make_file(url: str) -> None:
    path = _parse_path(url)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Passwords' digests and sealed secrets are in it: nobody else on the machine reads them.
        path.touch(mode=0o600)
    except OSError as error:
        raise Unavailable(f"The database {url} cannot be made: {error.strerror}.") from error


READ, ADD, CHANGE = ("SELECT",), ("SELECT", "INSERT"), ("SELECT", "INSERT", "UPDATE", "DELETE")

_ONLY_READ = ("alembic_version", "sealing")


def list_needed_rights(*, read_only: bool = False) -> dict[str, tuple[str, ...]]:
    """Return what a service's role has to be allowed of each table; ``read_only``: an auditor's."""
    tables = [*(table.name for table in metadata.sorted_tables), "alembic_version"]
    return {
        name: READ if read_only or name in _ONLY_READ else ADD if name in APPEND_ONLY else CHANGE
        for name in sorted(tables)
    }


def list_missing_rights(
    connection: Connection, role: str | None = None, *, read_only: bool = False
) -> list[str]:
    """Say what a role, by default the one that is connected, is not allowed and needs."""
    if connection.dialect.name == "sqlite":
        return []
    values = {"role": role or connection.scalar(sa.text("SELECT current_user"))}
    allowed = sa.text("SELECT has_table_privilege(:role, :table, :right)")
    return [
        f"{right} on {table}"
        for table, rights in list_needed_rights(read_only=read_only).items()
        for right in rights
        if not connection.scalar(allowed, {**values, "table": table, "right": right})
    ]


def grant(connection: Connection, role: str, *, read_only: bool = False) -> None:
    """Allow a role exactly what it needs of the tables there are.

    Raises ``NotFound`` for a role that there is not, and ``Unavailable`` for one that owns a table
    or is all-powerful, and where whoever is connected may not grant it.
    """
    _check_role(connection, role)
    quoted = connection.dialect.identifier_preparer.quote_identifier(role)
    schema = connection.scalar(sa.text("SELECT quote_ident(current_schema())"))
    connection.execute(sa.text(f"GRANT USAGE ON SCHEMA {schema} TO {quoted}"))
    for table, rights in list_needed_rights(read_only=read_only).items():
        connection.execute(sa.text(f"REVOKE ALL ON TABLE {table} FROM {quoted}"))
        connection.execute(sa.text(f"GRANT {', '.join(rights)} ON TABLE {table} TO {quoted}"))
    lacks = list_missing_rights(connection, role, read_only=read_only)
    if lacks:
        raise Unavailable(
            f"Only the role that owns the tables can allow this. {role} lacks: {', '.join(lacks)}."
        )


def _check_role(connection: Connection, role: str) -> None:
    found = connection.execute(
        sa.text("SELECT rolsuper FROM pg_roles WHERE rolname = :role"), {"role": role}
    ).one_or_none()
    if found is None:
        raise NotFound(f"PostgreSQL knows no role {role}. To make it: CREATE ROLE ... LOGIN")
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    owns = connection.scalar(sa.text(f"{tables} AND tableowner = :role"), {"role": role})
    if found[0] or owns:
        raise Unavailable(
            f"{role} owns the tables, or is a superuser: nothing can be kept from it, and it needs "
            "no grants. Let the service connect as another role."
        )
