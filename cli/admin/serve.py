"""``plybook serve`` and ``plybook demo``, and ``plybook sweep``: end what time has ended."""

from __future__ import annotations

import atexit
import os
import socket
import sys
from dataclasses import replace
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from cli.container import on_database, open_services, read_settings
from cli.terminal.exits import USAGE, Failure, print_json, tell_line
from cli.terminal.options import database_option, format_examples, json_option

if TYPE_CHECKING:
    from services.container import Services
    from services.runtime.settings import Settings


TARGET = "web.wsgi:app"
"""What the server's processes load; by name, since this room never meets the web."""

WORKER = (sys.executable, "-c", "from cli.main import main; main(prog_name='plybook')", "worker")
"""The command that is kept running beside the server's processes."""


_host_option = click.option(
    "--host", metavar="ADDRESS", help="Where to serve; otherwise PLYBOOK_HOST."
)
_port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="On which port; otherwise PLYBOOK_PORT.",
)


@click.command(epilog=format_examples("plybook serve --host 0.0.0.0 --port 8080 --workers 2"))
@_port_option
@_host_option
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="How many processes; otherwise PLYBOOK_WORKERS.",
)
@click.option("--no-worker", is_flag=True, help="Start no worker: `plybook worker` runs elsewhere.")
@database_option
def serve(
    *,
    host: str | None,
    port: int | None,
    workers: int | None,
    no_worker: bool,
    database: str | None,
) -> None:
    """Serve the API and the pages until Ctrl-C.

    A worker runs beside the server's processes and does what the service does by itself,
    see `plybook worker --help`. Refuses to start on a database whose schema is not the one
    of this release, and says which command to run.
    """
    from cli.admin.db import require_grants

    with open_services(database) as house:
        settings = _override_settings(house.settings, host=host, port=port, workers=workers)
        unfinished = house.rebuilding.find_waiting() is not None
        require_grants(house.database)
    if unfinished:
        tell_line(
            "Lists and snapshots are not all made from the events yet. While this serves, run: "
            "plybook db rebuild",
            err=True,
        )
    _serve(settings, worker=not no_worker)


@click.command(epilog=format_examples("plybook demo --port 8090"))
@_port_option
@_host_option
@database_option
def demo(*, host: str | None, port: int | None, database: str | None) -> None:
    """Try it: make the database, load demo matches, serve.

    Doing it again changes nothing that is there.
    """
    from cli.admin.db import make_anew_if_asked, sentences
    from services.runtime.metrics import OFF
    from services.store import schema

    settings = _override_settings(read_settings(database), host=host, port=port)
    if "PLYBOOK_METRICS" not in os.environ:
        # Whoever tries it out wants no second address, which might be in use.
        settings = replace(settings, metrics=OFF)
    settings = _add_mail_folder(settings)
    _must_be_free(settings)
    tell_line("Making the database ready ...", err=True)
    with sentences():
        schema.upgrade(settings.database_url)
    with open_services(settings.database_url) as house:
        make_anew_if_asked(house)
        _load_seeds(house)
        _say_what_to_try(settings, house)
    _serve(settings, worker=True)


def _load_seeds(house: Services) -> None:
    from seeds.loader import load
    from seeds.scripts import list_scripts

    with click.progressbar(
        length=len(list_scripts()), label="Loading demo matches", file=sys.stderr
    ) as progress:
        load(house, lambda _: progress.update(1))


def _override_settings(settings: Settings, **given: Any) -> Settings:  # noqa: ANN401 - some of their fields
    return replace(settings, **{name: value for name, value in given.items() if value})


def _add_mail_folder(settings: Settings) -> Settings:
    """Let mail be kept in a folder and shown, where no server is named that takes it."""
    if settings.smtp_url:
        return settings
    # It ends with the demo: links in it are good for a day at most.
    folder = TemporaryDirectory(prefix="plybook-mail-")
    atexit.register(folder.cleanup)
    return replace(settings, smtp_url=f"folder://{folder.name}", mail_from="demo@plybook.example")


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


