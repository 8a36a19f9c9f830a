"""A house on a migrated database of each kind, with a clock and entropy of the tests."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from services.container import Services
from services.matches.queries import Asker
from services.runtime.settings import Settings
from tests.services.people import Table, table
from tests.services.racing import Clocks
from tests.support.games import test_games

ON_SQLITE_ALONE = pytest.mark.parametrize("migrated_url", ["sqlite"], indirect=True)
"""For a test of what a use case decides: what it says to PostgreSQL, others of its module say."""


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 27, 22, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        """Go on by a ``timedelta`` of these parts; back, if they are negative."""
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(migrated_url: str, clock: Clock) -> Iterator[Services]:
    built = Services(Settings(database_url=migrated_url), games=test_games(), now=clock)
    yield built
    built.close()


@pytest.fixture
def there(house: Services) -> Table:
    """Give two players without a match."""
    return table(house)


@pytest.fixture
def finished(house: Services) -> Table:
    """Give a finished match with dice."""
    there = table(house).start("energy-capture")
    for _ in range(2):
        seat = there.shown().view.to_act or 1
        moves = house.queries.list_legal_moves(
            Asker(there.player(seat)), there.match, limit=1
        ).moves
        there.play(moves[0]["move"])
    there.act(1, "resign")
    return there


@pytest.fixture
def clocks() -> Clocks:
    return Clocks(Clock().now)


@pytest.fixture
def houses(migrated_url: str, clocks: Clocks) -> Iterator[tuple[Services, Services]]:
    """Give two processes' worth of the service on one database."""
    made = [
        Services(Settings(database_url=migrated_url), games=test_games(), now=clocks)
        for _ in range(2)
    ]
    yield made[0], made[1]
    for one in made:
        one.close()
