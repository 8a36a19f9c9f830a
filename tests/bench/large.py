"""``./dev bench large``: how long pages and lists take among many players and matches.

Two databases are filled (``populating``): one of 1,000 players and 10,000 matches, and one of a
hundred times as many. Each thing is asked for by a client of the application in this process,
in turns of the two; what is told is the median of the ratios. ``asked`` is somebody with the same
22 matches in both.

    ./dev bench large                   # SQLite, and PostgreSQL where there is one
    ./dev bench large sqlite 100000     # SQLite alone, and a tenth of the matches
    TMPDIR=/dev/shm ./dev bench large   # the databases in memory: 1.5 GB each

Filling takes some two minutes a database on a quiet core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

from flask import Flask

from services.container import Services
from services.lobby.lists import PACES, SORTS, STATUSES
from services.runtime.logs import configure_logs
from services.runtime.settings import Settings
from services.store.schema import upgrade
from tests.bench.populating import GAME, Size, populate
from tests.bench.rounds import Ratio
from tests.support.postgres import PostgresUnavailableError, start_postgres
from tests.web.pages.browsing import Browser
from tests.web.people import Answer, Person
from web.app import create_app

SMALL, LARGE = Size(1_000, 10_000), Size(100_000, 1_000_000)
PER_PLAYER = 10

SLOWER = 1.5
"""So many times as long a thing may take in the large database."""

ROUNDS, QUICK_ROUNDS = 15, 5
ASKED, HOUSE = "asked", "house:1"
"""Somebody, and who has played a twentieth of all matches or more."""

PATHS = (
    *(f"/ratings/{GAME}", f"/players/{ASKED}", f"/players/{ASKED}/ratings/{GAME}"),
    *(f"/players/{HOUSE}", "/players?prefix=player-1&limit=100"),
    *("/series", f"/series?game={GAME}", f"/series?player={ASKED}", f"/series?player={HOUSE}"),
    *(f"/series?status={one}" for one in STATUSES),
    *(f"/series?status={one}&game={GAME}&limit=5" for one in ("active", "finished")),
    *("/series?mine=true", "/series?mine=true&status=finished"),
    "/matches",
    *(f"/matches?sort={one}&limit=100" for one in SORTS),
    *(f"/matches?status={one}" for one in STATUSES),
    *(f"/matches?status={one}&sort=created" for one in STATUSES),
    *(f"/matches?game={GAME}", f"/matches?game={GAME}&status=active&sort=created"),
    *(f"/matches?pace={one}" for one in PACES),
    *("/matches?seeks=true", "/matches?rated=true", f"/matches?rated=false&game={GAME}"),
    *(f"/matches?player={ASKED}", f"/matches?player={ASKED}&sort=created"),
    *(f"/matches?player={ASKED}&status=finished", f"/matches?to_act={ASKED}"),
    *(f"/matches?player={HOUSE}", f"/matches?player={HOUSE}&sort=created"),
    *(f"/matches?player={HOUSE}&status=open", f"/matches?player={HOUSE}&seeks=true"),
    *("/matches?mine=true", "/matches?mine=true&sort=created"),
)
"""What is asked of the API, as the player who is ``asked`` about."""

LATER = (
    f"/ratings/{GAME}",
    "/series",
    "/matches",
    "/matches?sort=created",
)
"""Lists of which the fifth page is asked for, too."""

PAGES = (
    f"/games/{GAME}/ratings",
    *(f"/p/{ASKED}", f"/p/{HOUSE}", "/", "/matches", "/matches?mine=true"),
    "/matches?status=seeks",
    f"/matches?status=finished&game={GAME}&sort=created",
)
"""Pages, as they are for that player."""

Ask = Callable[[], Answer]
Clock = Callable[[], float]


class Bed(NamedTuple):
    """A database that is filled, and the player in it who is asked about."""

    app: Flask
    browser: Browser
    person: Person


def main(arguments: list[str]) -> int:
    """Print the ratios; 1 where one is more than it may be."""
    quick = "--quick" in arguments
    numbers = [int(one) for one in arguments if one.isdecimal()]
    kinds = [one for one in arguments if one != "--quick" and not one.isdecimal()]
    most = numbers[0] if numbers else LARGE.matches
    if not {"sqlite", "postgresql"}.issuperset(kinds) or most < SMALL.matches:
        told = f"There are: sqlite, postgresql, and a number of matches from {SMALL.matches} on."
        print(told, file=sys.stderr)
        return 2
    large, missed = Size(most // PER_PLAYER, most), 0
    configure_logs(Settings(log_level="error"))
    for kind in kinds or ("sqlite", "postgresql"):
        with ExitStack() as stack:
            try:
                urls = stack.enter_context(_databases(kind))
            except PostgresUnavailableError as reason:
                print(f"PostgreSQL is left out: {reason}")
                continue
            small, many = _filled(stack, urls[0], SMALL), _filled(stack, urls[1], large)
            clock = process_time if kind == "sqlite" else perf_counter
            for ratio in _ratios(small, many, QUICK_ROUNDS if quick else ROUNDS, clock):
                mark = "ok" if ratio.reached else "MISSED"
                line = f"{mark:6} {ratio.value:6.2f}  {kind:10} {ratio.name}: {ratio.detail}"
                print(line, flush=True)
                missed += not ratio.reached
    print(f"{missed} of the goals missed" if missed else "all goals reached")
    return 1 if missed else 0


@contextmanager
def _databases(kind: str) -> Iterator[tuple[str, str]]:
    """Give the URLs of two empty databases."""
    if kind == "sqlite":
        with TemporaryDirectory() as folder:
            yield f"{Path(folder) / 'small.sqlite3'}", f"{Path(folder) / 'large.sqlite3'}"
    else:
        with start_postgres(data_in=os.environ.get("TMPDIR")) as server:
            yield server.create_database("small"), server.create_database("large")


def _filled(stack: ExitStack, url: str, size: Size) -> Bed:
    began = perf_counter()
    upgrade(url)
    unlimited = Settings(
        database_url=url, rate_limit=0, sign_up_limit=0, log_in_limit=0, processor_limit=0
    )
    house = stack.enter_context(closing(Services(unlimited)))
    app = create_app(house)
    browser = Browser(app).sign_up(ASKED)
    person = Person(app.test_client(), ASKED)
    person.token = person.log_in(ASKED)
    populate(house.database, size, house.accounts.get_by_name(ASKED).id)
    print(f"{size.matches:,} matches: filled in {perf_counter() - began:.0f} s", flush=True)
    return Bed(app, browser, person)


def _ratios(small: Bed, large: Bed, rounds: int, clock: Clock) -> Iterator[Ratio]:
    asked = list(zip(_asked(small), _asked(large), strict=True))
    for (name, in_small), (_, in_large) in asked:
        yield _measured(name, (in_small, in_large), rounds, clock)


def _asked(bed: Bed) -> Iterator[tuple[str, Ask]]:
    """Yield what is asked for, by name."""
    for path in PATHS:
        yield f"GET {path}", partial(bed.person.get, path)
    for path in LATER:
        address = _later(bed.person, path)
        yield f"GET {path}, the fifth page", partial(bed.person.get, address)
    (series, *_) = bed.person.get(f"/series?player={ASKED}").json["series"]
    yield "GET /series/{id}", partial(bed.person.get, f"/series/{series['id']}")
    for path in PAGES:
        yield f"the page {path}", partial(bed.browser.get, path)
    yield "the page of a series", partial(bed.browser.get, f"/series/{series['id']}")


def _later(person: Person, path: str) -> str:
    """Return the address of a list's fifth page."""
    path = f"{path}{'&' if '?' in path else '?'}limit=10"
    cursor = ""
    for _ in range(4):
        page = person.get(f"{path}&cursor={cursor}" if cursor else path).json
        cursor = page["next_cursor"]
    return f"{path}&cursor={cursor}"


def _measured(name: str, asks: tuple[Ask, Ask], rounds: int, clock: Clock) -> Ratio:
    """Ask in turns. The first round only warms up."""
    pairs = []
    for number in range(rounds + 1):
        taken = {ask: _seconds(name, ask, clock) for ask in asks[:: 1 if number % 2 else -1]}
        if number:
            pairs.append([taken[ask] for ask in asks])
    small, large = (1000 * median(side) for side in zip(*pairs, strict=True))
    told = f"{large:.1f} ms against {small:.1f}"
    return Ratio(name, median(many / few for few, many in pairs), SLOWER, told, at_most=True)


def _seconds(name: str, ask: Ask, clock: Clock) -> float:
    began = clock()
    answer = ask()
    taken = clock() - began
    if answer.status_code != 200:
        raise RuntimeError(f"{name}: {answer.status_code} {answer.text[:200]}")
    return taken
