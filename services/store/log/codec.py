"""Rows of the table of events, to events and back.

``body`` is the event's canonical bytes, the very ones that ``hash`` covers. ``openings`` is
JSON: for each entry of ``sealed``, in order, ``[salt, value]``, or null where nobody here can
open it; NULL where nothing is sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.log import event_format
from domain.match.events import Event, Seal, from_data


def to_openings(sealed: Iterable[Seal]) -> bytes | None:
    """Return the ``openings`` to be stored beside an event's body."""
    pairs = (None if seal.salt is None else (seal.salt, seal.value) for seal in sealed)
    return event_format.write_openings(pairs)


def decode(rows: Iterable[Any]) -> list[Event]:
    """Return the events of rows of (body, hash, openings), as ``iter_events`` gives them."""
    return list(iter_events(rows))


def iter_events(rows: Iterable[Any]) -> Iterator[Event]:
    """Yield the events of rows of (body, hash, openings), as ``decode_event`` gives them.

    One event after the other, so that whoever folds them keeps none: a thousand at once make the
    garbage collector look through everything that the process has.
    """
    for body, hashed, openings in rows:
        yield decode_event(body, hashed, openings)


def decode_event(body: bytes, hashed: str, openings: bytes | None) -> Event:
    """Return an event.

    Raises ``Corruption`` for what is no event, an unknown kind, and a schema that is newer than
    this release.
    """
    try:
        read = event_format.read(body)
        match, version, kind, schema, actor, at, data, sealed, previous = read
        fact = from_data(kind, schema, data)
        seals = _read_seals(sealed, openings) if sealed else ()
    except (KeyError, TypeError, ValueError) as error:
        raise Corruption(f"a stored event that is none: {error!r}") from error
    return Event(match, version, kind, schema, actor, at, fact, seals, previous, hashed, body)


def _read_seals(sealed: Sequence[JsonObject], openings: bytes | None) -> tuple[Seal, ...]:
    opened = event_format.read_openings(openings, len(sealed))
    return tuple(
        Seal(tuple(entry["for"]), entry["commitment"], *(pair or (None, None)))
        for entry, pair in zip(sealed, opened, strict=True)
    )
