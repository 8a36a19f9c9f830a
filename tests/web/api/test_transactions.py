"""What is told of new events, whatever number a PostgreSQL server's transactions have come to."""

from collections.abc import Callable

import orjson
import pytest
from flask import Flask

from services.container import Services
from services.store import schema
from tests.services.checkpoints.attacks import leaves
from tests.support.postgres import PostgresServer
from tests.web.api.resources.test_player_stream import kinds, last_id, told
from tests.web.people import Person

pytestmark = pytest.mark.postgres


@pytest.fixture
def url_at_head(server_at_brink: PostgresServer) -> str:
    url = server_at_brink.create_database("plybook")
    schema.upgrade(url)
    return url


@pytest.fixture
def quick(make_app: Callable[..., Flask]) -> Flask:
    """Give an application whose streams end at once."""
    return make_app(stream_seconds=0)


def test_an_own_stream_goes_on_where_transactions_gain_a_digit(
    ada: Person, bob: Person, quick: Flask, server_at_brink: PostgresServer, brink: int
) -> None:
    matches = [ada.start(bob)["id"] for _ in range(10)]
    server_at_brink.burn(brink - 5)
    last = last_id(quick, bob)
    for match in matches:
        assert ada.act({"id": match}, "resign").status_code == 201
        found = told(quick, bob, last)
        assert kinds(found)[match] == "over"
        last = found[0]["id"]


def test_an_export_goes_on_where_transactions_gain_a_digit(
    ada: Person, bob: Person, anyone: Person, server_at_brink: PostgresServer, brink: int
) -> None:
    matches = [ada.start(bob)["id"] for _ in range(10)]
    server_at_brink.burn(brink - 5)
    cursor = cursor_behind(anyone.get("/export").data)
    for match in matches:
        assert ada.act({"id": match}, "resign").status_code == 201
        new = anyone.get(f"/export?cursor={cursor}").data
        assert new == anyone.get(f"/matches/{match}/export").data
        cursor = cursor_behind(new)


def cursor_behind(exported: bytes) -> str:
    """Return the cursor behind an export, which its last line tells."""
    last = orjson.loads(exported.splitlines()[-1])
    return f"{last['match']},{last['version']},{last['hash']}"


def test_checkpoints_go_on_where_transactions_gain_a_digit(
    ada: Person, bob: Person, house: Services, server_at_brink: PostgresServer, brink: int
) -> None:
    matches = [ada.start(bob)["id"] for _ in range(10)]
    server_at_brink.burn(brink - 10)
    house.sequencer.run()
    for match in matches:
        assert ada.act({"id": match}, "resign").status_code == 201
        made = house.sequencer.run()
        with house.database.read() as connection:
            found = leaves(connection)
        assert made is not None
        assert made.size == len(found)
        assert (found[-1].match, found[-1].version) == (match, ada.look({"id": match})["version"])
        assert len(found) == len({*found})
