"""What the role that a service connects as may do on PostgreSQL: no more than it needs.

Tables that only grow are added to and read; their owner alone could lift what guards them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from services.errors import NotFound, Unavailable
from services.store.db.metadata import metadata
from services.store.guards import APPEND_ONLY

READ, ADD, CHANGE = ("SELECT",), ("SELECT", "INSERT"), ("SELECT", "INSERT", "UPDATE", "DELETE")

_ONLY_READ = ("alembic_version", "sealing")


def needed(*, read_only: bool = False) -> dict[str, tuple[str, ...]]:
    """Return what a service's role has to be allowed of each table; ``read_only``: an auditor's."""
    tables = [*(table.name for table in metadata.sorted_tables), "alembic_version"]
    return {
        name: READ if read_only or name in _ONLY_READ else ADD if name in APPEND_ONLY else CHANGE
        for name in sorted(tables)
    }


def missing(
    connection: Connection, role: str | None = None, *, read_only: bool = False
) -> list[str]:
    """Say what a role, by default the one that is connected, is not allowed and needs."""
    if connection.dialect.name == "sqlite":
        return []
    values = {"role": role or connection.scalar(text("SELECT current_user"))}
    allowed = text("SELECT has_table_privilege(:role, :table, :right)")
    return [
        f"{right} on {table}"
        for table, rights in needed(read_only=read_only).items()
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
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    for statement in _statements(quoted, str(schema), read_only=read_only):
        connection.execute(text(statement))
    lacks = missing(connection, role, read_only=read_only)
    if lacks:
        raise Unavailable(
            f"Only the role that owns the tables can allow this. {role} lacks: {', '.join(lacks)}."
        )


def _statements(role: str, schema: str, *, read_only: bool) -> Iterator[str]:
    yield f"GRANT USAGE ON SCHEMA {schema} TO {role}"
    for table, rights in needed(read_only=read_only).items():
        yield f"REVOKE ALL ON TABLE {table} FROM {role}"
        yield f"GRANT {', '.join(rights)} ON TABLE {table} TO {role}"


def _check_role(connection: Connection, role: str) -> None:
    found = connection.execute(
        text("SELECT rolsuper FROM pg_roles WHERE rolname = :role"), {"role": role}
    ).one_or_none()
    if found is None:
        raise NotFound(f"PostgreSQL knows no role {role}. To make it: CREATE ROLE ... LOGIN")
    owns = connection.scalar(
        text(
            "SELECT count(*) FROM pg_tables "
            "WHERE schemaname = current_schema() AND tableowner = :role"
        ),
        {"role": role},
    )
    if found[0] or owns:
        raise Unavailable(
            f"{role} owns the tables, or is a superuser: nothing can be kept from it, and it needs "
            "no grants. Let the service connect as another role."
        )
