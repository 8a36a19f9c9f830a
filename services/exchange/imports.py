"""Imports: read the matches of a file, verify them by replay, store them.

All or nothing for each match. Before anything is stored a match is verified as an audit does, from
the form of each line to the last decision.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from time import sleep
from typing import IO, NamedTuple

from sqlalchemy import Connection

from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.match.state import Match, result
from services.audits.audit import judged
from services.audits.chain import chain_fault
from services.exchange.block_format import players_of
from services.exchange.block_reader import (
    Block,
    NotWhole,
    Unreadable,
    blocks,
    check_event,
    check_header,
    row_of_line,
)
from services.matches.repository import Repository, Whole
from services.runtime.clock import Now, instant
from services.store import imports
from services.store.db.engine import Database
from services.store.imports import ImportedRow
from services.store.log import events as log
from services.store.log.events import EventRow, VersionTaken


class Verified(NamedTuple):
    """A match that holds: the state it led to, its events as stored, its players' names by id."""

    match: Match
    events: Sequence[EventRow]
    names: dict[str, str]


def verified(block: Block, games: Games, latest: str) -> Verified:
    """Verify a block, from its form to the last decision. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    header = block.header
    check_header(header)
    for line in block.events:
        check_event(line.value, line.number, latest)
    rows = [row_of_line(line) for line in block.events]
    fault = chain_fault(rows, header["match"])
    if fault is not None:
        raise Unreadable(fault.detail)
    faults, repeated = judged(rows, games)
    if faults or repeated is None or repeated.match is None:
        raise Unreadable(faults[0].detail)
    compare(header, repeated.match, len(rows))
    return Verified(repeated.match, [row[1:] for row in rows], header["names"])


def compare(header: JsonObject, match: Match, count: int) -> None:
    """Compare a header with what so many events come to. Raises ``Unreadable``."""
    for name, found in (
        ("match", match.id),
        ("game", match.game.slug),
        ("rules_version", match.game.rules_version),
        ("status", match.status),
        ("count", count),
        ("head", match.head),
        ("result", result(match)),
    ):
        if header[name] != found or type(header[name]) is not type(found):
            raise Unreadable(f"The header's {name} is not that of the events.")
    strangers = header["names"].keys() - players_of(match)
    if strangers:
        raise Unreadable("The header names somebody who does not play in this match.")


AT_ONCE = 2_000
"""Events that one transaction takes in, where matches are short."""
MOST_FAULTS = 1_000
"""Matches of a file that may not hold: behind so many, the rest of it is not worth its time."""
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


class TooManyFaults(Exception):
    """So many matches of a file did not hold that the rest of it was not looked at."""


class _Refused(NamedTuple):
    """A match that is not taken; ``fault``: because it does not hold."""

    told: Told
    fault: bool


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

    def read(
        self, file: IO[bytes], *, dry: bool = False, most: int = MOST_FAULTS
    ) -> Generator[Told, None, None]:
        """Import the matches of a file, and tell of each what became of it.

        ``dry``: everything is done but the storing, and of each match its id and head are kept in
        memory, to know it again. What is told of is stored. While matches are stored, those behind
        them are verified. Behind ``most`` matches that do not hold it stops, and raises
        ``TooManyFaults``; 0: it never does.
        """
        faults = 0
        seen: dict[str, str] | None = {} if dry else None
        waiting, events = list[_Checked](), 0
        before: Future[list[Told]] | None = None
        with ThreadPoolExecutor(1, "storing") as storing:
            for block in blocks(file):
                sleep(0)  # lets the thread go on that stores, if the database is done
                checked = self._checked(block)
                if isinstance(checked, _Refused):
                    yield checked.told
                    faults += checked.fault
                    if faults == most:
                        break
                    continue
                waiting.append(checked)
                events += len(checked.verified.events)
                if events >= AT_ONCE:
                    yield from _told(before)
                    before = storing.submit(self._stored, waiting, seen)
                    waiting, events = [], 0
            yield from _told(before)
            yield from self._stored(waiting, seen)
        if most and faults == most:
            raise TooManyFaults

    def _checked(self, block: Block) -> _Checked | _Refused:
        reason, fault = block.fault, True
        try:
            if reason is None:
                latest = instant(self.now() + AHEAD)
                return _Checked(block.line, verified(block, self.games, latest))
        except Unreadable as error:
            reason, fault = str(error), not isinstance(error, NotWhole)
        match, game = (_text(block.header.get(name)) for name in ("match", "game"))
        told = Told(block.line, match, game, len(block.events), Outcome.REFUSED, reason)
        return _Refused(told, fault)

    def _stored(self, waiting: list[_Checked], seen: dict[str, str] | None) -> list[Told]:
        """Store matches in one transaction; each by itself, if somebody gets in between.

        ``seen``: heads of matches that would be stored by now, in a dry run.
        """
        if seen is not None:
            with self.database.read() as connection:
                return _judged(connection, waiting, seen)
        try:
            with self.database.write() as connection:
                return self._store(connection, waiting)
        except VersionTaken:
            return [told for one in waiting for told in self._alone(one)]

    def _alone(self, checked: _Checked) -> list[Told]:
        try:
            with self.database.write() as connection:
                return self._store(connection, [checked])
        except VersionTaken:
            # Whoever was first has committed by now.
            with self.database.read() as connection:
                return _judged(connection, [checked])

    def _store(self, connection: Connection, waiting: list[_Checked]) -> list[Told]:
        told = _judged(connection, waiting)
        new = [
            one.verified
            for one, said in zip(waiting, told, strict=True)
            if said.outcome is Outcome.IMPORTED
        ]
        if new:
            wholes = [Whole(match, events) for match, events, _ in new]
            self.repository.write_wholes(connection, wholes)
            at = instant(self.now())
            imports.insert(
                connection, [ImportedRow(match.id, at, names) for match, _, names in new]
            )
        return told


def _told(stored: Future[list[Told]] | None) -> list[Told]:
    return [] if stored is None else stored.result()


def _judged(
    connection: Connection, waiting: list[_Checked], seen: dict[str, str] | None = None
) -> list[Told]:
    """Say whether each match is new, known, or another one under a known id.

    ``seen``: heads of matches that count as stored; those judged here are added.
    """
    heads = {} if seen is None else seen
    heads.update(log.heads(connection, {one.verified.match.id for one in waiting}))
    return [_judged_by(heads, one) for one in waiting]


def _judged_by(heads: dict[str, str], checked: _Checked) -> Told:
    """Judge a match by the ``heads`` of those that there are, of which it is one from then on."""
    match, events, _ = checked.verified
    told = Told(checked.line, match.id, match.game.slug, len(events), Outcome.IMPORTED)
    there = heads.get(match.id)
    heads.setdefault(match.id, match.head)
    if there is None:
        return told
    if there == match.head:
        return told._replace(outcome=Outcome.KNOWN)
    reason = "A different match with this id is here."
    return told._replace(outcome=Outcome.REFUSED, reason=reason)


def _text(value: object) -> str | None:
    return value[:40] if isinstance(value, str) else None
