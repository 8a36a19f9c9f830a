"""Opaque cursors: where a page ended, in a form that nobody needs to understand.

A cursor is sealed, so that one of another service is known for it, and it names the newest event
at its time, so that one of another history of this service is known as well: after a backup was
restored, the list that it leafs through is not there any more.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from domain.i18n import say
from services.errors import CursorGone, InvalidRequest
from services.store.matches import Place
from services.store.sealing import Sealer

_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_ID = re.compile(r"(i_)?[0-9a-z]{16}", re.ASCII)


class Cursor(NamedTuple):
    """Behind which row a page begins. ``newest``: which event was the newest (``store.newest``).

    ``moment``: whose list it is, where rows move (``services.store.leafing``).
    """

    place: Place
    newest: str
    moment: str = ""


def write_cursor(sealer: Sealer, sort: str, cursor: Cursor) -> str:
    """Return what a client is given, good for a list in this order of rows only."""
    parts = (*cursor.place, cursor.newest, cursor.moment)
    return sealer.seal(_purpose(sort), "|".join(parts))


def read_cursor(sealer: Sealer, sort: str, written: str) -> Cursor:
    """Read what a client gives back. Raises ``InvalidRequest``."""
    parts = (sealer.opened(_purpose(sort), written) or "").split("|")
    if len(parts) != 4 or not _INSTANT.fullmatch(parts[0]) or not _ID.fullmatch(parts[1]):  # noqa: PLR2004 - the parts of a cursor
        raise InvalidRequest(say("This cursor is none of this list's."), pointer="/cursor")
    when, row, newest, moment = parts
    return Cursor(Place(when, row), newest, moment)


def gone() -> CursorGone:
    """Return the refusal of a cursor of another history."""
    return CursorGone(
        say("This list is not there any more: a backup was restored. Begin with the first page."),
        pointer="/cursor",
    )


def _purpose(sort: str) -> str:
    return f"cursor of {sort}"
