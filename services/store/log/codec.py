"""Rows of events, to events and back; old schemas become the present one on the way.

``body`` is the event's canonical bytes, the very ones that ``hash`` covers. ``openings`` is
JSON: for each entry of ``sealed``, in order, ``[salt, value]``, or null where nobody here can
open it; NULL where nothing is sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log import event_format
from domain.match.events import FACTS, SCHEMAS, Event, Fact, Seal, from_data

Upcaster: TypeAlias = Callable[[JsonObject], JsonObject]
"""From the ``data`` of one schema of a kind to that of the next."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""(kind, schema) -> what makes schema + 1 of it. Every schema below the present one has its own."""

_new = tuple.__new__


def to_openings(sealed: Iterable[Seal]) -> bytes | None:
    """Return the ``openings`` to be stored beside an event's body."""
    pairs = (None if seal.salt is None else (seal.salt, seal.value) for seal in sealed)
    return event_format.write_openings(pairs)


class _Plan(NamedTuple):
    """How to make the facts of a kind without looking at each member by itself.

    ``values`` picks the ``size`` members out of the ``data`` of the present ``schema``.
    """

    schema: int
    size: int
    record: Any
    values: Callable[[JsonObject], tuple[Json, ...]]


class Codec:
    """What is needed to read events: the present schemas, and the ways from older ones."""

    def __init__(
        self, schemas: Mapping[str, int], upcasters: Mapping[tuple[str, int], Upcaster]
    ) -> None:
        self.schemas = schemas
        self.upcasters = upcasters
        self._plans = {
            kind: _Plan(schemas[kind], len(record._fields), record, itemgetter(*record._fields))
            for kind, record in FACTS.items()
            # A getter of one member gives no tuple; a member that may be missing needs a look.
            if len(record._fields) > 1 and not record._field_defaults
        }

    def decode(self, rows: Iterable[Any]) -> list[Event]:
        """Return the events of rows of (body, hash, openings), as ``each`` gives them."""
        return list(self.each(rows))

    def each(self, rows: Iterable[Any]) -> Iterator[Event]:
        """Yield the events of rows of (body, hash, openings).

        ``schema`` stays what an event was stored under, and sealed values stay as they were
        committed to. Raises ``Corruption`` for what is no event, an unknown kind, and a schema
        that is newer than this release or that no upcaster starts from.

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
        """Return the fact of stored data, the quick way if it is as this release writes it."""
        plan = self._plans.get(kind)
        if plan is None or plan[0] != schema or plan[1] != len(data):
            return self._upcast(kind, schema, data)
        fact: Fact = _new(plan[2], plan[3](data))
        return fact

    def _upcast(self, kind: str, schema: int, data: JsonObject) -> Fact:
        present = self.schemas.get(kind)
        if present is None:
            raise Corruption(f"an event of the unknown kind {kind!r}")
        if schema > present:
            raise Corruption(f"a {kind} event of schema {schema}; this release knows {present}")
        for older in range(schema, present):
            upcaster = self.upcasters.get((kind, older))
            if upcaster is None:
                raise Corruption(f"no way from schema {older} of {kind} to the next")
            data = upcaster(data)
        return from_data(kind, data)


def _none(error: Exception) -> Corruption:
    return Corruption(f"a stored event that is none: {error!r}")


def _seals(sealed: Sequence[JsonObject], openings: bytes | None) -> tuple[Seal, ...]:
    opened = event_format.read_openings(openings, len(sealed))
    return tuple(
        Seal(tuple(entry["for"]), entry["commitment"], *(pair or (None, None)))
        for entry, pair in zip(sealed, opened, strict=True)
    )


CODEC = Codec(SCHEMAS, UPCASTERS)
"""The codec of this release."""
