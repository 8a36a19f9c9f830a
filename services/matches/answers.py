"""What a command gives back, and the record that makes a repeated one harmless."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from domain.json_types import JsonObject
from services.matches.showing import Shown


class StoredAnswer(NamedTuple):
    """An answer as it was given, to be given again."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """A command that succeeded: the match afterwards and the events that it led to.

    Both as the caller may see them. ``answer`` is what a record's ``render`` gave.
    """

    shown: Shown
    events: list[JsonObject]
    answer: StoredAnswer | None = None


_Given = TypeVar("_Given")


@dataclass(frozen=True, slots=True)
class Repeatable(Generic[_Given]):
    """As ``Record``, of what gives something else than ``Done``."""

    key: str
    fingerprint: str
    render: Callable[[_Given], StoredAnswer]


@dataclass(frozen=True, slots=True)
class Record:
    """How to make a request repeatable.

    ``key``: the caller's idempotency key. ``fingerprint``: digest of all that has to be
    the same in a repetition. ``render``: makes the answer to be stored, inside the
    transaction.
    """

    key: str
    fingerprint: str
    render: Callable[[Done], StoredAnswer]


class Replayed(Exception):
    """The request was answered before; here is that answer."""

    def __init__(self, answer: StoredAnswer) -> None:
        super().__init__("answered before")
        self.answer = answer
