"""A server that runs for a while and then is away, and what matches get back for it."""

from __future__ import annotations

from datetime import timedelta

from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from tests.services.conftest import Clock
from tests.services.people import Table

DAY = 86_400


def serve(house: Services, clock: Clock, **span: float) -> None:
    """Let a server run on for so long; it beats all the time."""
    end = clock.now + timedelta(**span)
    while clock.now < end:
        house.downtime.beat()
        clock.now = min(end, clock.now + timedelta(seconds=500))
    house.downtime.beat()


def data(there: Table, kind: str = "time-given") -> list[JsonObject]:
    page = there.house.queries.show_events(Asker(local=True), there.match)
    return [{"actor": one["actor"], **one["data"]} for one in page.events if one["kind"] == kind]


def given(seconds: int, seat: int = 1) -> JsonObject:
    return {"actor": "server", "seat": seat, "reason": "downtime", "amount": seconds}


def table_of(house: Services, there: Table) -> Table:
    return Table(house, there.first, there.second)
