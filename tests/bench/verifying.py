"""How fast a whole database is verified, beside SHA-256 and JSON parsing of the same bytes.

Goals are held to ``orjson``, which we parse with. Whoever checks a match with Python alone, as the
verifier in every export does, parses with the standard library; beside that it is told, too. See
docs/decisions/0022.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from statistics import median
from time import perf_counter
from typing import NamedTuple

import orjson

from domain.json_types import JsonObject
from services.audits.database import Everything
from services.container import House, wire
from services.store.db.sql import rows
from tests.bench.databases import Bed, settings
from tests.bench.distinct import HIDDEN, LONGEST, distinct
from tests.bench.filling import put
from tests.bench.large import beside
from tests.bench.rounds import Ratio
from tests.support.games import test_games
from tests.support.scenario import PLAYERS

EVENTS = 20_000
FEWER = 4_000
"""Events of a game with secrets: enough, and each takes longer."""


class Run(NamedTuple):
    """What is verified, how, beside which parser, and what that is to reach; None: nothing."""

    name: str
    chain_only: bool
    parse: Callable[[bytes], object]
    goal: float | None


RUNS = (
    Run("with legality, beside orjson", chain_only=False, parse=orjson.loads, goal=None),
    Run("with legality, beside json", chain_only=False, parse=json.loads, goal=None),
    Run("chain only, beside orjson", chain_only=True, parse=orjson.loads, goal=0.4),
)
HIDDEN_RUNS = (
    Run(
        "with legality, game with secrets, beside json",
        chain_only=False,
        parse=json.loads,
        goal=None,
    ),
)


def verifying(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure ``verify --all`` in one process against the raw work on the same events."""
    yield from _measured(bed, LONGEST, EVENTS, RUNS, rounds)
    yield from _measured(bed, HIDDEN, FEWER, HIDDEN_RUNS, rounds)


def _measured(
    bed: Bed, games: dict[str, JsonObject], events: int, runs: tuple[Run, ...], rounds: int
) -> Iterator[Ratio]:
    url = beside(bed.url, f"verified_{events}")
    put(url, distinct(games, events), [*PLAYERS])
    house = wire(settings(url), games=test_games())
    with house.database.read() as connection:
        stored = rows(connection, 'SELECT body, "match" FROM events ORDER BY "match", version', [])
    bodies = [row[0] for row in stored]
    of = f"{len(bodies):,} events of {len({row[1] for row in stored}):,} different matches"
    del stored
    for run in runs:
        pairs = [(_raw(bodies, run), _ours(house, run, len(bodies))) for _ in range(rounds)]
        ratio = median(ours / raw for raw, ours in pairs)
        speed = median(ours for _, ours in pairs)
        detail = f"{speed:,.0f} events/s per core, {of}, {rounds} rounds"
        yield Ratio(f"verify --all {run.name}, {bed.name}", ratio, run.goal, detail)
    house.close()


def _ours(house: House, run: Run, events: int) -> float:
    """Return verified events per second."""
    work = Everything(house.audits, chain_only=run.chain_only, loader=test_games)
    gc.collect()
    began = perf_counter()
    done = list(work.run())
    took = perf_counter() - began
    if sum(one.events for one in done) != events or any(one.broken for one in done):
        raise RuntimeError("the matches of the bench do not verify")
    return events / took


def _raw(bodies: list[bytes], run: Run) -> float:
    """Return events per second of hashing and parsing alone."""
    parse = run.parse
    gc.collect()
    began = perf_counter()
    for body in bodies:
        sha256(body).hexdigest()
        parse(body)
    return len(bodies) / (perf_counter() - began)
