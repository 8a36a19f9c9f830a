"""The application of one server process, for a WSGI server: ``web.wsgi:app``."""

from __future__ import annotations

import gc
import os
import signal
from threading import Event, Thread

from services.checkpoints import background
from services.logs import configure_logs
from services.settings import from_environment
from services.store.schema import require_head
from services.wiring import wire
from web.app import create_app
from web.site import site_of


def _end_streams_with_the_process(stopping: Event) -> None:
    """Set ``stopping`` on the first signal that ends the process.

    The server has handlers of its own for these signals, and puts them in place after it has
    imported this module; the wake-up descriptor tells of signals whoever handles them.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def watch() -> None:
        while not {signal.SIGTERM, signal.SIGINT} & set(os.read(read, 1)):
            pass
        stopping.set()

    Thread(target=watch, name="signals", daemon=True).start()


_settings = from_environment()
configure_logs(_settings)
_house = wire(_settings)
require_head(_house.database)
app = create_app(_house)
_stopping = site_of(app).stopping
_end_streams_with_the_process(_stopping)
if _settings.checkpoint_interval > 0:
    background.start(_house.sequencer, _settings.checkpoint_interval, _stopping)
if _settings.sweep_interval > 0:
    _house.sweeping.keep_sweeping(_settings.sweep_interval, _stopping)
# What is here now stays for good: the collector need not look at it again and again.
gc.collect()
gc.freeze()
