"""A mail server that answers in every way that there is: the recipient's name says how.

``ok``; ``never`` (refused for good at RCPT), ``no-content`` (refused for good after DATA),
``later`` (refused for now), ``hang`` (no answer after DATA), ``drop`` (takes the mail and hangs
up).
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.support.ports import free_port

_DAY = timedelta(days=1)


class Mail(NamedTuple):
    """A mail that came: from whom, to whom, and what it says; ``content``: as it came."""

    sender: str
    to: str
    letter: EmailMessage
    content: bytes

    @property
    def text(self) -> str:
        """Its part of plain text."""
        return _part(self.letter, "plain")

    @property
    def html(self) -> str:
        """Its part of HTML."""
        return _part(self.letter, "html")

    @property
    def id(self) -> str:
        """Its ``Message-ID``."""
        return str(self.letter["Message-ID"])


def _part(letter: EmailMessage, kind: str) -> str:
    found = letter.get_body((kind,))
    assert found is not None
    return str(found.get_content())


class MailServer:
    """Keeps what it receives. ``answers``: by recipient's name, where that says something else."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.answers: dict[str, str] = {}
        self.url = ""

    async def handle_RCPT(  # noqa: N802 - as the library calls it
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        if self._how(address) == "never":
            return "550 5.1.1 Nobody here"
        if self._how(address) == "later":
            return "451 4.7.1 Try again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:  # noqa: N802
        how = self._how(envelope.rcpt_tos[0])
        if how == "no-content":
            return "554 5.7.1 Not this"
        content = cast("bytes", envelope.content)
        letter = cast("EmailMessage", message_from_bytes(content, policy=cast("Any", default)))
        self.mails.append(Mail(envelope.mail_from or "", envelope.rcpt_tos[0], letter, content))
        if how == "hang":
            await asyncio.sleep(5)
        if how == "drop":
            cast("Any", server.transport).abort()
        return "250 OK"

    def _how(self, address: str) -> str:
        name = address.partition("@")[0]
        return self.answers.get(name, name)


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what a server at 127.0.0.1 shows, and what trusts that."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail of the tests")])
    now = datetime.now(UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - _DAY, now + _DAY)
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "mail.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + made.public_bytes(Encoding.PEM))
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(file)
    return shown, ssl.create_default_context(cafile=file)


@contextmanager
def receiving_mail(**how: ssl.SSLContext | bool) -> Iterator[MailServer]:
    """Run a mail server; ``tls_context``: it has STARTTLS, ``ssl_context``: TLS at once.

    ``auth_require_tls`` False: it takes log-ins without either, and lets nobody in.
    """
    made = MailServer()
    port = free_port()
    controller = Controller(made, hostname="127.0.0.1", port=port, **how)  # type: ignore[arg-type]
    controller.start()
    try:
        made.url = f"smtp+plain://127.0.0.1:{port}"
        yield made
    finally:
        controller.stop()
