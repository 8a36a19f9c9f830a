"""Settings, all from the environment, read once per process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit

from environs import Env
from platformdirs import user_data_path

from services.runtime.mail_server import domain_of, read_mail_server
from services.runtime.metrics import HIGHEST_PORT, address_of

PREFIX = "PLYBOOK_"

LONGEST_CHALLENGE = 60
"""Days after which any match that nobody has joined is aborted."""

MOST_DAYS = 36_500
"""Of what is kept for so many days: no calendar goes on for ever."""

MOST = 2**31 - 1
"""Of all else, such as 68 years in seconds: clocks and timers take no more."""

ROOT = re.compile(r"(?:/[A-Za-z0-9._~-]+)+", re.ASCII)
"""The path of a public address: what all addresses of the service begin with. It names no host."""


def get_default_database() -> str:
    """Return where the database is when nobody says: a file in the user's data folder."""
    return str(user_data_path("plybook") / "plybook.sqlite3")


def _declare_setting(default: str | int, meaning: str, least: int = 0) -> Any:  # noqa: ANN401 - fields of every type
    return field(default=default, metadata={"meaning": meaning, "least": least})


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set; the name in the environment is ``PLYBOOK_`` and the field's name."""

    database_url: str = _declare_setting(
        "", "SQLAlchemy URL or path of the database; a plain path means SQLite."
    )
    host: str = _declare_setting("127.0.0.1", "Address to serve on.")
    port: int = _declare_setting(8080, "Port to serve on.")
    workers: int = _declare_setting(1, "Server processes.", least=1)
    metrics: str = _declare_setting(
        "127.0.0.1:9464", "Address and port of the figures for Prometheus; off: none are shown."
    )
    public_url: str = _declare_setting(
        "", "Address of the service for people, if not the above; may have a path."
    )
    showcase: str = _declare_setting(
        "",
        "Id of the finished public match that the first page shows, if not the demo's own; "
        "none: it shows none.",
    )
    rate_limit: int = _declare_setting(600, "Requests a minute for one client; 0: no limit.")
    sign_up_limit: int = _declare_setting(20, "New accounts an hour from one address; 0: no limit.")
    log_in_limit: int = _declare_setting(
        20, "Passwords shown a minute from one address; 0: no limit."
    )
    practice_limit: int = _declare_setting(
        60, "Practice matches an hour from one address; 0: no limit."
    )
    processor_limit: int = _declare_setting(
        20, "Seconds of processor time a minute for one client; 0: no limit."
    )
    trusted_proxies: int = _declare_setting(
        0, "Proxies in front whose X-Forwarded-For is believed."
    )
    max_body_bytes: int = _declare_setting(65536, "Longest request body.", least=1)
    max_connections: int = _declare_setting(
        12_000, "Connections open at once in one process; each takes a descriptor.", least=1
    )
    idle_seconds: int = _declare_setting(
        60,
        "Seconds after which a connection closes on which nothing comes and nothing is answered.",
        least=1,
    )
    max_streams: int = _declare_setting(1000, "Event streams open at once in one process.")
    max_client_streams: int = _declare_setting(
        100,
        "Of these, streams of one address, and of one account; newer replace older ones.",
        least=1,
    )
    max_own_streams: int = _declare_setting(
        4, "Of these, streams of one player's own matches.", least=1
    )
    max_exports: int = _declare_setting(
        8, "Exports of many matches under way at once in one process."
    )
    stream_seconds: int = _declare_setting(900, "How long one event stream stays open.", least=1)
    token_days: int = _declare_setting(90, "How long a token is good for.", least=1)
    session_days: int = _declare_setting(30, "How long a browser stays logged in.", least=1)
    challenge_days: int = _declare_setting(
        14, "Days that a challenge waits for its player, 1 to 60; one that is made keeps its own."
    )
    checkpoint_interval: int = _declare_setting(
        60, "Seconds between signed checkpoints that the worker makes; 0: none by themselves."
    )
    signing_key_file: str = _declare_setting(
        "", "File of the key that signs checkpoints, if not the one beside the database."
    )
    sweep_interval: int = _declare_setting(
        60, "Seconds between the worker's looks for clocks that have run out; 0: none."
    )
    downtime_grace: int = _declare_setting(
        600,
        "Seconds without a heartbeat that still count for clocks; what is longer is "
        "given back; 0: all time counts.",
    )
    webhooks_private: int = _declare_setting(
        0,
        "1: webhooks may lead into networks that are not the internet, and by http; "
        "0: they may not.",
    )
    push_key_file: str = _declare_setting(
        "", "File of the key by which push services know us, if not the one beside the database."
    )
    notice_days: int = _declare_setting(30, "Days for which it is kept what was told.", least=1)
    smtp_url: str = _declare_setting(
        "",
        "Server that takes mail: smtp://user:password@host:587 (with STARTTLS), smtps:// (TLS) or "
        "smtp+plain:// (neither); without it there is no e-mail.",
    )
    mail_from: str = _declare_setting("", "From whom mail comes: Plybook <notices@play.example>.")
    log_level: str = _declare_setting("info", "debug, info, warning or error.")
    log_format: str = _declare_setting("text", "text, or json (one object a line).")


