"""Opaque cursors: where a page ended, sealed, in a form that nobody needs to understand.

The numbers in a cursor count what everybody does. Between two moves on a quiet service they would
tell a player that the other one has stored conditional moves. So texts that clients keep for us go
out sealed, by AES-SIV (RFC 5297) with a fresh nonce: without the key nobody can read one, make one
of their own, or tell whether two of them say the same. Every process of a service has the same key.

A cursor of another service is known for it, and it names the newest event at its time, so that one
of another history of this service is known as well: after a backup was restored, the list that it
leafs through is not there any more.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Generic, NamedTuple, TypeVar

import sqlalchemy as sa
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import INSTANT
from services.errors import CursorGone, InvalidRequest
from services.store.db.engine import Database
from services.store.db.metadata import metadata
from services.store.log.feed import is_in_history, name_newest
from services.store.matches import ListKey

sealing = sa.Table(
    "sealing",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.CheckConstraint("id = 1", name="one"),
    sa.CheckConstraint("length(key) = 64", name="key"),
)
"""One row, made with the table. ``key``: 32 random bytes in hex."""


_NONCE = 16
_ROOM = 48
"""Contents are filled up to a multiple of so many bytes, since a length tells something too."""


@dataclass(slots=True)
class CursorCipher:
    """Seals and opens, by the key in the database; do not call it inside of a transaction."""

    database: Database
    _known: bytes | None = field(default=None, init=False)

    def seal(self, purpose: str, content: str) -> str:
        """Return ``content`` sealed; only for the same ``purpose`` it can be opened."""
        padded = content.encode().ljust(-(-len(content) // _ROOM) * _ROOM)
        nonce = token_bytes(_NONCE)
        sealed = AESSIV(self._load_key()).encrypt(padded, [purpose.encode(), nonce])
        return urlsafe_b64encode(nonce + sealed).decode().rstrip("=")

    def unseal(self, purpose: str, sealed: str) -> str | None:
        """Return what was sealed, or None: we have not sealed it, or not for this."""
        try:
            raw = urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
            nonce, rest = raw[:_NONCE], raw[_NONCE:]
            opened = AESSIV(self._load_key()).decrypt(rest, [purpose.encode(), nonce])
            return opened.decode().rstrip()
        except (InvalidTag, ValueError):
            return None

    def read(self, purpose: str, sealed: str, parts: int = 1) -> list[str]:
        """Return the ``parts`` of a cursor that we have sealed. Raises ``InvalidRequest``."""
        found = (self.unseal(purpose, sealed) or "").split("|")
        if len(found) != parts or not found[0]:
            raise InvalidRequest(
                say("This cursor does not belong to this list."), pointer="/cursor"
            )
        return found

    def hash_with_key(self, purpose: str, content: str) -> str:
        """Return the HMAC of ``content`` under a key for this ``purpose`` alone, in hex."""
        key = hmac.digest(self._load_key(), f"plybook/keyed-hash/{purpose}".encode(), "sha256")
        return hmac.digest(key, content.encode(), "sha256").hex()

    def _load_key(self) -> bytes:
        if self._known is None:
            with self.database.read() as connection:
                self._known = bytes.fromhex(
                    connection.execute(sa.select(sealing.c.key)).scalar_one()
                )
        return self._known


T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")


class Page(NamedTuple, Generic[T, C]):
    """What stands on a page of a list, and the cursor of the next page (None: this is the last)."""

    listed: list[T]
    next_cursor: C | None


def find_next_cursor(found: Sequence[T], limit: int, place: Callable[[T], C]) -> C | None:
    """Return the cursor behind a page's last row, if one more than ``limit`` rows were found."""
    return place(found[limit - 1]) if len(found) > limit else None


_ID = re.compile(r"(i_)?[0-9a-z]{16}", re.ASCII)


class Cursor(NamedTuple):
    """Behind which row a page begins. ``newest``: the newest event, as ``feed.name_newest`` has it.

    ``moment``: whose list it is, where rows move (``services.store.lobby.lists``); which channel's
    row it is, in a list of several (``services.notices.sent_lists``).
    """

    place: ListKey
    newest: str
    moment: str = ""


def write_cursor(sealer: CursorCipher, sort: str, cursor: Cursor) -> str:
    """Return what a client is given, good for a list in this order of rows only."""
    parts = (*cursor.place, cursor.newest, cursor.moment)
    return sealer.seal(_format_purpose(sort), "|".join(parts))


def read_cursor(sealer: CursorCipher, sort: str, written: str) -> Cursor:
    """Read what a client gives back. Raises ``InvalidRequest``."""
    parts = (sealer.unseal(_format_purpose(sort), written) or "").split("|")
    if len(parts) != 4 or not INSTANT.fullmatch(parts[0]) or not _ID.fullmatch(parts[1]):  # noqa: PLR2004 - the parts of a cursor
        raise InvalidRequest(say("This cursor does not belong to this list."), pointer="/cursor")
    when, row, newest, moment = parts
    return Cursor(ListKey(when, row), newest, moment)


class Paging:
    """One page of a list whose cursors are of one history; made outside of any transaction."""

    def __init__(self, sealer: CursorCipher, sort: str, written: str | None) -> None:
        """``written``: the cursor, None for the first page. Raises ``InvalidRequest``."""
        self._sealer = sealer
        self._sort = sort
        self._newest = ""
        self._behind = None if written is None else read_cursor(sealer, sort, written)
        self.moment = self._behind.moment if self._behind else ""

    def begin(self, connection: Connection) -> ListKey | None:
        """Return behind which row the page begins, if it is not the first; before any is read.

        Raises ``CursorGone``: a cursor of another history, from before a backup was restored, leads
        nowhere.
        """
        if self._behind is None:
            self._newest = name_newest(connection)
            return None
        if not is_in_history(connection, self._behind.newest):
            raise CursorGone(
                say(
                    "This list is no longer there: a backup was restored. Start at the first page."
                ),
                pointer="/cursor",
            )
        self._newest = self._behind.newest
        return self._behind.place

    def make_page(
        self,
        listed: list[T],
        found: Sequence[R],
        limit: int,
        place: Callable[[R], ListKey],
        moment: str = "",
    ) -> Page[T, str]:
        """Return a page, of whose rows one more than ``limit`` was found if there is a next one."""

        def write(last: R) -> str:
            return write_cursor(self._sealer, self._sort, Cursor(place(last), self._newest, moment))

        return Page(listed, find_next_cursor(found, limit, write))


def _format_purpose(sort: str) -> str:
    return f"cursor of {sort}"
