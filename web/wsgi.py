"""The application of one server process, for a WSGI server: ``web.wsgi:app``."""

from __future__ import annotations

import gc

from services.container import Services
from services.runtime.logs import configure_logs
from services.runtime.settings import from_environment
from services.store.schema import require_head
from web.app import create_app

_settings = from_environment()
configure_logs(_settings)
_house = Services(_settings)
require_head(_house.database)
app = create_app(_house)
# Before the first request, so that it is known for how long nobody was here; the worker goes on.
_house.downtime.try_to_beat()
# What is here now stays for good: the collector need not look at it again and again.
gc.collect()
gc.freeze()
