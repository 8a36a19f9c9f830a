"""The application of one server process, for a WSGI server: ``web.wsgi:app``."""

from __future__ import annotations

import gc

from services.checkpoints import background
from services.container import wire
from services.runtime.logs import configure_logs
from services.runtime.settings import from_environment
from services.store.schema import require_head
from web.app import create_app
from web.site import site_of

_settings = from_environment()
configure_logs(_settings)
_house = wire(_settings)
require_head(_house.database)
app = create_app(_house)
_stopping = site_of(app).stopping
if _settings.checkpoint_interval > 0:
    background.start(_house.sequencer, _settings.checkpoint_interval, _stopping)
# Before the first sweep and the first request, so that both know for how long nobody was here.
_house.downtime.keep_beating(_stopping)
if _settings.sweep_interval > 0:
    _house.sweeping.keep_sweeping(_settings.sweep_interval, _stopping)
# What is here now stays for good: the collector need not look at it again and again.
gc.collect()
gc.freeze()
