#!/usr/bin/env python3
"""Take the pictures of the documentation anew: `.venv/bin/python docs/pictures.py`.

Serves the demo matches from a database that is thrown away, and looks at one of them in
Chromium (TEST_CHROMIUM names it, else it is looked for on the PATH). Run it after the look
of the pages has changed.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import sync_playwright
from werkzeug.serving import make_server

sys.path.insert(0, str(Path(__file__).parents[1]))

from seeds.loader import load
from seeds.scripts import list_scripts
from services.container import Services
from services.runtime.settings import Settings
from services.store import schema
from web.app import create_app

IMAGES = Path(__file__).parent / "images"
MOST_BYTES = 150_000


class Picture(NamedTuple):
    """A file, the demo match that it shows, right after which event, and how tall it is."""

    file: str
    match: str
    at: int
    height: int


PICTURES = (Picture("replay.png", "energy-capture-race", 14, 780),)


def main() -> None:
    """Take every picture. Exits with a sentence if there is no browser or one is too large."""
    browser = os.environ.get("TEST_CHROMIUM") or shutil.which("chromium")
    if browser is None:
        sys.exit("There is no Chromium; install it, or set TEST_CHROMIUM to its path.")
    IMAGES.mkdir(exist_ok=True)
    with _served() as url, sync_playwright() as playwright:
        window = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        for picture in PICTURES:
            page = window.new_page(viewport={"width": 1180, "height": picture.height})
            page.goto(f"{url}/m/{_match_id(picture.match)}?at={picture.at}")
            path = IMAGES / picture.file
            page.screenshot(path=path)
            if path.stat().st_size > MOST_BYTES:
                sys.exit(f"{path.name} has {path.stat().st_size} bytes, more than {MOST_BYTES}.")
        window.close()


@contextmanager
def _served() -> Iterator[str]:
    """Serve the demo matches; give the address."""
    with TemporaryDirectory() as folder:
        settings = Settings(database_url=f"{folder}/demo.sqlite3", rate_limit=0, log_level="error")
        schema.upgrade(settings.database_url)
        house = Services(settings)
        load(house)
        server = make_server("127.0.0.1", 0, create_app(house), threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
            house.close()


def _match_id(name: str) -> str:
    return next(script.match_id for script in list_scripts() if script.name == name)


if __name__ == "__main__":
    main()
