"""All tables there are: whoever compares a database with the models imports them from here."""

from __future__ import annotations

from services.store import addresses, beside, checkpoints
from services.store import challenges as starting
from services.store import imports as imported
from services.store import practice as practices
from services.store import sealing_of_store as sealing
from services.store import vacations as timekeeping
from services.store.db import heartbeat as downtimes
from services.store.db.metadata import metadata
from services.store.log import rebuild as rebuilding

__all__ = [
    "addresses",
    "beside",
    "checkpoints",
    "downtimes",
    "imported",
    "metadata",
    "practices",
    "rebuilding",
    "sealing",
    "starting",
    "timekeeping",
]
