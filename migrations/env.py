"""Run migrations, for ``services.store.schema`` or for Alembic's own command line.

The former passes a connection. The latter takes the database from ``-x database=URL`` or from
``PLYBOOK_DATABASE_URL``. All steps of one run are one transaction, on SQLite too.
"""

from __future__ import annotations

import os
from typing import Any

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, pool

from services.store.tables import build_models


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=build_models(connection.dialect.name),
        compare_server_default=True,
        include_object=_make_filter(connection.dialect.name),
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def _make_filter(dialect: str) -> Any:  # noqa: ANN401 - Alembic's own signature has many parameters
    """Leave out what is marked as belonging to another database."""

    def include(item: Any, *_: object) -> bool:  # noqa: ANN401 - any part of a schema
        return bool(item.info.get("dialect", dialect) == dialect)

    return include


def _make_engine() -> Engine:
    given = context.get_x_argument(as_dictionary=True).get("database")
    url = given if isinstance(given, str) else os.environ.get("PLYBOOK_DATABASE_URL")
    if not url:
        raise CommandError("Which database? Give -x database=URL, or set PLYBOOK_DATABASE_URL.")
    engine = create_engine(url if "://" in url else f"sqlite:///{url}", poolclass=pool.NullPool)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _leave_transactions_to_us)
        event.listen(engine, "begin", _begin)
    return engine


def _leave_transactions_to_us(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's
    # By itself the driver would commit before each statement of the schema.
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def run() -> None:
    """Migrate over the connection that was passed, or over one of our own."""
    given = context.config.attributes.get("connection")
    if isinstance(given, Connection):
        _migrate(given)
        return
    with (given or _make_engine()).connect() as connection:
        _migrate(connection)


if context.is_offline_mode():
    raise CommandError("A step looks at the data, so there is no script of it (--sql).")
run()
