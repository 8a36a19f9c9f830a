"""A log that goes on at another PostgreSQL server, whatever number its transactions have come to.

What was restored comes before everything new, for whoever follows all events.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest
from flask import Flask

from services.container import Services
from services.runtime.settings import Settings
from services.store import schema
from tests.services.checkpoints.attacks import leaves
from tests.support.games import test_games
from tests.support.postgres import PostgresServer, Seed, start_postgres
from tests.web.api.resources.test_player_stream import kinds, last_id, told
from tests.web.api.test_transactions import cursor_behind
from tests.web.people import Person
from web.app import create_app

pytestmark = pytest.mark.postgres


@contextmanager
def app_at(url: str) -> Iterator[tuple[Services, Flask]]:
    settings = Settings(database_url=url, rate_limit=0, stream_seconds=0)
    house = Services(settings, games=test_games())
    yield house, create_app(house)
    house.close()


def program(server: PostgresServer, name: str) -> str:
    path = server.binaries / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the server that the tests run: {path}")
    return str(path)


def libpq(url: str) -> str:
    return url.replace("+psycopg", "")


def restored(
    source: PostgresServer, url: str, target: PostgresServer, file: Path, name: str = "plybook"
) -> str:
    """Dump a database, restore it into an empty one of another server; give that one's URL."""
    dump = [program(source, "pg_dump"), "--format=custom", f"--file={file}", libpq(url)]
    subprocess.run(dump, check=True, capture_output=True)
    copy = target.create_database(name)
    restore = [program(target, "pg_restore"), "--exit-on-error", f"--dbname={libpq(copy)}", file]
    subprocess.run([str(word) for word in restore], check=True, capture_output=True)
    return copy


@pytest.fixture
def fresh(postgres_seed: Seed) -> Iterator[PostgresServer]:
    """Run a server that has counted less than any that tests run on the brink."""
    where = os.environ.get("TEST_POSTGRES_DATA")
    with start_postgres(data_in=where, seed=postgres_seed) as server:
        yield server


def heads(house: Services) -> dict[str, int]:
    """Return the newest version of each match that has a leaf; leaves may not come twice."""
    with house.database.read() as connection:
        found = leaves(connection)
    assert len(set(found)) == len(found)
    return {leaf.match: leaf.version for leaf in found}


def versions(person: Person, matches: list[str]) -> dict[str, int]:
    return {match: person.look({"id": match})["version"] for match in matches}


def listed(person: Person) -> set[str]:
    """Return the matches on all pages of the list."""
    found: list[str] = []
    path = "/matches?limit=2"
    while True:
        page = person.get(path).json
        found += [match["id"] for match in page["matches"]]
        if page["next_cursor"] is None:
            assert len(found) == len(set(found))
            return set(found)
        path = f"/matches?limit=2&cursor={page['next_cursor']}"


def exported(person: Person, cursor: str) -> list[str]:
    """Return the matches that are new behind a cursor, in order."""
    lines = map(orjson.loads, person.get(f"/export?cursor={cursor}").data.splitlines())
    return [line["match"] for line in lines if "format" in line]


def test_followers_go_on_after_a_dump_is_restored_into_a_fresh_server(
    server_at_brink: PostgresServer, fresh: PostgresServer, brink: int, tmp_path: Path
) -> None:
    url = server_at_brink.create_database("plybook")
    schema.upgrade(url)
    server_at_brink.burn(brink - 100)
    with app_at(url) as (house, app):
        anyone = Person(app.test_client())
        ada, bob = anyone.sign_up("ada"), anyone.sign_up("bob")
        matches = [ada.start(bob)["id"] for _ in range(6)]
        house.sequencer.run()
        ada.act({"id": matches[0]}, "resign")
        last, cursor = last_id(app, bob), cursor_behind(anyone.get("/export").data)
        ada.act({"id": matches[1]}, "resign")
    copy = restored(server_at_brink, url, fresh, tmp_path / "plybook.dump")
    with app_at(copy) as (house, app):
        ada, bob = (Person(app.test_client(), one.name, one.token) for one in (ada, bob))
        # What was there and nobody had been told of comes first,
        assert kinds(told(app, bob, last))[matches[1]] == "over"
        house.sequencer.run()
        assert heads(house) == versions(bob, matches)
        assert listed(bob) == set(matches)
        [new] = exported(bob, cursor)
        assert new == matches[1]
        last = last_id(app, bob)
        for number, match in enumerate(matches[2:]):
            if number == 2:
                # and all that is new comes behind it, also once the counter has passed it.
                fresh.burn(min(brink, 110_000) + 100)
            assert ada.act({"id": match}, "resign").status_code == 201
            found = told(app, bob, last)
            assert kinds(found) == {match: "over"}
            last = found[0]["id"]
            assert exported(bob, cursor) == matches[1 : number + 3]
            house.sequencer.run()
            assert heads(house) == versions(bob, matches)
        assert kinds(told(app, bob, last)) == {}
