"""``plybook worker``: what a service does by itself, beside the servers."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import click

from cli.admin.db import require_grants
from cli.container import open_services
from cli.terminal.exits import USAGE, Failure
from cli.terminal.options import database_option, format_examples

if TYPE_CHECKING:
    from services.runtime.settings import Settings
    from services.worker import Worker


@click.command(
    epilog=format_examples("plybook worker", "plybook worker --once", "plybook worker --server URL")
)
@click.option("--once", is_flag=True, help="Do every chore once, and end; 1 if one failed.")
@click.option(
    "--server",
    metavar="URL",
    help="Where a server answers; otherwise at PLYBOOK_HOST and PLYBOOK_PORT.",
)
@click.option("--beside", type=int, metavar="PID", hidden=True)
@database_option
def worker(*, once: bool, server: str | None, beside: int | None, database: str | None) -> None:
    """Do what a service does by itself, until Ctrl-C.

    Ends what time has ended and gives clocks back the time in which the service was away
    (as `plybook sweep`), signs checkpoints (as `plybook checkpoint`), rates matches, and, as
    long as a server answers, writes the heartbeat by which it is known that the service is
    there. How often, the settings say; a chore whose interval is 0 is not done.

    `plybook serve` and `plybook demo` start one. It is run by itself beside
    `plybook serve --no-worker`. Several may run: nothing is done twice. What was done,
    and what failed, stands in the log.
    """
    from services.runtime.logs import configure_logs
    from services.worker import UNTIL_SERVED, Worker, list_chores

    stopping = Event()
    with open_services(database) as house:
        require_grants(house.database)
        # Its log tells as much as a server's.
        configure_logs(house.settings)
        where = _choose_server(house.settings, server)
        patience = 0.0 if once else UNTIL_SERVED
        made = Worker(house.database, list_chores(house, where, stopping, patience), stopping)
        if not once:
            _work(made, beside)
            return
        done = made.run_once()
        house.house_players.finish()
        if not done:
            raise Failure("Not every chore was done; the log says why.")


def _choose_server(settings: Settings, server: str | None) -> str:
    """Return the address at which a server is to answer."""
    if server is not None:
        try:
            scheme = urlsplit(server).scheme
        except ValueError:
            scheme = ""
        if scheme not in ("http", "https"):
            raise Failure("--server is an address such as https://plybook.example.", USAGE)
        return server.rstrip("/")
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - where it serves
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def _work(worker: Worker, beside: int | None) -> None:
    """Work until a signal comes, or the process has gone that this one was started by."""
    with _until_told():
        worker.start()
        while beside is None or os.getppid() == beside:
            time.sleep(0.5)
    if not worker.end():
        # What is under way is undone by the database, as by a crash; nobody waits for it.
        sys.stderr.flush()
        os._exit(0)


class _Terminated(BaseException):
    """The process is told to end."""


@contextmanager
def _until_told() -> Iterator[None]:
    def tell(*_: object) -> NoReturn:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        raise _Terminated

    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, tell)
        yield
    except _Terminated:
        pass
