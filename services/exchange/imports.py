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

from domain.game.game import Viewer
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.match.clock import instant
from domain.match.events import MatchCreated
from domain.match.series import place_of
from domain.match.state import FINISHED, Match
from services.accounts.user_texts import is_seen, no_character
from services.exchange.block_format import FORMAT_VERSION
from services.exchange.block_reader import Block, Unreadable, blocks
from services.exchange.file_audit import judged_block
from services.matches.repository import Repository, row_of, snapshot_of
from services.runtime.clock import Now
from services.store import imports, matches
from services.store.db.engine import Database
from services.store.imports import ImportedRow
from services.store.log import events as log
from services.store.log import snapshots
from services.store.log.events import EventRow, VersionTaken

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


class ImportResult(NamedTuple):
    """What became of one match of a file. ``line``: where it begins; ``reason``: why not."""

    line: int
    match: str | None
    game: str | None
    events: int
    outcome: Outcome
    reason: str | None = None


class TooManyFaults(Exception):
    """So many matches of a file did not hold that the rest of it was not looked at."""


class NotWhole(Unreadable):
    """A block of a match that goes on, or of which not all is open: nothing is wrong with it."""


class _Verified(NamedTuple):
    """A match that holds: where it stands in its file, the state it led to, its events as stored.

    ``names``: those of its players, by id.
    """

    line: int
    match: Match
    events: Sequence[EventRow]
    names: dict[str, str]


