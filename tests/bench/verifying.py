"""How fast a whole database is verified, beside SHA-256 and JSON parsing of the same bytes.

Goals are held to ``orjson``, which we parse with. See docs/decisions/0022.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

import orjson

from domain.json_types import JsonObject
from services.audits.database import DatabaseAudit
from services.store.db.engine import fetch
from tests.bench.databases import Bed, beside, opened
from tests.bench.filling import HIDDEN, LONGEST, copies, distinct, fill
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


JOBS, TO_SHARE = 2, 240_000
"""Processes, and so many events that what it takes to start them is little beside these.

A process that is started imports what the bench imports, browser and all: of 60,000 events that
was a third of the time.
"""

ROUNDS_SHARED = 3
"""Rounds of these: each takes half a minute."""


def verifying(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure ``verify --all`` in one process against the raw work on the same events."""
    for number, run in enumerate(RUNS):
        url = beside(bed.url, f"verified_{number}")
        fill(url, distinct(run.games, run.events))
        with opened(url) as house:
            with house.database.read() as connection:
                bodies = [row[0] for row in fetch(connection, "SELECT body FROM events", [])]

            def raw(bodies: list[bytes] = bodies) -> None:
                for body in bodies:
                    sha256(body).hexdigest()
                    orjson.loads(body)

            def ours(run: Run = run, events: int = len(bodies)) -> None:
                work = DatabaseAudit(house.audits, chain_only=run.chain_only, loader=test_games)
                done = list(work.run())
                if sum(one.events for one in done) != events or any(one.broken for one in done):
                    raise RuntimeError("the matches of the bench do not verify")

            sides = Sides(raw, ours, pieces=len(bodies))
            yield measured(f"verify --all {run.name}, {bed.name}", run.goal, sides, rounds)
    yield _shared(bed, min(rounds, ROUNDS_SHARED))


def _shared(bed: Bed, rounds: int) -> Ratio:
    """Measure ``--jobs`` against one process: how much of each process' time is made use of."""
    url = beside(bed.url, "verified_by_several")
    fill(url, copies(TO_SHARE))
    with opened(url) as house:

        def by(jobs: int) -> None:
            done = list(DatabaseAudit(house.audits, jobs=jobs, loader=test_games).run())
            if any(one.broken for one in done):
                raise RuntimeError("the matches of the bench do not verify")

        sides = Sides(lambda: by(1), lambda: by(JOBS), pieces=TO_SHARE)
        ratio = measured(f"verify --all --jobs {JOBS}, a process, {bed.name}", 0.85, sides, rounds)
    return ratio._replace(value=ratio.value / JOBS)
