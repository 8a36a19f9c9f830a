"""What callers ask of matches, what they get back, and how a request may be repeated.

A success is stored with what it did, and given again to whoever repeats the request under its
key. Source: RFC 9110 leaves POST unsafe to repeat; the header ``Idempotency-Key`` mends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import orjson
from sqlalchemy import Connection

from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.state import Match
from services.errors import IdempotencyKeyReused
from services.matches import access
from services.matches.match_json import ShownMatch
from services.matches.repository import Appended
from services.store import idempotency
from services.store.db.engine import Database
from services.store.ratings import Range


class StoredAnswer(NamedTuple):
    """An answer as it was given, to be given again."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A command that succeeded: the match afterwards and the events that it led to.

    Both as the caller may see them. ``answer`` is what a record's ``render`` gave.
    """

    shown: ShownMatch
    events: list[JsonObject]
    answer: StoredAnswer | None = None


_Given = TypeVar("_Given")


@dataclass(frozen=True, slots=True)
class Repeatable(Generic[_Given]):
    """How to make a request repeatable.

    ``key``: the caller's idempotency key. ``fingerprint``: digest of all that has to be
    the same in a repetition. ``render``: makes the answer to be stored, inside the
    transaction, of what the use case gives.
    """

    key: str
    fingerprint: str
    render: Callable[[_Given], StoredAnswer]


class AlreadyAnswered(Exception):
    """The request was answered before; here is that answer."""

    def __init__(self, answer: StoredAnswer) -> None:
        super().__init__("answered before")
        self.answer = answer


BY_PLAYER, BY_BOT = "player", "bot"
"""The ``cause`` of a move: who has decided on it."""

Preparing = Callable[[Match], commands.Command]
InTransaction = Callable[[Connection, Appended], None]


class NewMatch(NamedTuple):
    """A match to create. ``seat``: 1, 2 or None for chance; ``opponent``: a name."""

    game: str
    options: JsonObject | None = None
    settings: JsonObject | None = None
    seat: int | None = None
    opponent: str | None = None
    visibility: str = access.PUBLIC
    rated: bool = False
    pace: Json = None
    invitation: bool = False
    """Whether somebody is to be invited to it by a link."""
    rating_range: Range | None = None
    """Between which ratings whoever joins has to be."""
    series: Json = None
    """The terms of the series that it begins, as ``domain.match.series`` takes them; None: none."""


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """Who asks for a change, on which version it was decided, and how to repeat it.

    ``cause``, ``engine``: of moves. ``invited``: the caller may see the match, though
    it is private. ``also``: called in the transaction of the events, each looks at what else has
    to hold, or keeps what else is to be kept; it may raise a ``Refusal``.
    """

    caller: str
    expected: int | None = None
    any_version: bool = False
    record: Repeatable[CommandResult] | None = None
    admin: bool = False
    cause: str = BY_PLAYER
    engine: JsonObject | None = None
    invited: bool = False
    also: tuple[InTransaction, ...] = ()


def must_be_new(database: Database, player: str, record: Repeatable[_Given] | None) -> None:
    """Raise what ``must_be_new_in`` raises."""
    if record is not None:
        with database.read() as connection:
            must_be_new_in(connection, player, record)


def must_be_new_in(connection: Connection, player: str, record: Repeatable[_Given] | None) -> None:
    """Raise ``AlreadyAnswered`` if this very request of this player was answered before.

    Raises ``IdempotencyKeyReused`` if the key belongs to a different request.
    """
    if record is None:
        return
    kept = idempotency.find(connection, player, record.key)
    if kept is None:
        return
    if kept.fingerprint != record.fingerprint:
        raise IdempotencyKeyReused(say("This Idempotency-Key was used for a different request."))
    raise AlreadyAnswered(StoredAnswer(kept.status, orjson.loads(kept.headers), kept.body))


def keep_answer(
    connection: Connection, player: str, record: Repeatable[_Given] | None, done: _Given, at: str
) -> StoredAnswer | None:
    """Render the answer of a success and keep it, in the transaction of what it did."""
    if record is None:
        return None
    answer = record.render(done)
    headers = orjson.dumps(dict(answer.headers)).decode()
    idempotency.save(
        connection,
        idempotency.IdempotencyRecord(
            player, record.key, record.fingerprint, answer.status, headers, answer.body, at
        ),
    )
    return answer
