"""The id of an event for those who come back: its version, and the start of the hash there.

After a backup was restored, a match may get other events at versions that it had before. By the
hash, somebody who comes back with the id of an event that is gone is known for it. A plain version
is taken as well; it can be told only when it lies beyond the end.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from typing_extensions import override

from domain.match.state import Match

FORM = r"[0-9]+(?:-[0-9a-f]{16})?"
"""How an id, or a plain version, looks."""

_HASH = 16
_MOST = 2**31 - 1
_DIGITS = 11
"""Beyond every end, and no more than every database takes."""
_FORM = re.compile(FORM, re.ASCII)


class EventId(NamedTuple):
    """An event, or the beginning (version 0). ``hash``: its start; empty: a plain version."""

    version: int
    hash: str = ""

    @override
    def __str__(self) -> str:
        """Write it for a client.

        >>> str(make_event_id(7, "ab" * 32))
        '7-abababababababab'
        """
        return f"{self.version}-{self.hash}" if self.hash else str(self.version)

    def is_of(self, match: Match, following: str | None) -> bool:
        """Whether it is in the history of a match.

        ``following``: what the event behind it names as the hash before it; None: there is none.
        """
        if self.version > match.version:
            return False
        there = match.head if following is None else following
        return not self.version or there.startswith(self.hash)


START = EventId(0)


def make_event_id(version: int, hashed: str) -> EventId:
    """Return the id of the event with this version and hash."""
    return EventId(version, hashed[:_HASH])


def read_event_id(written: str) -> EventId | None:
    """Read what a client gives back; None: it is no id and no version."""
    if _FORM.fullmatch(written) is None:
        return None
    version, _, hashed = written.partition("-")
    # However many digits there are, a few of them tell that it is beyond all versions.
    return EventId(min(int(version.lstrip("0")[:_DIGITS] or "0"), _MOST), hashed)
