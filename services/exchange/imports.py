"""Imports: read the matches of a file, verify them by replay, store them.

All or nothing for each match. Before anything is stored a match is verified as an audit does, from
the form of each line to the last decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from time import sleep
from typing import IO, NamedTuple

from sqlalchemy import Connection

from domain.game.game import Viewer
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.match.clock import format_instant
from domain.match.series import Member, Misfit, find_misfit, member_of
from domain.match.state import FINISHED, Match
from services.accounts.user_texts import find_noncharacter, is_seen
from services.audits.series import MISFITS
from services.exchange.block_format import FORMAT_VERSION
from services.exchange.block_reader import Block, Unreadable, read_blocks
from services.exchange.file_audit import judge_block
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


class ImportOutcome(StrEnum):
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
    outcome: ImportOutcome
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


def _verify_block(block: Block, games: Games, latest: str) -> _Verified:
    """Verify a block, from its form to the last decision. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    header = block.header
    if block.fault is None:
        _must_be_whole(header)
    verdict, rows, match, _ = judge_block(block, games)
    if match is None:
        raise Unreadable(verdict.faults[0].detail)
    if match.updated_at > latest:
        raise Unreadable(f"Its last event is said to happen in the future ({match.updated_at}).")
    for name in header["names"].values():
        none = find_noncharacter(name)
        if none is not None:
            raise Unreadable(f"A name has U+{ord(none):04X}, which is no character.")
        if not is_seen(name):
            raise Unreadable("There is nothing to read in a name.")
    return _Verified(block.line, match, [row[1:] for row in rows], header["names"])


def _must_be_whole(header: JsonObject) -> None:
    """Refuse what may hold and is not imported: a newer format, a running match, closed seals."""
    version, status, viewer = (header.get(name) for name in ("format_version", "status", "viewer"))
    if type(version) is int and version > FORMAT_VERSION:
        raise Unreadable(f"A newer release made this (format_version {version}).")
    if status != FINISHED:
        raise NotWhole(f"Only finished matches are imported; this one is {_shorten(status)}.")
    if viewer != Viewer.SERVER.value:
        raise NotWhole(
            f"This is what {_shorten(viewer)} saw; only matches with everything open are imported."
        )


_SAYABLE = ("open", "active", "aborted", "seat-1", "seat-2", "spectator")


def _shorten(value: Json) -> str:
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

        ``dry``: everything is done but the storing; ids and heads of matches stay in memory, so
        that one that comes twice is known. What is told of is stored. While matches are stored,
        those behind them are verified. Behind ``most`` matches that do not hold it stops, and
        raises ``TooManyFaults``; 0: it never does.
        """
        faults = 0
        seen = _Seen() if dry else None
        waiting, events = list[_Verified](), 0
        before: Future[list[ImportResult]] | None = None
        with ThreadPoolExecutor(1, "storing") as storing:
            for block in read_blocks(file):
                sleep(0)  # lets the thread go on that stores, if the database is done
                try:
                    waiting.append(
                        _verify_block(block, self.games, format_instant(self.now() + AHEAD))
                    )
                except Unreadable as error:
                    yield _refuse_block(block, error)
                    faults += not isinstance(error, NotWhole)
                    if most and faults == most:
                        break
                    continue
                events += len(waiting[-1].events)
                if events >= AT_ONCE:
                    yield from _collect_results(before)
                    before = storing.submit(self._store_batch, waiting, seen)
                    waiting, events = [], 0
            yield from _collect_results(before)
            yield from self._store_batch(waiting, seen)
        if most and faults == most:
            raise TooManyFaults

    def _store_batch(self, waiting: list[_Verified], seen: _Seen | None) -> list[ImportResult]:
        """Store matches in one transaction; each by itself, if somebody gets in between.

        ``seen``: what would be stored by now, in a dry run.
        """
        if seen is not None:
            with self.database.read() as connection:
                return _judge_matches(connection, self.repository, waiting, seen)
        try:
            with self.database.write() as connection:
                return self._store(connection, waiting)
        except VersionTaken:
            if waiting[1:]:
                return [told for one in waiting for told in self._store_batch([one], None)]
            # Whoever was first has committed by now.
            with self.database.read() as connection:
                return _judge_matches(connection, self.repository, waiting, _Seen())

    def _store(self, connection: Connection, waiting: list[_Verified]) -> list[ImportResult]:
        told = _judge_matches(connection, self.repository, waiting, _Seen())
        new = [
            one
            for one, said in zip(waiting, told, strict=True)
            if said.outcome is ImportOutcome.IMPORTED
        ]
        if new:
            events = [log.NewEvents(one.events, row_of(one.match)) for one in new]
            log.append(connection, *events)
            for series in {one.match.series["id"] for one in new if one.match.series is not None}:
                matches.settle_series(connection, series)
            snapshots.save_all(connection, [snapshot_of(one.match) for one in new])
            at = format_instant(self.now())
            imports.insert(connection, [ImportedRow(one.match.id, at, one.names) for one in new])
        return told


def _collect_results(stored: Future[list[ImportResult]] | None) -> list[ImportResult]:
    return [] if stored is None else stored.result()


def _refuse_block(block: Block, error: Unreadable) -> ImportResult:
    match, game = (
        value[:40] if isinstance(value, str) else None
        for value in (block.header.get("match"), block.header.get("game"))
    )
    return ImportResult(
        block.line, match, game, len(block.events), ImportOutcome.REFUSED, str(error)
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What counts as stored though it is not yet: heads of matches, and members of series."""

    heads: dict[str, str] = field(default_factory=dict)
    members: defaultdict[str, list[Member]] = field(default_factory=lambda: defaultdict(list))


