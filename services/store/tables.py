"""All tables there are: whoever compares a database with the tables gets the metadata from here."""

# ruff: noqa: F401 - a module that is imported puts its tables into the metadata
from __future__ import annotations

from functools import cache

from sqlalchemy import MetaData

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
from services.store.lobby import practice, records
from services.store.log import events, rebuild, snapshots
from services.store.notices import channels, deliveries, mail_links
from services.store.people import moderation, passkeys, profiles, recovery_codes, relations

__all__ = ["build_models", "metadata"]


@cache
def build_models(dialect: str) -> MetaData:
    """Return the models as they are on a database: SQLite counts positions by AUTOINCREMENT.

    They are kept, since whoever asks which step a database stands on runs Alembic's environment,
    and a copy of all tables took a third of the time of that.
    """
    if dialect != "sqlite":
        return metadata
    models = MetaData(naming_convention=metadata.naming_convention)
    for table in metadata.sorted_tables:
        # What is marked as another database's loses the mark on an index that is copied.
        others = {
            index.name for index in table.indexes if index.info.get("dialect", dialect) != dialect
        }
        copied = table.to_metadata(models)
        copied.indexes -= {index for index in copied.indexes if index.name in others}
    position = models.tables["events"].c.position
    position.identity = position.server_default = None
    return models