ELSEWHERE = ("URL", "TOKEN")
"""What the commands for a service elsewhere read, behind the same prefix."""


def describe_unknown(environment: Iterable[str]) -> Iterator[str]:
    """Say, a sentence each, which names look like settings and are none."""
    known = [*(one.name.upper() for one in fields(Settings)), *ELSEWHERE]
    for name in sorted(environment):
        word = name.removeprefix(PREFIX)
        if word != name and word not in known:
            alike = get_close_matches(word, known, 1)
            meant = f" Did you mean {PREFIX}{alike[0]}?" if alike else ""
            yield f"{name} is no setting, and is ignored.{meant}"


def get_address(settings: Settings) -> str:
    """Return the address of the service for people, without a slash at its end."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return (settings.public_url or f"http://{host}:{settings.port}").rstrip("/")


def read_public_root(public_url: str) -> str:
    """Return the path of a public address, without a slash at its end. Raises ``ValueError``.

    >>> read_public_root("https://host.example/plybook/"), read_public_root("https://host.example")
    ('/plybook', '')
    """
    try:
        root = urlsplit(public_url).path.rstrip("/")
    except ValueError:
        raise ValueError(
            f"{PREFIX}PUBLIC_URL is an address such as https://host.example/plybook."
        ) from None
    if root and ROOT.fullmatch(root) is None:
        raise ValueError(
            f"The path of {PREFIX}PUBLIC_URL may have letters, digits, '.', '_', '~' and '-' only."
        )
    return root


def from_environment() -> Settings:
    """Read the settings from the environment. Raises ``ValueError`` in a person's words."""
    env = Env()
    values: dict[str, Any] = {}
    for one in fields(Settings):
        read: Callable[[str, Any], Any] = env.int if one.type == "int" else env.str
        values[one.name] = read(PREFIX + one.name.upper(), one.default)
    values["database_url"] = values["database_url"] or get_default_database()
    if not 1 <= values["challenge_days"] <= LONGEST_CHALLENGE:
        raise ValueError(
            f"{PREFIX}CHALLENGE_DAYS is a number of days from 1 to {LONGEST_CHALLENGE}."
        )
    address_of(values["metrics"])
    if not 1 <= values["port"] <= HIGHEST_PORT:
        raise ValueError(f"{PREFIX}PORT is a number from 1 to {HIGHEST_PORT}.")
    if values["webhooks_private"] not in (0, 1):
        raise ValueError(f"{PREFIX}WEBHOOKS_PRIVATE is 0 or 1.")
    if values["downtime_grace"] < 0:
        raise ValueError(f"{PREFIX}DOWNTIME_GRACE is a number of seconds, or 0: all time counts.")
    for one in fields(Settings):
        least = one.metadata["least"]
        if one.type == "int" and values[one.name] < least:
            raise ValueError(f"{PREFIX}{one.name.upper()} is a number from {least}.")
        most = MOST_DAYS if one.name.endswith("_days") else MOST
        if one.type == "int" and values[one.name] > most:
            raise ValueError(f"{PREFIX}{one.name.upper()} is at most {most}.")
    read_public_root(values["public_url"])
    if read_mail_server(values["smtp_url"]) is not None:
        domain_of(values["mail_from"])
    return Settings(**values)
