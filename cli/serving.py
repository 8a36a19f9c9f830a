"""``plybook serve`` and ``plybook demo``."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import click

from cli.exits import Failure
from cli.options import Command, database_option, examples

if TYPE_CHECKING:
    from services.settings import Settings

TARGET = "web.wsgi:app"
"""What the server's processes load; by name, since this room never meets the web."""

SPARE_THREADS = 16
"""Threads of a process beyond those that open event streams may occupy."""

FAREWELL_SECONDS = 10
"""How long open requests may take to end when the service is stopped."""


def serving_options(command: Command) -> Command:
    """Add the address and the port, which precede those of the environment."""
    command = click.option("--host", metavar="ADDRESS", help="Otherwise PLYBOOK_HOST.")(command)
    port = click.option(
        "--port", type=click.IntRange(1, 65535), metavar="PORT", help="Otherwise PLYBOOK_PORT."
    )
    return port(command)


@click.command(epilog=examples("plybook serve --host 0.0.0.0 --port 8080 --workers 2"))
@serving_options
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes; otherwise PLYBOOK_WORKERS."
)
@database_option
def serve(*, host: str | None, port: int | None, workers: int | None, database: str | None) -> None:
    """Serve the API and the pages until Ctrl-C.

    Refuses to start on a database whose schema is not the one of this release, and says
    which command to run.
    """
    from cli.house import opened

    with opened(database) as house:
        settings = _with(house.settings, host=host, port=port, workers=workers)
    _serve(settings)


@click.command(epilog=examples("plybook demo --port 8090"))
@serving_options
@database_option
def demo(*, host: str | None, port: int | None, database: str | None) -> None:
    """Try it: make the database, load demo matches, serve.

    Doing it again changes nothing that is there.
    """
    from cli.db import sentences
    from cli.house import opened, settings_of
    from seeds.loading import load
    from services.store import schema

    url = settings_of(database).database_url
    click.echo("Making the database ready ...", err=True)
    with sentences():
        schema.upgrade(url)
    click.echo("Loading demo matches:", err=True)
    with opened(url) as house:
        loaded = load(house, lambda script: click.echo(f"  {script.name}", err=True))
        click.echo(f"There are {loaded.matches} demo matches.", err=True)
        settings = _with(house.settings, host=host, port=port, workers=None)
    _must_be_free(settings)
    _say_what_to_try(settings, database)
    _serve(settings)


def _with(
    settings: Settings, *, host: str | None, port: int | None, workers: int | None
) -> Settings:
    from dataclasses import replace

    return replace(
        settings,
        host=host or settings.host,
        port=port or settings.port,
        workers=workers or settings.workers,
    )


def _address(settings: Settings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return settings.public_url or f"http://{host}:{settings.port}"


def _must_be_free(settings: Settings) -> None:
    """Say it at once, and in a sentence, when somebody else serves there."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            where = f"{settings.host}, port {settings.port}"
            raise Failure(
                f"Cannot serve on {where}: {error.strerror}. Choose another with --port."
            ) from error


def _serve(settings: Settings) -> None:
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    _must_be_free(settings)
    # The server's processes read their settings where everybody does.
    os.environ["PLYBOOK_DATABASE_URL"] = settings.database_url
    os.environ["PLYBOOK_HOST"], os.environ["PLYBOOK_PORT"] = settings.host, str(settings.port)
    click.echo(f"Plybook serves on {_address(settings)} (Ctrl-C stops it).", err=True)
    server = Granian(
        TARGET,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=settings.workers,
        blocking_threads=settings.max_streams + SPARE_THREADS,
        workers_kill_timeout=FAREWELL_SECONDS,
        log_level=LogLevels.warning,
        websockets=False,
    )
    server.serve()


def _say_what_to_try(settings: Settings, database: str | None) -> None:
    from services.settings import default_database

    address = _address(settings)
    elsewhere = settings.database_url != default_database()
    program = f"plybook --database {settings.database_url}" if database and elsewhere else "plybook"
    click.echo(
        f"""
Things to try, in a browser:
  {address}/

In another terminal:
  curl {address}/api/v1/games
  curl {address}/api/v1/matches
  {program} match list
  {program} replay MATCH
  {program} play power-line
"""
    )
