"""Handing mail over to a server by SMTP, and what its answers mean.

An answer of 5xx to an address, or to the mail itself, is for good. Everything else that fails is
tried again, under the same ``Message-ID``: the server may have taken the mail and died before it
said so.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache
from threading import Event, Thread
from typing import cast

import structlog

from services.notices.messages import DEFERRED, NO_SERVER, REJECTED, Outcome, Parcel
from services.runtime.mail_server import STARTTLS, TLS, MailServer, domain_of

_FOR_GOOD, _GREETS = 500, 220

_WHOLE = 3
"""So many times what one step may take, a mail may take from the connection to the last answer."""

_AGAIN = 0.1
"""Seconds from one attempt to break off to the next."""

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class MailLine:
    """The way to one address, over one connection."""

    server: MailServer | None
    patience: float
    address: str
    _connection: smtplib.SMTP | None = None
    _socket: ssl.SSLSocket | None = None

    def send(self, parcel: Parcel, at: datetime) -> Outcome:
        """Hand a mail over, once."""
        letter = parcel.letter
        if letter is None or self.server is None:
            return Outcome(reason=NO_SERVER)
        letter["Date"] = at
        # A server that says a little again and again is never late with a step.
        done = Event()
        Thread(target=self._break_off, args=(done,), daemon=True).start()
        try:
            return self._hand_over(self._get_connection(self.server, letter), letter)
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            # (Passwords are sent in ASCII alone.) The server's words may name the address: the log
            # has its number only.
            code = getattr(error, "smtp_code", None)
            _log.warning("mail_server_failed", reason=type(error).__name__, status=code)
            self.close()
            return Outcome(code, NO_SERVER)
        finally:
            done.set()

    def _break_off(self, done: Event) -> None:
        """Break off what takes too long, again and again: it may be between two sockets."""
        wait = _WHOLE * self.patience
        while not done.wait(wait):
            wait = _AGAIN
            plain = None if self._connection is None else self._connection.sock
            for sock in (self._socket, plain):
                if sock is not None:
                    with suppress(OSError):
                        # Not by the method of a TLS socket: that would take its state from who
                        # reads there.
                        socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def wrap_socket(self, sock: socket.socket, server_hostname: str) -> ssl.SSLSocket:
        """Encrypt a connection; the socket is known before the handshake, to break that off."""
        made = _make_ssl_context().wrap_socket(
            sock, server_hostname=server_hostname, do_handshake_on_connect=False
        )
        self._socket = made
        try:
            made.do_handshake()
        except OSError:
            made.close()
            raise
        return made

    def _hand_over(self, connection: smtplib.SMTP, letter: EmailMessage) -> Outcome:
        sender = parseaddr(letter["From"])[1]
        try:
            connection.sendmail(sender, [self.address], letter.as_bytes())
        except smtplib.SMTPRecipientsRefused as refused:
            return _judge_refusal(next(code for code, _ in refused.recipients.values()))
        except smtplib.SMTPDataError as refused:
            return _judge_refusal(refused.smtp_code)
        return Outcome(250)

    def _get_connection(self, server: MailServer, letter: EmailMessage) -> smtplib.SMTP:
        if self._connection is None:
            # It asks a context for nothing else than to encrypt its connection.
            context = cast("ssl.SSLContext", self)
            self._connection = _make_client(
                server, domain_of(letter["From"]), self.patience, context
            )
            _connect(self._connection, server, context)
        return self._connection

    def close(self) -> None:
        """Say good-bye, if there is a connection, and wait for no answer to that."""
        if self._connection is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._connection.putcmd("quit")
            self._connection.close()
            self._connection = None


def _judge_refusal(code: int) -> Outcome:
    return Outcome(code, REJECTED if code >= _FOR_GOOD else DEFERRED)


def _make_client(
    server: MailServer, domain: str, patience: float, context: ssl.SSLContext
) -> smtplib.SMTP:
    """Return what talks to a server, not connected yet; ``domain``: what it calls itself."""
    # Without a name of ours somebody would be asked for that of this machine.
    if server.security == TLS:
        made: smtplib.SMTP = smtplib.SMTP_SSL(
            local_hostname=domain, timeout=patience, context=context
        )
    else:
        made = smtplib.SMTP(local_hostname=domain, timeout=patience)
    # Whose certificate it has to be. The library sets it where it connects at once, which nothing
    # could break off.
    made._host = server.host  # type: ignore[attr-defined]  # noqa: SLF001
    return made


def _connect(client: smtplib.SMTP, server: MailServer, context: ssl.SSLContext) -> None:
    """Connect, encrypted as the settings want it, or not at all, and log in."""
    code, _ = client.connect(server.host, server.port)
    if code != _GREETS:
        raise smtplib.SMTPConnectError(code, "")
    if server.security == STARTTLS:
        client.starttls(context=context)
    if server.user is not None:
        client.login(server.user, server.password or "")


@cache
def _make_ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()
