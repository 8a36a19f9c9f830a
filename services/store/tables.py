"""All tables there are: whoever compares a database with the tables gets the metadata from here."""

# ruff: noqa: F401 - a module that is imported puts its tables into the metadata
from __future__ import annotations

from services.store import (
    accounts,
    analyses,
    challenges,
    checkpoints,
    conditional_moves,
    cursors,
    idempotency,
    imports,
    matches,
    puzzles,
    ratings,
    talk,
    vacations,
)
from services.store.db import heartbeat
from services.store.db.metadata import metadata
from services.store.lobby import practice
from services.store.log import events, rebuild, snapshots

__all__ = ["metadata"]
