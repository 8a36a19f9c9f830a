"""What goes to a channel in one go: a notice to a webhook, one or several in a mail; a test."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import instant
from domain.match.notices import TEST
from services.errors import TooOften
from services.store.notices import deliveries
from services.store.notices.deliveries import DeliveryRow

_HOUR = timedelta(hours=1)


class Parcel(NamedTuple):
    """Deliveries that are sent together, and fail or arrive together; the ``letter`` of a mail."""

    deliveries: Sequence[DeliveryRow]
    letter: EmailMessage | None = None


class Plan(NamedTuple):
    """What is sent now, in order, and deliveries that are not: put off, or not to be sent."""

    parcels: Sequence[Parcel]
    settled: Sequence[DeliveryRow] = ()


def send_test(
    connection: Connection, channel: str, number: int, now: datetime, most: int
) -> DeliveryRow:
    """Let a test be sent to a channel. Raises ``TooOften`` for more than ``most`` in an hour."""
    if deliveries.count_since(connection, channel, instant(now - _HOUR), tests=True) >= most:
        wait = int(_HOUR.total_seconds())
        raise TooOften(say("So many tests are enough for an hour."), wait)
    at = instant(now)
    row = DeliveryRow(number, channel, TEST, None, None, TEST, at, due_at=at)
    deliveries.save(connection, row)
    return row
