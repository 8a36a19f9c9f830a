"""All tables there are: whoever compares a database with the models imports them from here."""

from __future__ import annotations

from services.store import (
    addresses,
    beside,
    checkpoints,
    downtimes,
    imported,
    practices,
    rebuilding,
    sealing,
    starting,
    timekeeping,
)
from services.store.tables import metadata

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
