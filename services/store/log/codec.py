"""Rows of the table of events, to events and back.

``body`` is the event's canonical bytes, the very ones that ``hash`` covers. ``openings`` is
JSON: for each entry of ``sealed``, in order, ``[salt, value]``, or null where nobody here can
open it; NULL where nothing is sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log import event_format
from domain.match.events import FACTS, Event, Fact, Seal, from_data

_new = tuple.__new__


def to_openings(sealed: Iterable[Seal]) -> bytes | None:
    """Return the ``openings`` to be stored beside an event's body."""
    pairs = (None if seal.salt is None else (seal.salt, seal.value) for seal in sealed)
    return event_format.write_openings(pairs)


class _Plan(NamedTuple):
    """How to make the facts of a kind of schema 1 without looking at each member by itself.

    ``values`` picks the ``size`` members that must be there out of the ``data``; ``rest`` are those
    that are not.
    """

    size: int
    record: Any
    values: Callable[[JsonObject], tuple[Json, ...]]
    rest: tuple[Json, ...]


class Codec:
    """What is needed to read events."""

    def __init__(self) -> None:
        self._plans = {kind: _plan(kind) for kind in FACTS}

    def decode(self, rows: Iterable[Any]) -> list[Event]:
        """Return the events of rows of (body, hash, openings), as ``each`` gives them."""
        return list(self.each(rows))

    def each(self, rows: Iterable[Any]) -> Iterator[Event]:
        """Yield the events of rows of (body, hash, openings).

        Raises ``Corruption`` for what is no event, an unknown kind, and a schema that is newer than
        this release.

        One event after the other, so that whoever folds them keeps none: a thousand at once
        make the garbage collector look through everything that the process has.
        """
        for body, hashed, openings in rows:
            yield self.one(body, hashed, openings)

    def one(self, body: bytes, hashed: str, openings: bytes | None) -> Event:
        """Return an event, as ``each`` gives it. Raises ``Corruption``."""
        try:
            read = event_format.read(body)
            match, version, kind, schema, actor, at, data, sealed, previous = read
            fact = self._fact(kind, schema, data)
            seals = _seals(sealed, openings) if sealed else ()
        except (KeyError, TypeError, ValueError) as error:
            raise _none(error) from error
        members = (match, version, kind, schema, actor, at, fact, seals, previous, hashed, body)
        return _new(Event, members)

    def _fact(self, kind: str, schema: int, data: JsonObject) -> Fact:
        """Return the fact of stored data, the quick way if it has what it always had."""
        plan = self._plans.get(kind)
        if plan is None or schema != 1 or plan.size != len(data):
            return from_data(kind, schema, data)
        fact: Fact = _new(plan.record, plan.values(data) + plan.rest)
        return fact


def _plan(kind: str) -> _Plan | None:
    record = FACTS[kind]
    optional = record._field_defaults
    needed = [name for name in record._fields if name not in optional]
    # A getter of one member gives no tuple.
    if not needed[1:]:
        return None
    return _Plan(len(needed), record, itemgetter(*needed), tuple(optional.values()))


def _none(error: Exception) -> Corruption:
    return Corruption(f"a stored event that is none: {error!r}")


def _seals(sealed: Sequence[JsonObject], openings: bytes | None) -> tuple[Seal, ...]:
    opened = event_format.read_openings(openings, len(sealed))
    return tuple(
        Seal(tuple(entry["for"]), entry["commitment"], *(pair or (None, None)))
        for entry, pair in zip(sealed, opened, strict=True)
    )


CODEC = Codec()
"""The codec of this release."""
