"""How fast a whole database is verified, beside SHA-256 and JSON parsing of the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from statistics import median
from time import perf_counter

import orjson

from services.audits.everything import Everything
from services.store import auditing as store
from tests.bench.databases import Bed
from tests.bench.matches import play_long, start
from tests.bench.rounds import Ratio
from tests.support.games import test_games

GAMES = ("energy-capture", "grid-power", "path-capture", "power-line")
EACH = 15
GOALS = {"with legality": 0.3, "chain only": 0.6}


def verifying(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure ``verify --all`` in one process against the raw work on the same events."""
    for game in GAMES:
        for _ in range(EACH):
            play_long(bed.house, start(bed.house, game))
    with bed.house.database.read() as connection:
        found = store.page(connection, store.FIRST, None)
    bodies = [row.body for rows in found.values() for row in rows]
    for name, goal in GOALS.items():
        work = Everything(bed.house.audits, chain_only=name == "chain only", loader=test_games)
        ratios, speeds = [], []
        for _ in range(rounds):
            raw = _raw(bodies)
            began = perf_counter()
            events = sum(done.events for done in work.run())
            speeds.append(events / (perf_counter() - began))
            ratios.append(speeds[-1] / raw)
        detail = f"{median(speeds):,.0f} events/s per core, {rounds} rounds"
        yield Ratio(f"verify --all {name}, {bed.name}", median(ratios), goal, detail)


def _raw(bodies: list[bytes]) -> float:
    """Return events per second of hashing and parsing alone."""
    began = perf_counter()
    for body in bodies:
        sha256(body).hexdigest()
        orjson.loads(body)
    return len(bodies) / (perf_counter() - began)
