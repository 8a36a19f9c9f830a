"""How fast a replay goes on by itself, for browsers with a script and without one."""

from __future__ import annotations

from flask import request

from domain.i18n import say
from services.errors import InvalidRequest
from web.texts import N_

AS_PLAYED = "waits"
"""As it was played: real waits, the long ones cut to two seconds."""

SPEEDS = {
    "0.5": N_("0.5 a second"),
    "1": N_("1 a second"),
    "2": N_("2 a second"),
    "4": N_("4 a second"),
    "8": N_("8 a second"),
    AS_PLAYED: N_("as played, waits of 2 s at most"),
}
"""What the address says, and how a person chooses it."""


def asked_speed() -> str | None:
    """Return at which speed the address asks to play, None for a replay that stands still.

    Raises ``InvalidRequest``.
    """
    speed = request.args.get("play")
    if not speed:
        return None
    if speed not in SPEEDS:
        raise InvalidRequest(
            say("A speed is one of {speeds}.", speeds=", ".join(SPEEDS)), pointer="/play"
        )
    return speed


def seconds(speed: str) -> int:
    """Return how long a page without a script stays: whole seconds, one at least.

    >>> seconds("0.5"), seconds("8"), seconds(AS_PLAYED)
    (2, 1, 2)
    """
    return 2 if speed == AS_PLAYED else max(1, round(1 / float(speed)))
