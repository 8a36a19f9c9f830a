"""A move, pages and a replay in a database of 10^6 events against one of 10^4."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import orjson
import psycopg
from flask.testing import FlaskClient
from sqlalchemy import make_url

from services.container import House, wire
from services.matches.queries import Look
from services.matches.requests import Request
from services.replays.replay import frame_json
from services.runtime.logs import configure_logs
from services.store.matches import MatchRow
from tests.bench.copies import ORIGINALS
from tests.bench.databases import Bed, settings
from tests.bench.filling import fill
from tests.bench.rounds import Ratio
from tests.support.games import test_games
from web.app import create_app

SMALL, LARGE = 10_000, 1_000_000
SAMPLES, PAGES = 20, 6
"""Looks of each kind in a round; fewer at pages, which take longer."""

ROUNDS_OF_ORIGINALS = 12

GOAL = 1.3


@dataclass(slots=True)
class Place:
    """A filled database, and matches to look at in turns, as many in each.

    ``scout`` is a house beside the one that is measured, which then meets a match unprepared.
    """

    house: House
    scout: House
    client: FlaskClient
    running: list[MatchRow]
    finished: list[MatchRow]
    number: int = 0

    def next(self, rows: list[MatchRow]) -> MatchRow:
        """Return a match; another one at every call, until all have had their turn."""
        self.number += 1
        return rows[self.number % len(rows)]


@contextmanager
def _place(bed: Bed, events: int) -> Iterator[Place]:
    """Fill a database beside that of ``bed``, and open it."""
    url = beside(bed.url, f"events_{events}")
    print(f"{bed.name}: filling a database with {events:,} events", file=sys.stderr, flush=True)
    rows = fill(url, events)
    configure_logs(replace(settings(url), log_level="warning"))
    house, scout = (wire(settings(url), games=test_games()) for _ in range(2))
    running = _spread([row for row in rows if row.status == "active"])
    finished = _spread([row for row in rows if row.status == "finished"])
    yield Place(house, scout, create_app(house).test_client(), running, finished)
    house.close()
    scout.close()


def beside(url: str, name: str) -> str:
    """Return the URL of another database; on PostgreSQL it is made, empty."""
    whole = make_url(url)
    if whole.get_backend_name() == "sqlite":
        return f"sqlite:///{Path(whole.database or '').with_name(name)}.sqlite3"
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return whole.set(database=name).render_as_string(hide_password=False)


def _spread(rows: list[MatchRow]) -> list[MatchRow]:
    """Return matches from all over the database: the same originals, however large it is."""
    each = ORIGINALS // 2
    lot = Random(3).sample(range(len(rows) // each), ROUNDS_OF_ORIGINALS)
    return [row for start in lot for row in rows[start * each : (start + 1) * each]]


def large(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure everything in turns in both databases."""
    with _place(bed, SMALL) as small, _place(bed, LARGE) as big:
        for name, (work, samples) in WORK.items():
            ratios, taken = [], []
            for number in range(rounds + 1):
                times = _round(work, samples, small, big)
                if number:  # the first round only warms up
                    ratios.append(times[1] / times[0])
                    taken.append(times[1])
            detail = f"{median(taken) * 1e3:.2f} ms; {LARGE:,} events against {SMALL:,}"
            yield Ratio(f"{name}, {bed.name}", median(ratios), GOAL, detail, at_most=True)


def _round(
    work: Callable[[Place], float], samples: int, small: Place, big: Place
) -> tuple[float, float]:
    """Return the median time of some looks in both, taken in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(samples):
        times[0].append(work(small))
        times[1].append(work(big))
    return median(times[0]), median(times[1])


def move(place: Place) -> float:
    """Make the first legal move in the next match that still goes on."""
    row = place.next(place.running)
    view = place.scout.looking.show(Look(local=True), row.id).view
    seat = view.to_act
    if seat is None:
        return move(place)
    look = Look(asked=f"seat-{seat}", local=True)
    chosen = place.scout.looking.legal_moves(look, row.id, limit=1).moves[0]["move"]
    request = Request(view.seats[seat - 1] or "", view.version)
    began = perf_counter()
    place.house.matches.play(request, row.id, chosen)
    return perf_counter() - began


def replayed(place: Place) -> float:
    """Replay a finished match, to the JSON that is sent."""
    row = place.next(place.finished)
    began = perf_counter()
    frames = place.house.replays.replay(Look(local=True), row.id).frames
    orjson.dumps([frame_json(frame) for frame in frames])
    return perf_counter() - began


def _fetch(place: Place, address: str) -> float:
    began = perf_counter()
    answer = place.client.get(address)
    taken = perf_counter() - began
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status}")
    return taken


def matches_page(place: Place) -> float:
    """Fetch the page of the newest matches."""
    return _fetch(place, "/")


def player_page(place: Place) -> float:
    """Fetch the list of a player's finished matches."""
    player = place.next(place.finished).seat_1 or ""
    return _fetch(place, f"/matches?player={player[-8:]}&status=finished")


def match_page(place: Place) -> float:
    """Fetch the page of a match at a step."""
    row = place.next(place.finished)
    return _fetch(place, f"/m/{row.id}?at={row.version - 2}")


WORK: dict[str, tuple[Callable[[Place], float], int]] = {
    "move": (move, SAMPLES),
    "page of matches": (matches_page, PAGES),
    "page of a player's matches": (player_page, PAGES),
    "page of a match": (match_page, PAGES),
    "replay": (replayed, SAMPLES),
}
"""What is measured, and how often in a round."""
