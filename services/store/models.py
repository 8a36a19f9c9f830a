"""All tables there are: whoever compares a database with the models imports them from here."""

from __future__ import annotations

from services.store import beside, imported, starting
from services.store.tables import metadata

__all__ = ["beside", "imported", "metadata", "starting"]
