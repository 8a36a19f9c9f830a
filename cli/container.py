"""The services behind the commands, opened on the database that was named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from cli.terminal.exits import USAGE, Failure, tell_line
from cli.terminal.options import database_option

if TYPE_CHECKING:
    from services.container import Services
    from services.runtime.settings import Settings


def read_settings(database: str | None) -> Settings:
    """Return the settings from the environment; ``database`` (if given) takes precedence."""
    from services.runtime.settings import describe_unknown, from_environment

    for sentence in describe_unknown(os.environ):
        tell_line(f"Note: {sentence}", err=True)
    try:
        settings = from_environment()
    except ValueError as error:
        raise Failure(str(error), USAGE) from error
    return replace(settings, database_url=database) if database else settings


@contextmanager
def open_services(database: str | None) -> Iterator[Services]:
    """Give the services, and close them. Raises ``Failure`` for a schema of another release."""
    from services.container import Services
    from services.runtime.logs import configure_logs
    from services.store.schema import SchemaNotAtHead, require_head

    settings = read_settings(database)
    try:
        # Between the lines of a board nobody wants to read what a server writes into its log.
        quiet = "warning" if settings.log_level == "info" else settings.log_level
        configure_logs(replace(settings, log_level=quiet))
        house = Services(settings)
    except UnicodeEncodeError:
        raise
    except ValueError as error:
        raise Failure(str(error), USAGE) from error
    try:
        require_head(house.database)
        yield house
    except SchemaNotAtHead as error:
        raise Failure(str(error)) from error
    finally:
        house.close()


def on_database(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--database``, and give the command the services on it as ``house``."""

    @wraps(command)
    def opened(*, database: str | None, **given: Any) -> None:  # noqa: ANN401 - its options
        with open_services(database) as house:
            command(house=house, **given)

    return database_option(opened)
