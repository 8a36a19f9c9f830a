"""Repeatable requests: a success is stored with what it did, and given again.

Source: RFC 9110 leaves POST unsafe to repeat; the header ``Idempotency-Key`` mends it.
"""

from __future__ import annotations

from typing import Protocol

import orjson
from sqlalchemy import Connection

from domain.i18n import say
from services.errors import IdempotencyKeyReused
from services.matches.answers import Done, Record, Replayed, StoredAnswer
from services.store import idempotency as records


class Keyed(Protocol):
    """A request that may be repeated: its key, and the digest of all that has to be the same."""

    @property
    def key(self) -> str:
        """The caller's key."""

    @property
    def fingerprint(self) -> str:
        """The digest."""


def repeat(connection: Connection, player: str, record: Keyed | None) -> None:
    """Raise ``Replayed`` if this very request of this player was answered before.

    Raises ``IdempotencyKeyReused`` if the key belongs to a different request.
    """
    if record is None:
        return
    kept = records.get(connection, player, record.key)
    if kept is None:
        return
    if kept.fingerprint != record.fingerprint:
        raise IdempotencyKeyReused(say("This Idempotency-Key was used for a different request."))
    raise Replayed(StoredAnswer(kept.status, orjson.loads(kept.headers), kept.body))


def store(
    connection: Connection, player: str, record: Record, done: Done, created_at: str
) -> StoredAnswer:
    """Render and keep the answer of a success, in the transaction of what it did."""
    answer = record.render(done)
    keep(connection, player, record, answer, created_at)
    return answer


def keep(
    connection: Connection, player: str, record: Keyed, answer: StoredAnswer, created_at: str
) -> None:
    """Keep an answer as it was rendered, in the transaction of what it answers."""
    headers = orjson.dumps(dict(answer.headers)).decode()
    records.save(
        connection,
        records.IdempotencyRecord(
            player, record.key, record.fingerprint, answer.status, headers, answer.body, created_at
        ),
    )
