"""Opaque cursors: where a page ended, in a form that nobody needs to understand.

The cursor of a list whose rows move has the list's moment as well (``services.store.leafing``),
sealed.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from domain.saying import say
from services.errors import InvalidRequest
from services.store.readmodels import Place

_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_ID = re.compile(r"(i_)?[0-9a-z]{16}", re.ASCII)


def write_cursor(place: Place, sort: str, moment: str = "") -> str:
    """Return the cursor after the row with this instant and id, in this order of rows."""
    return urlsafe_b64encode("|".join((sort, *place, moment)).encode()).decode().rstrip("=")


def read_cursor(cursor: str, sort: str) -> tuple[Place, str]:
    """Return the instant and id of a cursor, and its list's moment. Raises ``InvalidRequest``.

    Whether that is a moment at all, its seal knows, and the database.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        parts = urlsafe_b64decode(padded.encode("ascii")).decode("ascii").split("|")
        made_for, when, row, moment = parts
    except (ValueError, UnicodeError):
        raise unusable() from None
    if made_for != sort or not _INSTANT.fullmatch(when) or not _ID.fullmatch(row):
        raise unusable()
    return Place(when, row), moment


def unusable() -> InvalidRequest:
    """Return the refusal of a cursor that nobody was given."""
    return InvalidRequest(say("This cursor is none of this list's."), pointer="/cursor")
