"""All tables there are: whoever compares a database with the tables imports them from here."""

from __future__ import annotations

from services.store import (
    addresses,
    beside,
    challenges,
    checkpoints,
    conditional_moves,
    idempotency,
    imports,
    matches,
    players,
    practice,
    sealing_of_store,
    sessions,
    tokens,
    vacations,
)
from services.store.db import heartbeat, leases
from services.store.db.metadata import metadata
from services.store.log import events, rebuild, snapshots

__all__ = [
    "addresses",
    "beside",
    "challenges",
    "checkpoints",
    "conditional_moves",
    "events",
    "heartbeat",
    "idempotency",
    "imports",
    "leases",
    "matches",
    "metadata",
    "players",
    "practice",
    "rebuild",
    "sealing_of_store",
    "sessions",
    "snapshots",
    "tokens",
    "vacations",
]
