"""Matches that lines are stored for, and that a server comes back to."""

from __future__ import annotations

import pytest

from services.container import Services
from tests.services.matches.test_timeouts import DAYS
from tests.services.people import Table, table


@pytest.fixture
def long(house: Services) -> Table:
    """Give a match on a path that nobody comes to the end of; seat 1 is to act."""
    return table(house).start(options={"length": 41})


@pytest.fixture
def there(house: Services) -> Table:
    """Return a match of three days a turn that has just begun, while a server beats."""
    house.downtime.beat()
    return table(house).start(pace=DAYS)