def _judge_matches(
    connection: Connection, repository: Repository, waiting: list[_Verified], seen: _Seen
) -> list[ImportResult]:
    """Say whether each match is new, known, or another one under a known id.

    ``seen``: what counts as stored; matches that are new are added to it.
    """
    heads = seen.heads
    heads.update(log.find_heads(connection, {one.match.id for one in waiting}))
    found = []
    for line, match, events, _ in waiting:
        there, outcome, reason = heads.get(match.id), ImportOutcome.IMPORTED, None
        if there is None:
            reason = _check_series(connection, repository, match, seen)
            if reason is None:
                heads[match.id] = match.head
        elif there == match.head:
            outcome = ImportOutcome.KNOWN
        else:
            reason = "A different match with this id is here."
        outcome = outcome if reason is None else ImportOutcome.REFUSED
        found.append(ImportResult(line, match.id, match.game.slug, len(events), outcome, reason))
    return found


def _check_series(
    connection: Connection, repository: Repository, match: Match, seen: _Seen
) -> str | None:
    """Say why a match does not belong among those of its series that are here, or None.

    One that does is ``seen`` from now on.
    """
    if match.series is None:
        return None
    one = member_of(match)
    number, previous = one.place.number, one.place.previous
    there = _load_members(connection, repository, one.place.id, seen)
    if number in there:
        return f"Match {there[number].match} has its place in its series."
    if previous is not None and number - 1 not in there:
        here = seen.heads | log.find_heads(connection, [previous[0]])
        if previous[0] in here:
            return MISFITS[Misfit.LINK].format(previous[0])
    before: list[Member] = []
    while number - len(before) - 1 in there:
        before.insert(0, there[number - len(before) - 1])
    fault = find_misfit(one, before)
    if fault is not None:
        return MISFITS[fault].format(before[-1].match)
    later = there.get(number + 1)
    if later is not None and find_misfit(later, [*before, one]) is not None:
        return f"In its series, match {later.match} does not follow on it."
    seen.members[one.place.id].append(one)
    return None


def _load_members(
    connection: Connection, repository: Repository, series: str, seen: _Seen
) -> dict[int, Member]:
    """Return the matches of a series that are here, by their numbers."""
    ids = [row.id for row in matches.list_by_series(connection, series)]
    loaded = (repository.load(connection, match) for match in ids)
    known = [*seen.members[series], *(member_of(match) for match in loaded if match is not None)]
    return {member.place.number: member for member in known}
