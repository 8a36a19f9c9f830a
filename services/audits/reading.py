"""The events of stored rows, each read when somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import orjson
from typing_extensions import override

from domain.log import chain
from domain.match.events import Event
from services.store.log.audits import RawRow
from services.store.log.codec import CODEC


class Reading(Sequence[Event]):
    """A match's events, made of rows whose chain holds; an audit reads few of them as records.

    Asking for an event raises ``Corruption`` where its bytes are none that this release can read.
    """

    def __init__(self, rows: Sequence[RawRow]) -> None:
        self._rows = rows
        self._read: dict[int, Event] = {}

    @override
    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...

    @override
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self._rows)))]
        event = self._read.get(index)
        if event is None:
            event = self._read[index] = CODEC.one(*self._rows[index][5:])
        return event


def is_canonical(body: bytes) -> bool:
    """Whether stored bytes are canonical JSON: the only bytes that say what they say."""
    return chain.canonical(orjson.loads(body)) == body
