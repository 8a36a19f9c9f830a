"""A database as it is after years: many players, their matches, series and ratings.

What is asked for goes by the read models, so these have all of it: players, the lists of matches
(of which some are series, private, imported, against the house), the sums of their results, and
what rated matches did, each at a leaf of its own. Rows are written straight into their tables, and
indexes made behind them.

The log is there only where a page looks into it: of the newest matches, and of all matches of the
player who is asked about. Older matches of others stand in the lists alone; nothing that is
asked shows one. There are no leaves of the tree, no snapshots, no invitations and no talk: what a
match by itself takes does not depend on how many others there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, text

from domain.games import load_games
from domain.match.clock import format_instant
from domain.match.house_players import PLAYERS as HOUSE
from services.store import accounts, matches, ratings
from services.store.db.engine import Database
from services.store.imports import ImportedRow
from services.store.imports import insert as mark_imported
from services.store.lobby import records
from services.store.log import events as log
from services.store.matches import MatchRow
from tests.bench.samples import (
    ABORTED,
    LOST,
    OPEN,
    PACES,
    PLAYED_OUT,
    RUNNING,
    WON,
    Kind,
    Names,
    events_as,
    row_as,
    samples,
)

YEARS = 2
WITH_LOG = 10_000
"""In the time in which the last so many matches began, the log is there of all that went on."""

AT_ONCE = 200
"""Matches of one transaction, in the log."""

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
GAMES = [game.slug for game in load_games()]
HIDDEN = "power-lines"
"""The game whose matches take too long to be played out by chance."""

GAME = GAMES[0]
"""The game of the one who is asked about."""

OWN = (
    *(Kind(GAME, one, rated=True) for one in (WON, LOST, WON, WON, LOST, WON) * 2),
    *(Kind(GAME, one, series=True) for one in (WON, WON, RUNNING)),
    *(Kind(GAME, one, private=True, series=True) for one in (WON, RUNNING)),
    *(Kind(GAME, one) for one in (ABORTED, RUNNING, OPEN)),
)
"""The matches of the one who is asked about, in however large a database."""


class Size(NamedTuple):
    """How much there is."""

    players: int
    matches: int


class Planned(NamedTuple):
    """A match, or those of a series: what is it like, who plays, and when."""

    kind: Kind
    names: Names
    instants: list[tuple[str, str]]
    with_log: bool
    imported: bool

    def rows(self) -> Iterator[MatchRow]:
        """Yield the rows of its matches."""
        for number, sample in enumerate(samples(self.kind)):
            yield row_as(sample, self.names, number, self.instants[number])


@dataclass
class Plan:
    """Draws what there is to be: the same for the same size."""

    size: Size
    asked: str
    now: datetime
    chance: Random = field(default_factory=lambda: Random(16))

    def __post_init__(self) -> None:
        self.players = [f"p_{self._id()}" for _ in range(self.size.players)]
        self._step = timedelta(days=365 * YEARS) / self.size.matches
        self._own_every = self.size.matches // len(OWN)
        self._with_log_from = format_instant(self.now - self._step * WITH_LOG)

    def _id(self) -> str:
        return "".join(self.chance.choices(ALPHABET, k=16))

    def every(self) -> Iterator[Planned]:
        """Yield all matches, the oldest first."""
        number = 0
        while number < self.size.matches:
            turn, own = divmod(number, self._own_every)
            one = self._planned(number, OWN[turn] if own == 0 and turn < len(OWN) else None)
            yield one
            # A series takes two places; the turn of the one who is asked about is not passed.
            number += 1 if own == 0 else len(one.instants)

    def _planned(self, number: int, own: Kind | None) -> Planned:
        first, second = self.chance.sample(range(self.size.players), 2)
        # Most play one game more than the others.
        favourite = GAMES[first % len(GAMES)]
        kind = own or self._kind(number / self.size.matches, favourite)
        players = self.players[first], self.players[second]
        against_house = own is None and not kind.private and self.chance.random() < 0.15
        if against_house and kind.stands not in (OPEN, ABORTED):
            players = players[0], HOUSE[self.chance.choice((1, 2))]
        if own is not None:
            players = self.asked, players[1]
        began = self.now + self._step * (number - self.size.matches)
        instants = [(format_instant(began), format_instant(self._ended(began)))]
        if kind.series:
            instants.append((instants[0][1], instants[0][1]))
        ids = tuple(self._id() for _ in instants)
        plain = own is None and not (kind.rated or kind.series or kind.private)
        imported = plain and kind.stands in (WON, LOST) and self.chance.random() < 0.01
        with_log = own is not None or instants[-1][1] >= self._with_log_from
        return Planned(kind, Names(ids, players), instants, with_log, imported)

    def _ended(self, began: datetime) -> datetime:
        took = timedelta(hours=self.chance.expovariate(1 / 48))
        here = self.now - began
        return began + (took if took < here else here * self.chance.random())

    def _over(self) -> str:
        return self.chance.choices((WON, LOST, ABORTED), (50, 45, 5))[0]

    def _kind(self, place: float, favourite: str) -> Kind:
        """Draw what a match is like; ``place``: of all, how far back it lies (1: now)."""
        draw = self.chance.random
        lot = draw()
        if place > 0.95:
            stands = RUNNING if lot < 0.55 else OPEN if lot < 0.7 else self._over()
        else:
            stands = RUNNING if lot < 0.01 else self._over()
        game = favourite if draw() < 0.8 else self.chance.choice(GAMES)
        pace = self.chance.randrange(len(PACES))
        if stands in (WON, RUNNING) and draw() < 0.08:
            return Kind(game, stands, pace=pace, private=draw() < 0.1, series=True)
        if draw() < 0.05:
            return Kind(game, stands, pace=pace, private=True)
        if stands == WON and game != HIDDEN and draw() < 0.2:
            stands = PLAYED_OUT
        return Kind(game, stands, rated=draw() < 0.6, pace=pace)


@dataclass
class Tally:
    """What rated matches have done: the numbers are made up, how many there are is not."""

    changes: list[tuple[object, ...]] = field(default_factory=list)
    now: dict[tuple[str, str], tuple[int, int, str]] = field(default_factory=dict)
    leaf: int = 0

    def add(self, row: MatchRow) -> None:
        """Count a match, if it is one that counts."""
        self.leaf += 1
        if not row.rated or row.status != "finished":
            return
        pair = row.seat_1 or "", row.seat_2 or ""
        for seat, player in enumerate(pair, 1):
            if player in HOUSE.values():
                continue
            rating, played, _ = self.now.get((row.game, player), (150_000, 0, ""))
            after = rating + (1 if row.winner == seat else -1) * (20_000 // (played + 2))
            numbers = (rating, 9_000, 60_000, after, 8_900, 60_000)
            who = (row.id, seat, row.game, player, pair[2 - seat])
            self.changes.append((*who, self.leaf, row.updated_at, row.winner, *numbers))
            self.now[row.game, player] = (after, played + 1, row.updated_at)

    def ratings(self) -> Iterator[tuple[object, ...]]:
        """Yield what players have now."""
        for (game, player), (rating, played, at) in self.now.items():
            yield game, player, rating, 8_900, 60_000, played, at


def populate(database: Database, size: Size, asked: str, now: datetime | None = None) -> None:
    """Fill a migrated database, in which the player of the id ``asked`` is there already."""
    plan, tally = Plan(size, asked, now or datetime.now(UTC)), Tally()
    some, imported, begun = list[Planned](), list[ImportedRow](), list[str]()

    def rows() -> Iterator[tuple[object, ...]]:
        for one in plan.every():
            if one.with_log:
                some.append(one)
            if one.kind.series:
                begun.append(one.names.matches[0])
            for row in one.rows():
                tally.add(row)
                if one.imported:
                    imported.append(ImportedRow(row.id, row.updated_at, {}))
                yield *row, row.status == "finished" and row.visibility == "public"

    with database.write() as connection:
        _insert(connection, accounts.players, _players(plan), _COLUMNS_OF_PLAYERS)
        _insert(connection, matches.matches, rows(), (*MatchRow._fields, "counted"))
        _insert(connection, ratings.rating_changes, tally.changes)
        _insert(connection, ratings.ratings, tally.ratings())
        mark_imported(connection, imported)
        records.put_right(connection)
        for one in begun:
            matches.settle_series(connection, one)
    _write_log(database, some)
    if not database.sqlite:
        # As its own housekeeping does; SQLite is never asked to.
        with database.state() as connection:
            # That may be at it already, for longer than a request would wait.
            connection.execute(text("SET lock_timeout = 0"))
            connection.execute(text("VACUUM ANALYZE"))
        database.dispose()


_COLUMNS_OF_PLAYERS = ("id", "name", "key", "admin", "created_at", "skeleton")


def _players(plan: Plan) -> Iterator[tuple[object, ...]]:
    at = format_instant(plan.now - timedelta(days=365 * YEARS))
    for number, player in enumerate(plan.players):
        name = f"player-{number}"
        yield player, name, name, False, at, accounts.make_skeleton(name)


def _insert(
    connection: Connection,
    table: Table,
    rows: Iterable[tuple[object, ...]],
    columns: Iterable[str] = (),
) -> None:
    """Put rows into a table, as fast as its database can."""
    names = [f'"{name}"' for name in columns] or [f'"{one.name}"' for one in table.columns]
    driver: Any = connection.connection.driver_connection
    with _without_indexes(connection, table):
        if connection.dialect.name == "sqlite":
            marks = ", ".join("?" * len(names))
            sql = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"
            driver.executemany(sql, rows)
        else:
            with (
                driver.cursor() as cursor,
                cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy,
            ):
                for row in rows:
                    copy.write_row(row)


@contextmanager
def _without_indexes(connection: Connection, table: Table) -> Iterator[None]:
    """Take a table's indexes away, and make them anew behind what is written to it.

    They come back in the order in which they were made: SQLite goes by it between equals.
    """
    made = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY rowid"
    sqlite = connection.dialect.name == "sqlite"
    order = list(connection.execute(text(made)).scalars()) if sqlite else []
    indexes = sorted(table.indexes, key=lambda one: order.index(one.name) if order else 0)
    for index in indexes:
        index.drop(connection)
    yield
    for index in indexes:
        index.create(connection)


def _write_log(database: Database, planned: list[Planned]) -> None:
    waiting = iter(planned)
    while some := list(islice(waiting, AT_ONCE)):
        with database.write() as connection:
            for one in some:
                copied = events_as(one.kind, one.names, one.instants)
                log.append(connection, *(log.NewEvents(events) for events, _ in copied))
                for row, (_, head) in zip(one.rows(), copied, strict=True):
                    matches.save(connection, row._replace(head=head))
