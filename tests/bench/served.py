"""What is served to be measured: our application with the tests' games, and a bare one.

Both stand behind the same server and gateway, with the same settings. The bare application is
Flask with one endpoint that makes one raw, durable INSERT of the bytes that it is sent.
"""

from __future__ import annotations

import gc
import os
from threading import Lock, local

from flask import Flask, Response, request

from services.container import Services
from services.runtime.logs import configure_logs
from services.runtime.settings import from_environment
from tests.bench.databases import raw
from tests.support.games import test_games
from web.app import create_app


def ours() -> Flask:
    """Return our application over the database of the environment."""
    settings = from_environment()
    configure_logs(settings)
    return create_app(Services(settings, games=test_games()))


def bare() -> Flask:
    """Return the floor: as little as can be done, on the same database.

    PostgreSQL has a connection for each thread, SQLite one that is used by turns: threads with
    a connection each would sleep in SQLite's busy handler, up to 0.1 s at a time, while others
    pass them. With eight clients that was measured more than the inserts.
    """
    app = Flask("bare")
    url = os.environ["PLYBOOK_DATABASE_URL"]
    first, turn, threads = raw(url), Lock(), local()
    sql = f"INSERT INTO raw (body) VALUES ({first.mark})"

    @app.post("/raw")
    def store() -> Response:
        body = (request.get_data(),)
        if first.mark == "?":
            with turn:
                first.execute(sql, body)
        else:
            if not hasattr(threads, "raw"):
                threads.raw = raw(url)
            threads.raw.execute(sql, body)
        return Response(b"{}", 201, content_type="application/json")

    app.get("/readyz")(lambda: "ready")
    return app


def __getattr__(name: str) -> Flask:
    """Build the application that a server process asks for, and no other."""
    makers = {"ours_app": ours, "bare_app": bare}
    if name not in makers:
        raise AttributeError(name)
    app = makers[name]()
    gc.collect()
    gc.freeze()
    return app
