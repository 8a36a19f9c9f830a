"""The service with one process that takes its time to start: what a busy machine makes of it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

STARTING = Path(os.environ["PLYBOOK_TEST_STARTING"])
"""A file that the first process makes, and the other one finds."""

with suppress(FileExistsError):
    STARTING.touch(exist_ok=False)
    time.sleep(60)

from web.wsgi import app  # noqa: E402

__all__ = ["app"]
