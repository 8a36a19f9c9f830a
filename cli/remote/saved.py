"""Which service, and who one is there: kept in a file of one's own, or told by the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from cli.remote.connection import Connection
from cli.terminal.exits import USAGE, Failure

URL, TOKEN = "PLYBOOK_URL", "PLYBOOK_TOKEN"

ONLY_MINE = 0o600


class Login(NamedTuple):
    """A service and a token for it. ``token_id``: to revoke it by, where that is known."""

    url: str
    token: str
    token_id: str | None = None
    name: str | None = None


def place() -> Path:
    """Return where the login is kept."""
    from platformdirs import user_config_path

    return user_config_path("plybook") / "remote.json"


def save(login: Login) -> Path:
    """Keep a login where nobody else can read it; return where."""
    import orjson

    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}")
    # Closed to others from the beginning, not only once something stands in it.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_MINE), "wb") as file:
        file.write(orjson.dumps(login._asdict()))
    new.replace(path)
    return path


def kept() -> Login | None:
    """Return the login that is kept, or None. Raises ``Failure`` for a file that is none."""
    import orjson

    try:
        return Login(**orjson.loads(place().read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise Failure(f"{place()} cannot be read: {error}. Log in again.") from error


def connection() -> Connection:
    """Return the connection that the environment or the file asks for. Raises ``Failure``."""
    url, token = os.environ.get(URL), os.environ.get(TOKEN)
    login = None if url and token else kept()
    if login is None and not (url and token):
        raise Failure("You are not logged in anywhere: plybook remote login URL NAME", USAGE)
    if login is not None:
        if url and checked_url(url) != login.url and not token:
            raise Failure(f"{URL} names another service than your login: set {TOKEN} too.", USAGE)
        url, token = url or login.url, token or login.token
    return Connection(checked_url(url or ""), token)


def checked_url(text: str) -> str:
    """Return the address of a service without what is too much of it. Raises ``Failure``.

    >>> checked_url("https://plybook.example/")
    'https://plybook.example'
    """
    url = text if "://" in text else f"https://{text}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
        raise Failure(
            f"{text!r} is no address of a service, such as https://plybook.example", USAGE
        )
    return url.rstrip("/").removesuffix("/api/v1")
