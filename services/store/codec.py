"""Rows of events, to events and back; old schemas become the present one on the way.

``body`` is the event's canonical bytes, the very ones that ``hash`` covers. ``openings`` is
JSON: for each entry of ``sealed``, in order, ``[salt, value]``, or null where nobody here can
open it; NULL where nothing is sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

import orjson

from domain.chain import canonical
from domain.errors import Corruption
from domain.events import FACTS, SCHEMAS, Event, Fact, Seal, from_data
from domain.json_types import Json, JsonObject

Upcaster: TypeAlias = Callable[[JsonObject], JsonObject]
"""From the ``data`` of one schema of a kind to that of the next."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
"""(kind, schema) -> what makes schema + 1 of it. Every schema below the present one has its own."""

_MEMBERS = itemgetter("match", "version", "kind", "schema", "actor", "at", "data", "previous")


def to_openings(sealed: Iterable[Seal]) -> bytes | None:
    """Return the ``openings`` to be stored beside an event's body."""
    entries = [None if seal.salt is None else [seal.salt, seal.value] for seal in sealed]
    return canonical(entries) if entries else None


class Codec(NamedTuple):
    """What is needed to read events: the present schemas, and the way from older ones."""

    schemas: Mapping[str, int]
    upcasters: Mapping[tuple[str, int], Upcaster]

    def decode(self, body: bytes, hashed: str, openings: bytes | None) -> Event:
        """Return the event of a row. ``schema`` stays what it was stored under.

        Sealed values stay as they were committed to. Raises ``Corruption`` for what is no
        event, an unknown kind, and a schema that is newer than this release or of no known way.
        """
        try:
            whole = orjson.loads(body)
            match, version, kind, schema, actor, at, data, previous = _MEMBERS(whole)
            sealed = _seals(whole["sealed"], openings) if whole["sealed"] else ()
        except (KeyError, TypeError, ValueError) as error:
            raise Corruption(f"a stored event that is none: {error!r}") from error
        fact = self._fact(kind, schema, data)
        return Event(match, version, kind, schema, actor, at, fact, sealed, previous, hashed, body)

    def _fact(self, kind: str, schema: int, data: JsonObject) -> Fact:
        if self.schemas.get(kind) != schema:
            data = self._present(kind, schema, data)
        try:
            fact: Fact = FACTS[kind](**data)
        except (KeyError, TypeError):
            return from_data(kind, data)
        return fact

    def _present(self, kind: str, schema: int, data: JsonObject) -> JsonObject:
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
        return data


def _seals(sealed: list[JsonObject], openings: bytes | None) -> tuple[Seal, ...]:
    opened: list[Json] = [None] * len(sealed) if openings is None else orjson.loads(openings)
    return tuple(
        Seal(tuple(entry["for"]), entry["commitment"], *(pair or (None, None)))
        for entry, pair in zip(sealed, opened, strict=True)
    )


CODEC = Codec(SCHEMAS, UPCASTERS)
"""The codec of this release."""


def decode(rows: Iterable[Any]) -> list[Event]:
    """Return the events of rows of (body, hash, openings). Raises ``Corruption``."""
    read = CODEC.decode
    return [read(body, hashed, openings) for body, hashed, openings in rows]
