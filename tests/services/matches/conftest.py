"""A match that lines are stored for."""

from __future__ import annotations

import pytest

from services.container import Services
from tests.services.people import Table, table


@pytest.fixture
def long(house: Services) -> Table:
    """Give a match on a path that nobody comes to the end of; seat 1 is to act."""
    return table(house).start(options={"length": 41})
