"""Handing mail over to a server by SMTP, and what its answers mean.

An answer of 5xx to an address, or to the mail itself, is for good. Everything else that fails is
tried again, under the same ``Message-ID``: the server may have taken the mail and died before it
said so.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache

import structlog

from services.notices.messages import DEFERRED, NO_SERVER, REJECTED, Outcome
from services.notices.parcels import Parcel
from services.runtime.mail_server import STARTTLS, TLS, MailServer, domain_of
from services.store.notices.channels import ChannelRow

_FOR_GOOD = 500

_log = structlog.get_logger(__name__)


@contextmanager
def mail_line(
    channel: ChannelRow, server: MailServer | None, patience: float
) -> Iterator[MailLine]:
    """Give what sends to an address, over one connection."""
    line = MailLine(server, patience, channel.address or "")
    try:
        yield line
    finally:
        line.close()


@dataclass(slots=True)
class MailLine:
    """The way to one address."""

    server: MailServer | None
    patience: float
    address: str
    _connection: smtplib.SMTP | None = None

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Hand a mail over, once."""
        letter = parcel.letter
        if letter is None or self.server is None:
            return Outcome(reason=NO_SERVER)
        letter["Date"] = at
        try:
            return self._hand_over(self._connected(self.server, letter), letter)
        except (OSError, smtplib.SMTPException) as error:
            # The server's words may name the address: the log has its number only.
            code = getattr(error, "smtp_code", None)
            _log.warning("mail_server_failed", reason=type(error).__name__, status=code)
            self.close()
            return Outcome(code, NO_SERVER)

    def _hand_over(self, connection: smtplib.SMTP, letter: EmailMessage) -> Outcome:
        sender = parseaddr(letter["From"])[1]
        try:
            connection.sendmail(sender, [self.address], letter.as_bytes())
        except smtplib.SMTPRecipientsRefused as refused:
            return _refused(next(code for code, _ in refused.recipients.values()))
        except smtplib.SMTPDataError as refused:
            return _refused(refused.smtp_code)
        return Outcome(250)

    def _connected(self, server: MailServer, letter: EmailMessage) -> smtplib.SMTP:
        if self._connection is None:
            domain = domain_of(letter["From"])
            self._connection = _connect(server, domain, self.patience)
        return self._connection

    def close(self) -> None:
        """Say good-bye, if there is a connection."""
        if self._connection is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._connection.quit()
            self._connection = None


def _refused(code: int) -> Outcome:
    return Outcome(code, REJECTED if code >= _FOR_GOOD else DEFERRED)


def _connect(server: MailServer, domain: str, patience: float) -> smtplib.SMTP:
    """Connect, encrypted as the settings want it, or not at all, and log in."""
    # Without a name of ours somebody would be asked for that of this machine.
    if server.security == TLS:
        made: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, domain, timeout=patience, context=_ssl_context()
        )
    else:
        made = smtplib.SMTP(server.host, server.port, domain, timeout=patience)
    try:
        if server.security == STARTTLS:
            made.starttls(context=_ssl_context())
        if server.user is not None:
            made.login(server.user, server.password or "")
    except BaseException:
        made.close()
        raise
    return made


@cache
def _ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()
