"""The ways to webhooks, push services and mailboxes, as far as the settings allow them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import structlog

from domain.i18n import Catalogue
from services.errors import place_of
from services.notices.letters import Letters
from services.notices.messages import UNFORESEEN, Outcome, Parcel, Plan, Sending, write_request
from services.notices.push.vapid_key import VapidKey
from services.notices.targets import Resolve, resolve
from services.runtime.mail_folder import MailFolder
from services.runtime.mail_server import FOLDER, MailServer
from services.store.notices.channels import PUSH, ChannelRow
from services.store.notices.deliveries import DeliveryRow

PATIENCE = 10.0
"""Seconds that somebody has to answer, from the look-up of its name to the end of the answer; a
mail server has them for each thing that it is told."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends. ``private``: any network may be sent to. ``resolver``: looks names up.

    ``key``, ``contact``: how push services know us, and who they may turn to. ``words``: returns
    the catalogue of a player's language.
    """

    private: bool
    key: VapidKey
    contact: str
    words: Callable[[str], Catalogue]
    resolver: Resolve = resolve
    patience: float = PATIENCE

    def plan(self, _: ChannelRow, waiting: Sequence[DeliveryRow], __: datetime) -> Plan:
        """Say what goes together: each notice is sent by itself."""
        return Plan([Parcel([one]) for one in waiting])

    def open_way(self, channel: ChannelRow) -> AbstractContextManager[Sending]:
        """Give what sends to a channel."""
        # The client of HTTP is a twentieth of what a command imports; the worker alone needs it.
        from services.notices.http_client import connected  # noqa: PLC0415

        write = write_request
        if channel.kind == PUSH:
            from services.notices.push.messages import PushWriter  # noqa: PLC0415 - as above

            write = PushWriter(self.key, self.contact, self.words(channel.player))
        return connected(
            channel, write, private=self.private, resolver=self.resolver, patience=self.patience
        )


@dataclass(frozen=True, slots=True)
class Mailer:
    """Sends mail. ``server`` None: there is none, and what waits goes on waiting."""

    server: MailServer | None
    letters: Letters
    patience: float = PATIENCE

    @property
    def folder(self) -> MailFolder | None:
        """Where mail is kept that goes nowhere, None where it is sent."""
        if self.server is None or self.server.security != FOLDER:
            return None
        return MailFolder(Path(self.server.host))

    def plan(self, channel: ChannelRow, waiting: Sequence[DeliveryRow], now: datetime) -> Plan:
        """Say what of that goes now, in which mails, and what does not, or not yet."""
        return self.letters.plan(channel, waiting, now)

    def open_way(self, channel: ChannelRow) -> AbstractContextManager[Sending]:
        """Give what sends to an address."""
        if self.folder is not None:
            return nullcontext(FolderLine(self.folder))
        # The worker alone needs the client of SMTP.
        from services.notices.smtp import MailLine  # noqa: PLC0415

        return closing(MailLine(self.server, self.patience, channel.address or ""))


@dataclass(slots=True)
class ChannelSession:
    """The way to one channel, by a sender or the mailer, for a round.

    An error that nobody expected is the outcome of an attempt: else nothing would be noted, and the
    same tried again for ever.
    """

    by: Sender | Mailer
    channel: ChannelRow
    _opened: ExitStack = field(default_factory=ExitStack)
    _line: Sending | None = None

    def plan(self, waiting: Sequence[DeliveryRow], now: datetime) -> Plan:
        """Say what goes now; where that fails, it is what fails by itself that cannot be sent."""
        try:
            return self.by.plan(self.channel, waiting, now)
        except Exception as error:  # noqa: BLE001 - as the class says
            fault = self._log_unforeseen(error)
        alone = [self.plan([one], now) for one in waiting] if len(waiting) > 1 else ()
        faulty = [
            row for plan in alone for one in plan.parcels if one.fault for row in one.deliveries
        ]
        return Plan([Parcel(faulty or waiting, fault=fault)])

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Send something, once; the first one finds the way open, or opens it."""
        if parcel.fault is not None:
            return Outcome(reason=parcel.fault)
        try:
            if self._line is None:
                self._line = self._opened.enter_context(self.by.open_way(self.channel))
            return self._line.send(parcel, at)
        except Exception as error:  # noqa: BLE001 - as the class says
            return Outcome(reason=self._log_unforeseen(error))

    def close(self) -> None:
        """Leave the way, whatever comes of that."""
        try:
            self._opened.close()
        except Exception as error:  # noqa: BLE001 - as the class says
            self._log_unforeseen(error)

    def _log_unforeseen(self, error: Exception) -> str:
        _log.error("notice_failed", kind=self.channel.kind, reason=place_of(error))
        return UNFORESEEN


@dataclass(frozen=True, slots=True)
class FolderLine:
    """The way into a folder."""

    folder: MailFolder

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Keep a mail."""
        if parcel.letter is not None:
            parcel.letter["Date"] = at
            self.folder.put(parcel.letter)
        return Outcome()