def _serve(settings: Settings, *, worker: bool) -> None:
    from services.errors import CannotServe
    from services.runtime.logs import configure_logs
    from services.runtime.metrics import address_of
    from services.runtime.server import serve as run
    from services.runtime.settings import get_address

    try:
        configure_logs(settings)
    except ValueError as error:
        raise Failure(str(error), USAGE) from error
    _must_be_free(settings)
    # The server's processes read their settings where everybody does.
    os.environ["PLYBOOK_DATABASE_URL"] = settings.database_url
    os.environ["PLYBOOK_SMTP_URL"] = settings.smtp_url
    os.environ["PLYBOOK_MAIL_FROM"] = settings.mail_from
    os.environ["PLYBOOK_HOST"], os.environ["PLYBOOK_PORT"] = settings.host, str(settings.port)
    figures = address_of(settings.metrics)

    def say_where() -> None:
        tell_line(f"Plybook serves on {get_address(settings)} (Ctrl-C stops it).", err=True)
        if figures is not None:
            tell_line(f"Figures for Prometheus are at {figures}.", err=True)

    try:
        beside = [*WORKER, "--beside", str(os.getpid())] if worker else []
        run(TARGET, settings, beside, say_where)
    except CannotServe as error:
        raise Failure(str(error)) from error
    tell_line("Plybook has stopped.", err=True)


def _say_what_to_try(settings: Settings, house: Services) -> None:
    from services.lobby.lists import MatchFilter
    from services.matches.queries import Asker
    from services.runtime.settings import get_address

    finished = house.lobby.list_matches(
        Asker(local=True), MatchFilter(status="finished"), limit=1
    ).listed
    match = finished[0].view.id if finished else "MATCH"
    address, program = get_address(settings), _format_program(settings)
    # Commands and addresses, to be copied: a line that is too long the terminal itself breaks.
    click.echo(
        f"""
In a browser:
  {address}/
  {address}/m/{match}
  {address}/demo/mails (mails; they are shown here, too)

In another terminal:
  {program} match list
  {program} replay {match}
  {program} play power-line
  curl {address}/api/v1/games
  curl {address}/api/v1/matches/{match}
"""
    )


def _format_program(settings: Settings) -> str:
    """Return how to call this program on the same database from elsewhere."""
    from services.runtime.settings import get_default_database

    program = "plybook" if which("plybook") else os.path.relpath(sys.argv[0])
    url = settings.database_url
    # A URL with a password in it is not shown.
    return program if url == get_default_database() or "@" in url else f"{program} --database {url}"


@click.command(epilog=format_examples("plybook sweep", "plybook sweep --dry-run"))
@click.option("--dry-run", is_flag=True, help="List what is due and change nothing.")
@json_option
@on_database
def sweep(*, dry_run: bool, as_json: bool, house: Services) -> None:
    """End what time has ended, once: clocks that have run out, matches nobody joined.

    Clocks are first given back the time in which no server was there for longer than
    PLYBOOK_DOWNTIME_GRACE seconds, if one ever was. Answers that were kept for repeated
    requests, sessions and tokens whose time is over are removed.

    The worker beside `plybook serve` does the same, every PLYBOOK_SWEEP_INTERVAL seconds.
    Several may sweep at a time: a match is ended once.
    """
    if dry_run:
        for due in house.sweeping.iter_due():
            if as_json:
                print_json([due._asdict()])
            else:
                tell_line(f"{due.match}  due since {due.deadline}")
        return
    swept = house.sweeping.sweep()
    if as_json:
        print_json([swept._asdict()])
        return
    tell_line(f"Ended by the clock: {swept.timeouts}.")
    tell_line(f"Aborted, since nobody joined: {swept.lapsed}.")
    tell_line(f"Practice matches let go: {swept.practices}.")
    tell_line(f"Accounts deleted: {swept.closed}.")
    tell_line(f"Expired answers, sessions and tokens removed: {swept.expired}.")
    tell_line(f"Clocks given time back, since the service was away: {swept.given}.")
