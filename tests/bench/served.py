"""What the HTTP measurement serves: our application with the tests' games, and a bare one.

Both are served by the same server with the same settings. The bare application is Flask
with one endpoint that makes one raw, durable INSERT of the bytes that it is sent.
"""

from __future__ import annotations

import gc
import os
import sqlite3
from threading import local
from typing import Any

import psycopg
from flask import Flask, Response, request

from services.container import wire
from services.runtime.logs import configure_logs
from services.runtime.settings import from_environment
from tests.support.games import test_games
from web.app import create_app

SQLITE_RAW = "CREATE TABLE IF NOT EXISTS raw (id integer primary key autoincrement, body blob)"
POSTGRES_RAW = "CREATE TABLE IF NOT EXISTS raw (id bigserial primary key, body bytea)"


def ours() -> Flask:
    """Return our application over the database of the environment."""
    settings = from_environment()
    configure_logs(settings)
    app = create_app(wire(settings, games=test_games()))
    gc.collect()
    gc.freeze()
    return app


def bare() -> Flask:
    """Return the floor: as little as can be done, on the same database."""
    app = Flask("bare")
    url = os.environ["PLYBOOK_DATABASE_URL"]
    threads = local()
    insert = _sqlite_insert if url.startswith("sqlite") else _postgres_insert

    @app.post("/raw")
    def store() -> Response:
        insert(threads, url, request.get_data())
        return Response(b"{}", 201, content_type="application/json")

    gc.collect()
    gc.freeze()
    return app


def _sqlite_insert(threads: local, url: str, body: bytes) -> None:
    if not hasattr(threads, "connection"):
        path = url.removeprefix("sqlite:///")
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        threads.connection = connection
    connection = threads.connection
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO raw (body) VALUES (?)", (body,))
    connection.execute("COMMIT")


def _postgres_insert(threads: local, url: str, body: bytes) -> None:
    if not hasattr(threads, "connection"):
        threads.connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
    connection: psycopg.Connection[Any] = threads.connection
    connection.execute("INSERT INTO raw (body) VALUES (%s)", (body,))


def __getattr__(name: str) -> Flask:
    """Build the application that a server process asks for, and no other."""
    makers = {"ours_app": ours, "bare_app": bare}
    if name not in makers:
        raise AttributeError(name)
    return makers[name]()
