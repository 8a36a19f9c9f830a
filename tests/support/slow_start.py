"""The service with one process that takes its time to start: what a busy machine makes of it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from flask import Flask


def __getattr__(name: str) -> Flask:
    """Start the application that a server process asks for; the first that asks is slow."""
    if name != "app":
        raise AttributeError(name)
    with suppress(FileExistsError):
        Path(os.environ["PLYBOOK_TEST_STARTING"]).touch(exist_ok=False)
        time.sleep(60)
    from web.wsgi import app

    return app
