"""How fast a whole database is verified, beside SHA-256 and JSON parsing of the same bytes.

Goals are held to ``orjson``, which we parse with. See docs/decisions/0022.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

import orjson

from domain.json_types import JsonObject
from services.audits.database import Everything
from services.store.db.sql import rows
from tests.bench.databases import Bed, beside, opened
from tests.bench.filling import HIDDEN, LONGEST, distinct, fill
from tests.bench.rounds import Ratio, Sides, measured
from tests.support.games import test_games


class Run(NamedTuple):
    """What is verified, of how many events, how, and what that is to reach; None: nothing."""

    name: str
    games: dict[str, JsonObject]
    events: int
    chain_only: bool
    goal: float | None


RUNS = (
    Run("with legality", LONGEST, 20_000, chain_only=False, goal=None),
    Run("with legality, game with secrets", HIDDEN, 4_000, chain_only=False, goal=None),
    Run("chain only", LONGEST, 20_000, chain_only=True, goal=0.4),
)


def verifying(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure ``verify --all`` in one process against the raw work on the same events."""
    for number, run in enumerate(RUNS):
        url = beside(bed.url, f"verified_{number}")
        fill(url, distinct(run.games, run.events))
        with opened(url) as house:
            with house.database.read() as connection:
                bodies = [row[0] for row in rows(connection, "SELECT body FROM events", [])]

            def raw(bodies: list[bytes] = bodies) -> None:
                for body in bodies:
                    sha256(body).hexdigest()
                    orjson.loads(body)

            def ours(run: Run = run, events: int = len(bodies)) -> None:
                work = Everything(house.audits, chain_only=run.chain_only, loader=test_games)
                done = list(work.run())
                if sum(one.events for one in done) != events or any(one.broken for one in done):
                    raise RuntimeError("the matches of the bench do not verify")

            sides = Sides(raw, ours, pieces=len(bodies))
            yield measured(f"verify --all {run.name}, {bed.name}", run.goal, sides, rounds)
