"""Instants as the service stores them: RFC 3339, UTC, always six fractional digits."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

Now: TypeAlias = Callable[[], datetime]
"""The present, as an aware datetime in UTC."""


def utc_now() -> datetime:
    """Return the present."""
    return datetime.now(UTC)


def instant(when: datetime) -> str:
    """Write an instant; such texts sort as the instants do.

    >>> instant(datetime(2026, 11, 27, 22, 0, tzinfo=UTC))
    '2026-11-27T22:00:00.000000Z'
    """
    naive = when.astimezone(UTC).replace(tzinfo=None)
    return f"{naive.isoformat(timespec='microseconds')}Z"


def later(when: datetime, *, days: float = 0, hours: float = 0) -> str:
    """Write the instant that lies so much later."""
    return instant(when + timedelta(days=days, hours=hours))
