"""How many files and connections a process may have open, seen to before it serves."""

from __future__ import annotations

import resource
from typing import NamedTuple

from services.errors import CannotServe

FEWEST = 128
"""With fewer descriptors than this, nothing is served."""


class Room(NamedTuple):
    """How many connections a process can take at once, and a sentence if those are few."""

    connections: int
    warning: str | None


def make_room(connections: int, beside: int) -> Room:
    """Let this process, and those it starts, have so many connections and ``beside`` files.

    Raises ``CannotServe`` where almost none are allowed.
    """
    wanted = connections + beside
    allowed = _allow(wanted)
    if allowed >= wanted:
        return Room(connections, None)
    advice = f"raise the limit (ulimit -n {wanted}, or LimitNOFILE={wanted} of a systemd unit)"
    if allowed < FEWEST:
        raise CannotServe(
            f"A process may open no more than {allowed} files here, too few to serve: {advice}."
        )
    possible = allowed - min(beside, allowed // 2)
    return Room(
        possible,
        f"A process may open no more than {allowed} files here, so it takes {possible} connections "
        f"at once, not {connections} (PLYBOOK_MAX_CONNECTIONS): {advice}, or set fewer.",
    )


def _allow(wanted: int) -> int:
    """Raise the limit of this process as far as it may and as is wanted; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if soft == infinite or soft >= wanted:
        return wanted
    highest = wanted if hard == infinite else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    except (OSError, ValueError):
        # Some systems allow less than they say.
        return soft
    return highest
