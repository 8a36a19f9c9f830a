"""What is served to be measured: our application with the tests' games, and a bare one.

Both stand behind the same server and gateway, with the same settings. The bare application is
Flask with one endpoint that makes one raw, durable INSERT of the bytes that it is sent.
"""

from __future__ import annotations

import gc
import os
import sqlite3
from collections.abc import Callable
from threading import Lock, local

import psycopg
from flask import Flask, Response, request

from services.container import wire
from services.runtime.logs import configure_logs
from services.runtime.settings import from_environment
from tests.support.games import test_games
from web.app import create_app

RAW = "CREATE TABLE IF NOT EXISTS raw_posts (body {})"
INSERT = "INSERT INTO raw_posts (body) VALUES ({})"


def ours() -> Flask:
    """Return our application over the database of the environment."""
    settings = from_environment()
    configure_logs(settings)
    return create_app(wire(settings, games=test_games()))


def bare() -> Flask:
    """Return the floor: as little as can be done, on the same database."""
    app = Flask("bare")
    url = os.environ["PLYBOOK_DATABASE_URL"]
    insert = _into_sqlite(url) if url.startswith("sqlite") else _into_postgres(url)

    @app.post("/raw")
    def store() -> Response:
        insert(request.get_data())
        return Response(b"{}", 201, content_type="application/json")

    app.get("/readyz")(lambda: "ready")
    return app


def _into_sqlite(url: str) -> Callable[[bytes], None]:
    """Return what inserts on one connection, by turns.

    Threads with a connection each would sleep in SQLite's busy handler, up to 0.1 s at a time,
    while others pass them: with eight clients that was measured more than the inserts.
    """
    path = url.removeprefix("sqlite:///")
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    connection.execute(RAW.format("blob"))
    turn = Lock()

    def insert(body: bytes) -> None:
        with turn:
            connection.execute(INSERT.format("?"), (body,))

    return insert


def _into_postgres(url: str) -> Callable[[bytes], None]:
    """Return what inserts on a connection for each thread."""
    threads = local()
    address = url.replace("+psycopg", "")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(RAW.format("bytea").encode())

    def insert(body: bytes) -> None:
        if not hasattr(threads, "connection"):
            threads.connection = psycopg.connect(address, autocommit=True)
        threads.connection.execute(INSERT.format("%s"), (body,))

    return insert


def __getattr__(name: str) -> Flask:
    """Build the application that a server process asks for, and no other."""
    makers = {"ours_app": ours, "bare_app": bare}
    if name not in makers:
        raise AttributeError(name)
    app = makers[name]()
    gc.collect()
    gc.freeze()
    return app
