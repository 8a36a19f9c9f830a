"""The way to webhooks and push services, as far as the settings allow it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from services.notices.messages import Outcome, written
from services.notices.parcels import Parcel, Plan
from services.notices.push.vapid_key import VapidKey
from services.notices.targets import Resolve, resolve
from services.store.notices.channels import PUSH, ChannelRow
from services.store.notices.deliveries import DeliveryRow

PATIENCE = 10.0
"""Seconds that somebody has to answer, from the look-up of its name to the end of the answer."""


class Sending(Protocol):
    """What sends to one channel."""

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Send something, once; ``at``: the time that is signed with it."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends. ``private``: any network may be sent to. ``resolver``: looks names up.

    ``key``, ``contact``: how push services know us, and who they may turn to.
    """

    private: bool = False
    resolver: Resolve = resolve
    patience: float = PATIENCE
    key: VapidKey | None = None
    contact: str = ""

    def plan(self, _: ChannelRow, waiting: Sequence[DeliveryRow], __: datetime) -> Plan:
        """Say what goes together: each notice is sent by itself."""
        return Plan([Parcel([one]) for one in waiting])

    def to(self, channel: ChannelRow) -> AbstractContextManager[Sending]:
        """Give what sends to a channel."""
        # The client of HTTP is a twentieth of what a command imports; the worker alone needs it.
        from services.notices.connecting import connected  # noqa: PLC0415

        write = written
        if channel.kind == PUSH:
            from services.notices.push.pushing import PushWriter  # noqa: PLC0415 - as above

            write = PushWriter(self.key, self.contact)
        return connected(
            channel, write, private=self.private, resolver=self.resolver, patience=self.patience
        )