def _verified(block: Block, games: Games, latest: str) -> _Verified:
    """Verify a block, from its form to the last decision. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    header = block.header
    if block.fault is None:
        _must_be_whole(header)
    verdict, rows, match, _ = judged_block(block, games)
    if match is None:
        raise Unreadable(verdict.faults[0].detail)
    if match.updated_at > latest:
        raise Unreadable(f"Its last event is said to happen in the future ({match.updated_at}).")
    for name in header["names"].values():
        none = no_character(name)
        if none is not None:
            raise Unreadable(f"A name has U+{ord(none):04X}, which is no character.")
        if not is_seen(name):
            raise Unreadable("There is nothing to read in a name.")
    return _Verified(block.line, match, [row[1:] for row in rows], header["names"])


def _must_be_whole(header: JsonObject) -> None:
    """Refuse a header of what is honestly no finished, fully opened match that is known here."""
    version, status, viewer = (header.get(name) for name in ("format_version", "status", "viewer"))
    if type(version) is int and version > FORMAT_VERSION:
        raise Unreadable(f"A newer release made this (format_version {version}).")
    if status != FINISHED:
        raise NotWhole(f"Only finished matches are imported; this one is {_short(status)}.")
    if viewer != Viewer.SERVER.value:
        raise NotWhole(
            f"This is what {_short(viewer)} saw; only matches with everything open are imported."
        )


_SAYABLE = ("open", "active", "aborted", "seat-1", "seat-2", "spectator")


def _short(value: Json) -> str:
    """Return a value of the file so that it can be told to a person."""
    return value if value in _SAYABLE else repr(value)[:40]


@dataclass(frozen=True, slots=True)
class Imports:
    """Takes in finished matches that were exported elsewhere."""

    database: Database
    repository: Repository
    games: Games
    now: Now

    def read(
        self, file: IO[bytes], *, dry: bool = False, most: int = MOST_FAULTS
    ) -> Generator[ImportResult, None, None]:
        """Import the matches of a file, and tell of each what became of it.

        ``dry``: everything is done but the storing, and of each match its id and head are kept in
        memory, to know it again. What is told of is stored. While matches are stored, those behind
        them are verified. Behind ``most`` matches that do not hold it stops, and raises
        ``TooManyFaults``; 0: it never does.
        """
        faults = 0
        seen: dict[str, str] | None = {} if dry else None
        waiting, events = list[_Verified](), 0
        before: Future[list[ImportResult]] | None = None
        with ThreadPoolExecutor(1, "storing") as storing:
            for block in blocks(file):
                sleep(0)  # lets the thread go on that stores, if the database is done
                try:
                    waiting.append(_verified(block, self.games, instant(self.now() + AHEAD)))
                except Unreadable as error:
                    yield _refused(block, error)
                    faults += not isinstance(error, NotWhole)
                    if most and faults == most:
                        break
                    continue
                events += len(waiting[-1].events)
                if events >= AT_ONCE:
                    yield from _told(before)
                    before = storing.submit(self._stored, waiting, seen)
                    waiting, events = [], 0
            yield from _told(before)
            yield from self._stored(waiting, seen)
        if most and faults == most:
            raise TooManyFaults

    def _stored(self, waiting: list[_Verified], seen: dict[str, str] | None) -> list[ImportResult]:
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
            if waiting[1:]:
                return [told for one in waiting for told in self._stored([one], None)]
            # Whoever was first has committed by now.
            with self.database.read() as connection:
                return _judged(connection, waiting)

    def _store(self, connection: Connection, waiting: list[_Verified]) -> list[ImportResult]:
        told = _judged(connection, waiting)
        new = [
            one for one, said in zip(waiting, told, strict=True) if said.outcome is Outcome.IMPORTED
        ]
        if new:
            events = [log.NewEvents(one.events, row_of(one.match)) for one in new]
            log.append(connection, *events)
            snapshots.save_all(connection, [snapshot_of(one.match) for one in new])
            at = instant(self.now())
            imports.insert(connection, [ImportedRow(one.match.id, at, one.names) for one in new])
        return told


def _told(stored: Future[list[ImportResult]] | None) -> list[ImportResult]:
    return [] if stored is None else stored.result()


def _refused(block: Block, error: Unreadable) -> ImportResult:
    match, game = (
        value[:40] if isinstance(value, str) else None
        for value in (block.header.get("match"), block.header.get("game"))
    )
    return ImportResult(block.line, match, game, len(block.events), Outcome.REFUSED, str(error))


def _judged(
    connection: Connection, waiting: list[_Verified], seen: dict[str, str] | None = None
) -> list[ImportResult]:
    """Say whether each match is new, known, or another one under a known id.

    ``seen``: heads of matches that count as stored; those judged here are added.
    """
    heads = {} if seen is None else seen
    heads.update(log.heads(connection, {one.match.id for one in waiting}))
    found = []
    for line, match, events, _ in waiting:
        there, outcome, reason = heads.get(match.id), Outcome.IMPORTED, None
        series = None if there is not None else _series_fault(connection, match, heads)
        if series is not None:
            outcome, reason = Outcome.REFUSED, series
        elif there is None:
            heads[match.id] = match.head
        elif there == match.head:
            outcome = Outcome.KNOWN
        else:
            outcome, reason = Outcome.REFUSED, "A different match with this id is here."
        found.append(ImportResult(line, match.id, match.game.slug, len(events), outcome, reason))
    return found


def _series_fault(connection: Connection, match: Match, heads: dict[str, str]) -> str | None:
    """Say why a match does not belong between those of its series that are here, or None.

    ``heads``: of those that are stored just before it.
    """
    if match.series is None:
        return None
    place = place_of(match.series)
    if place.previous is not None:
        before, head = place.previous
        there = heads.get(before) or log.heads(connection, [before]).get(before)
        if there not in (None, head):
            return f"In its series it does not follow on match {before} as that is here."
    for row in matches.of_series(connection, place.id):
        if row.number == place.number and row.id != match.id:
            return f"Match {row.id} has its place in its series."
        if row.number == place.number + 1 and not _follows(connection, row.id, match):
            return f"In its series, match {row.id} does not follow on it."
    return None


def _follows(connection: Connection, later: str, match: Match) -> bool:
    """Whether a stored match names this one as that before it."""
    created = log.load(connection, later, limit=1)[0].fact
    series = created.series if isinstance(created, MatchCreated) else None
    return series is not None and place_of(series).previous == (match.id, match.head)
