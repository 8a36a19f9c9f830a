"""What goes to a channel in one go: a notice to a webhook, one or several in a mail."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from typing import NamedTuple

from services.store.notices.deliveries import DeliveryRow


class Parcel(NamedTuple):
    """Deliveries that are sent together, and fail or arrive together; the ``letter`` of a mail."""

    deliveries: Sequence[DeliveryRow]
    letter: EmailMessage | None = None


class Plan(NamedTuple):
    """What is sent now, in order, and deliveries that are not: put off, or not to be sent."""

    parcels: Sequence[Parcel]
    settled: Sequence[DeliveryRow] = ()
