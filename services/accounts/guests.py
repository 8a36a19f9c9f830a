"""Visitors who play against the house: players without a name, until they sign up.

A browser is such a player by the cookie that it holds its matches by. Whoever signs up with it goes
on as the same player, so that all that they have played is theirs. Nobody can look a visitor up,
challenge them, or log in as one: their keys are no folded names, and they have no password.
"""

from __future__ import annotations

from sqlalchemy import Connection

from services.accounts.accounts import hash_secret
from services.store import accounts
from services.store.db.engine import Database

NAME = "a visitor"
"""What all visitors are called; it has a space, which no player's name has."""

_BEFORE = "GUEST-"
_DIGITS = 18
"""Of the digest: a key has 24 characters, and nobody finds another cookie with the same 72 bits."""


def key_of(holder: str) -> str:
    """Return the key of the visitor whose browser holds this cookie.

    >>> len(key_of("a cookie")), key_of("a cookie").startswith("GUEST-")
    (24, True)
    """
    return f"{_BEFORE}{hash_secret(holder)[:_DIGITS]}"


def find_guest(database: Database, holder: str) -> str | None:
    """Return the id of the visitor who holds this cookie; None: they have not played."""
    with database.read() as connection:
        row = accounts.find_by_key(connection, key_of(holder))
    return None if row is None else row.id


def is_guest(connection: Connection, player: str | None) -> bool:
    """Say whether a player is a visitor still; False of who has signed up since."""
    row = None if player is None else accounts.find_by_id(connection, player)
    return row is not None and row.key.startswith(_BEFORE)
