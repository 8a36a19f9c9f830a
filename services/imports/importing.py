"""The use case: read, verify, store. All or nothing for each match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import IO, NamedTuple

from sqlalchemy import Connection

from domain.registry import Games
from services.clock import Now, instant
from services.imports.checking import Verified, verified
from services.imports.quick import quickly
from services.imports.reading import Block, Unreadable, unread
from services.repository import Repository
from services.store import events as log
from services.store import imported
from services.store.engine import Database
from services.store.events import VersionTaken
from services.store.imported import ImportedRow

AT_ONCE = 5_000
"""Events that one transaction takes in, where matches are short."""
AHEAD = timedelta(minutes=5)
"""How far another service's clock may go before ours."""


class Outcome(StrEnum):
    """What became of a match."""

    IMPORTED = "imported"
    KNOWN = "known"
    REFUSED = "refused"


class Told(NamedTuple):
    """What became of one match of a file. ``line``: where it begins; ``reason``: why not."""

    line: int
    match: str | None
    game: str | None
    events: int
    outcome: Outcome
    reason: str | None = None


class _Checked(NamedTuple):
    """A match that holds, and where it stands in its file."""

    line: int
    verified: Verified


@dataclass(frozen=True, slots=True)
class Imports:
    """Takes in finished matches that were exported elsewhere."""

    database: Database
    repository: Repository
    games: Games
    now: Now

    def read(self, file: IO[bytes], *, dry: bool = False) -> Iterator[Told]:
        """Import the matches of a file, and tell of each what became of it.

        ``dry``: everything is done but the storing. What is told of is stored.
        """
        waiting, events = list[_Checked](), 0
        for block in unread(file):
            checked = self._checked(block)
            if isinstance(checked, Told):
                yield checked
                continue
            waiting.append(checked)
            events += len(checked.verified.events)
            if events >= AT_ONCE:
                yield from self._stored(waiting, dry=dry)
                waiting, events = [], 0
        yield from self._stored(waiting, dry=dry)

    def _checked(self, block: Block) -> _Checked | Told:
        latest = instant(self.now() + AHEAD)
        holds = None if block.fault is not None else quickly(block, self.games, latest)
        if holds is not None:
            return _Checked(block.line, holds)
        if block.fault is None:
            block.read()
        reason = block.fault
        try:
            if reason is None:
                return _Checked(block.line, verified(block, self.games, latest))
        except Unreadable as error:
            reason = str(error)
        match, game = (_text(block.header.get(name)) for name in ("match", "game"))
        return Told(block.line, match, game, len(block.events), Outcome.REFUSED, reason)

    def _stored(self, waiting: list[_Checked], *, dry: bool) -> list[Told]:
        """Store matches in one transaction; each by itself, if somebody gets in between."""
        if dry:
            with self.database.read() as connection:
                seen: dict[str, str] = {}
                return [self._judged(connection, one, seen) for one in waiting]
        try:
            with self.database.write() as connection:
                return [self._store(connection, one) for one in waiting]
        except VersionTaken:
            return [told for one in waiting for told in self._alone(one)]

    def _alone(self, checked: _Checked) -> Iterator[Told]:
        try:
            with self.database.write() as connection:
                yield self._store(connection, checked)
        except VersionTaken:
            # Whoever was first has committed by now.
            with self.database.read() as connection:
                yield self._judged(connection, checked, {})

    def _store(self, connection: Connection, checked: _Checked) -> Told:
        told = self._judged(connection, checked, {})
        if told.outcome is Outcome.IMPORTED:
            match, events, names = checked.verified
            self.repository.write_whole(connection, match, events)
            imported.insert(connection, ImportedRow(match.id, instant(self.now()), names))
        return told

    @staticmethod
    def _judged(connection: Connection, checked: _Checked, seen: dict[str, str]) -> Told:
        """Say whether a match is new, known, or another one under a known id.

        ``seen``: the heads of matches that a dry run would have stored by now.
        """
        match, events, _ = checked.verified
        told = Told(checked.line, match.id, match.game.slug, len(events), Outcome.IMPORTED)
        head = log.head(connection, match.id)
        there = seen.get(match.id) if head is None else head.hash
        seen.setdefault(match.id, match.head)
        if there is None:
            return told
        if there == match.head:
            return told._replace(outcome=Outcome.KNOWN)
        reason = "A different match with this id is here."
        return told._replace(outcome=Outcome.REFUSED, reason=reason)


def _text(value: object) -> str | None:
    return value[:40] if isinstance(value, str) else None
