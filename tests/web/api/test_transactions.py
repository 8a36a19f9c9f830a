"""What is told of new events, whatever number a PostgreSQL server's transactions have come to."""

from collections.abc import Callable

import pytest
from flask import Flask

from services.store import schema
from tests.support.postgres import PostgresServer
from tests.web.api.test_own_stream import kinds, last_id, told
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
