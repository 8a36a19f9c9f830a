"""Matches by chance, and databases filled with them.

A game is played with its defaults and with the options that make its matches longest, in turns.
Moves are drawn from all legal ones. Matches that need not differ are copied: a copy is another id
and the chain made anew, and verifies where nothing is drawn; a million events take minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import cycle, islice
from random import Random

from sqlalchemy import text

from domain.games import load_games
from domain.json_types import JsonObject
from domain.log.event_format import GENESIS
from services.matches.repository import row_of
from services.store.db.engine import Database
from services.store.log import events as log
from services.store.log.codec import to_openings
from services.store.matches import MatchRow
from services.store.schema import upgrade
from tests.support.scenario import PLAYERS, Table

LONGEST: dict[str, JsonObject] = {
    "energy-capture": {},
    "grid-power": {},
    "path-capture": {"length": 41},
    "power-line": {"length": 21, "nodes": 21, "energy": 99},
}
"""The games without secrets, and the options with which their matches get longest."""

HIDDEN: dict[str, JsonObject] = {"power-lines": {}}
"""The game with secrets, whose rules take far longer."""

DRAWN = "energy-capture"
"""The one without secrets in which something is drawn."""

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
AT_ONCE = 200
"""Matches of one transaction."""

Whole = tuple[list[log.EventRow], MatchRow]


def distinct(games: dict[str, JsonObject], events: int, seed: int = 3) -> Iterator[Whole]:
    """Yield finished matches of these games until there are so many events."""
    random, made = Random(seed), 0
    chosen = [(slug, options) for slug, longest in games.items() for options in ({}, longest)]
    for slug, options in cycle(chosen):
        if made >= events:
            return
        table = _played(slug, options, random)
        made += len(table.events)
        yield _rows(table, table.match.id)


def copies(events: int, seed: int = 2) -> Iterator[Whole]:
    """Yield copies of few matches until there are so many events."""
    random, made = Random(seed), 0
    originals = [
        _played(slug, options, random, seat=1)
        for slug, longest in LONGEST.items()
        if slug != DRAWN
        for options in ({}, longest) * 2
    ]
    random.shuffle(originals)
    for table in cycle(originals):
        if made >= events:
            return
        made += len(table.events)
        yield _rows(table, "".join(random.choices(ALPHABET, k=16)))


def fill(url: str, matches: Iterator[Whole]) -> list[str]:
    """Migrate an empty database and put matches into it; return their ids."""
    upgrade(url)
    database, ids = Database(url), list[str]()
    with database.write() as connection:
        for one in PLAYERS:
            columns = "id, name, key, admin, created_at"
            values = f"'{one}', '{one}', '{one}', false, '2024-01-01T00:00:00.000000Z'"
            connection.execute(text(f"INSERT INTO players ({columns}) VALUES ({values})"))
    while some := list(islice(matches, AT_ONCE)):
        ids += [row.id for _, row in some]
        with database.write() as connection:
            log.append(connection, *(log.NewEvents(*one) for one in some))
    database.dispose()
    return ids


def _played(slug: str, options: JsonObject, random: Random, seat: int | None = None) -> Table:
    game = next(game for game in load_games() if game.slug == slug)
    match = "".join(random.choices(ALPHABET, k=16))
    secret = sha256(match.encode()).hexdigest()
    table = Table.started(game, match=match, secret=secret, options=options, seat=seat)
    while table.match.to_act is not None:
        table.play(random.choice(table.legal_moves()))
    return table


def _rows(table: Table, match: str) -> Whole:
    previous, rows = GENESIS, []
    for event in table.events:
        body = event.body.replace(event.match.encode(), match.encode())
        body = body.replace(event.previous.encode(), previous.encode())
        previous = sha256(body).hexdigest()
        openings = to_openings(event.sealed)
        rows.append((match, event.version, event.kind, event.at, body, previous, openings))
    return rows, row_of(table.match)._replace(id=match, head=previous)
