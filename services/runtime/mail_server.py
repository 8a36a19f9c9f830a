"""The server that takes the service's mail, as the settings name it."""

from __future__ import annotations

from email.utils import parseaddr
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

TLS, STARTTLS, PLAIN, FOLDER = "smtps", "smtp", "smtp+plain", "folder"
"""Schemes: encrypted from the beginning, before anything is said, or not at all; and the folder in
which the demo keeps mail."""

_PORTS = {TLS: 465, STARTTLS: 587, PLAIN: 25}


class MailServer(NamedTuple):
    """Where mail is handed over, how that is encrypted, and by which log-in if one is needed.

    ``host``: of the scheme ``FOLDER`` it is a path.
    """

    host: str
    port: int
    security: str
    user: str | None = None
    password: str | None = None


def read_mail_server(url: str) -> MailServer | None:
    """Read the address of a mail server; None: there is none. Raises ``ValueError``.

    >>> read_mail_server("smtp://me:s%40fe@mail.example")
    MailServer(host='mail.example', port=587, security='smtp', user='me', password='s@fe')
    """
    if not url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        raise _make_error() from None
    if parts.scheme == FOLDER:
        return MailServer(unquote(parts.path), 0, FOLDER)
    if not parts.hostname or parts.scheme not in _PORTS:
        raise _make_error()
    user, password = (unquote(one) if one else None for one in (parts.username, parts.password))
    return MailServer(parts.hostname, port, parts.scheme, user, password)


def _make_error() -> ValueError:
    # What stands there may have a password in it: it is not said again.
    return ValueError(
        "PLYBOOK_SMTP_URL is an address such as smtp://user:password@mail.example:587 (with "
        "STARTTLS), smtps://mail.example (TLS), or smtp+plain://127.0.0.1:25."
    )


def hide_password(url: str) -> str:
    """Return the address of a mail server as it may be shown.

    >>> hide_password("smtp://me:secret@mail.example:587")
    'smtp://me:***@mail.example:587'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "***"
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username}:***@{host}").geturl()


def domain_of(sender: str) -> str:
    """Return the domain of the address that mail comes from. Raises ``ValueError``.

    >>> domain_of("Plybook <notices@play.example>")
    'play.example'
    """
    address = parseaddr(sender)[1]
    name, _, domain = address.rpartition("@")
    if not name or not domain or not sender.isprintable() or not address.isascii():
        raise ValueError(
            "PLYBOOK_MAIL_FROM is an address such as Plybook <notices@play.example>, in ASCII; "
            "with PLYBOOK_SMTP_URL it is needed."
        )
    return domain
