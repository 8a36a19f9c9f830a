"""Matches that are all different, as those of a service are: by chance, with dice that verify.

A game is played with its defaults and with the options that make its matches longest, in turns.
Moves are drawn from all legal ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import cycle
from random import Random

import orjson

from domain.games import all_games
from domain.json_types import JsonObject
from domain.match.fold import fold
from domain.match.state import Match, dump, format_of
from services.matches.repository import SNAPSHOT_EVERY, row_of
from services.store.log.codec import to_openings
from tests.bench.copies import ALPHABET, Copy
from tests.support.scenario import Table

LONGEST: dict[str, JsonObject] = {
    "energy-capture": {},
    "grid-power": {},
    "path-capture": {"length": 41},
    "power-line": {"length": 21, "nodes": 21, "energy": 99},
}
"""The games without secrets, and the options with which their matches get longest."""

HIDDEN: dict[str, JsonObject] = {"power-lines": {}}
"""The game with secrets, whose rules take far longer."""


def distinct(games: dict[str, JsonObject], events: int, seed: int = 3) -> Iterator[Copy]:
    """Yield rows of finished matches of these games until there are so many events."""
    random, made = Random(seed), 0
    chosen = [(slug, options) for slug, longest in games.items() for options in ({}, longest)]
    for slug, options in cycle(chosen):
        if made >= events:
            return
        table = _played(slug, options, random)
        made += len(table.events)
        yield _rows(table)


def _played(slug: str, options: JsonObject, random: Random) -> Table:
    game = next(game for game in all_games() if game.slug == slug)
    match = "".join(random.choices(ALPHABET, k=16))
    secret = sha256(match.encode()).hexdigest()
    table = Table.started(game, match=match, secret=secret, options=options, seat=None)
    while table.match.to_act is not None:
        table.play(random.choice(table.legal_moves()))
    return table


def _rows(table: Table) -> Copy:
    match, stream = table.match, table.events
    rows = [
        (one.match, one.version, one.kind, one.at, one.body, one.hash, to_openings(one.sealed))
        for one in stream
    ]
    due = {*range(SNAPSHOT_EVERY, match.version, SNAPSHOT_EVERY), match.version}
    states: list[Match] = [fold(stream[:version], table.games) for version in sorted(due)]
    kept = [
        (one.id, one.version, one.head, format_of(one.game), orjson.dumps(dump(one)))
        for one in states
    ]
    return Copy(rows, row_of(match)._asdict(), kept)
