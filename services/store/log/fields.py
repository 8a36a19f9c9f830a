"""The fields of all events of some matches, taken out of columns that a database strung together.

Nothing is believed because it was strung together: columns come apart only if no field is missing,
of another type, or has the separator in it, and if the events are those of the matches that are
looked for. Otherwise the rows are to be read one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, count, repeat
from typing import NamedTuple

import orjson

from services.store.log.audits import End, RawRow

_COMMA = ","
_BETWEEN = b","
_AT = b'"at":"'
_QUOTE = 34
_OPENED = b"1"

INSTANT = len("2026-11-27T22:03:11.482913Z")
SPAN = len(_AT) + INSTANT + len('"')
"""Letters of an instant, and of all that says it in an event."""

FEW = 500
"""Events of a match that has not many."""


class Columns(NamedTuple):
    """All events of some matches in the order of ids and versions, a column in a value.

    ``events``: how many there are; ``sound``: how many of them have every field, of its type.
    ``instants``: each with its name in front, as it stands in an event's bytes.
    ``opened``: for each event whether it has openings, 1 or 0; None, as ``openings`` is, if they
    were not wanted. Without any events, all but the numbers are None.
    """

    events: int
    sound: int
    matches: bytes
    positions: str
    versions: bytes
    kinds: bytes
    instants: bytes
    hashes: bytes
    bodies: bytes
    opened: bytes | None
    openings: bytes | None


class Fields(NamedTuple):
    """The fields of the first event of the first match, of its second, and so on.

    ``stops``: for each of the matches, the index behind its last event. ``hashes`` are those of the
    bodies; ``openings`` are by the index of their event. ``instants`` has one behind the other,
    each with its name in front, of ``SPAN`` letters.
    """

    matches: list[str]
    stops: list[int]
    positions: list[int]
    kinds: list[str]
    instants: str
    hashes: list[str]
    bodies: list[bytes]
    openings: dict[int, bytes]

    @property
    def starts(self) -> list[int]:
        """For each of the matches, the index of its first event."""
        return [0, *self.stops[:-1]]

    def row(self, index: int) -> RawRow:
        """Return an event's row."""
        number = bisect_right(self.stops, index)
        start = self.stops[number - 1] if number else 0
        return self._rows(self.matches[number], start, index, index + 1)[0]

    def rows(self) -> list[list[RawRow]]:
        """Return all rows of each match."""
        parts = zip(self.matches, self.starts, self.stops, strict=True)
        return [self._rows(match, start, start, stop) for match, start, stop in parts]

    def _rows(self, match: str, start: int, first: int, stop: int) -> list[RawRow]:
        """Return the rows from ``first`` on of a match that begins at ``start``."""
        _, _, positions, kinds, instants, hashes, bodies, openings = self
        places = range(SPAN * first + len(_AT), SPAN * stop, SPAN)
        opened = map(openings.get, range(first, stop)) if openings else repeat(None)
        fields = zip(
            positions[first:stop],
            repeat(match),
            count(first - start + 1),
            kinds[first:stop],
            [instants[place : place + INSTANT] for place in places],
            bodies[first:stop],
            hashes[first:stop],
            opened,
            strict=False,
        )
        return list(fields)


def apart(columns: Columns, ends: Mapping[str, End]) -> Fields | None:
    """Take columns apart; None if that cannot be done.

    Nor if these are not all events of the matches that have ``ends``, each as long as is said
    there, with the hash that is said there, or if a body's hash is not what stands beside it.
    """
    matches, counts = [*ends], [end.version for end in ends.values()]
    if not (
        columns.events == columns.sound == sum(counts) > 0
        and columns.matches == _each_time(matches, counts)
        and columns.versions == _BETWEEN.join(map(_numbers, counts))
    ):
        return None
    bodies = columns.bodies.split(b"\n")
    hashes = digests(bodies)
    if _COMMA.join(hashes).encode() != columns.hashes:
        return None
    try:
        if not _begin_with(columns.instants, bodies):
            return None
        positions = orjson.loads(f"[{columns.positions}]")
        kinds = columns.kinds.decode().split(_COMMA)
        instants = columns.instants.decode()
        openings = _openings(columns)
    except (IndexError, ValueError):
        return None
    stops = [*accumulate(counts)]
    fields = Fields(matches, stops, positions, kinds, instants, hashes, bodies, openings)
    return fields if _are_whole(fields) and _end_with(fields, ends) else None


def _are_whole(fields: Fields) -> bool:
    """Whether there is as much in each list as there are events."""
    number = fields.stops[-1]
    lists = fields.positions, fields.kinds, fields.bodies
    return all(len(one) == number for one in lists) and len(fields.instants) == SPAN * number


def _each_time(matches: list[str], counts: list[int]) -> bytes:
    """Return the match of each event; an id that is no text has surrogates for its bytes."""
    said = _COMMA.join(map(_COMMA.join, map(repeat, matches, counts)))
    return said.encode(errors="surrogateescape")


def _end_with(fields: Fields, ends: Mapping[str, End]) -> bool:
    """Whether each match has the head that is said of it."""
    heads = [fields.hashes[stop - 1] for stop in fields.stops]
    return heads == [end.head for end in ends.values()]


def _begin_with(instants: bytes, bodies: list[bytes]) -> bool:
    """Whether each of the bodies has its instant where it must be: behind the actor.

    That is a seat or the server, or the creator, or else an administrator.
    """
    said = [body[18:52] if body[18] == _QUOTE else body[19:53] for body in bodies]
    if instants == b"".join(said):
        return True
    starts = [body.find(_AT, 17, 26) for body in bodies]
    said = [body[start : start + SPAN] for start, body in zip(starts, bodies, strict=True)]
    return -1 not in starts and instants == b"".join(said)


def digests(bodies: Iterable[bytes]) -> list[str]:
    """Return the hash of each body."""
    return [sha256(body).hexdigest() for body in bodies]


def _openings(columns: Columns) -> dict[int, bytes]:
    if columns.opened is None or columns.openings is None:
        return {}
    indexes, index = [], -1
    while (index := columns.opened.find(_OPENED, index + 1)) >= 0:
        indexes.append(index)
    return dict(zip(indexes, columns.openings.split(b"\n"), strict=True))


def _joined(number: int) -> bytes:
    return _COMMA.join(map(str, range(1, number + 1))).encode()


_joined_before = lru_cache(maxsize=FEW)(_joined)


def _numbers(number: int) -> bytes:
    """Return the versions of so many events; those of short matches are wanted again and again."""
    return _joined_before(number) if number <= FEW else _joined(number)
