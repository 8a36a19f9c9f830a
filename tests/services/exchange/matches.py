"""Matches to export, and reading what came out."""

from __future__ import annotations

from typing import Any

import orjson

from services.container import Services
from services.exchange.exports import ExportFilter, ExportRequest
from services.matches.queries import Asker
from services.store import imports
from services.store.imports import ImportedRow
from tests.services.people import Table, table

LOCAL = Asker(local=True)
MOVES = ({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})


def finished(house: Services, game: str = "path-capture") -> Table:
    """Return a match that is over; one with hidden hands is resigned after some moves."""
    there = table(house).start(game)
    if game == "path-capture":
        there.play(*MOVES)
        return there
    for _ in range(3):
        seat = there.shown().view.to_act
        look = Asker(there.player(seat or 1))
        there.play(house.queries.list_legal_moves(look, there.match, limit=1).moves[0]["move"])
    there.act(1, "resign")
    return there


def exported(house: Services, match: str, form: str = "ndjson", look: Asker = LOCAL) -> bytes:
    return b"".join(house.exports.export_one(look, match, ExportRequest(form)).chunks)


def lines(exported: bytes) -> list[Any]:
    return [orjson.loads(line) for line in exported.splitlines()]


ALL = ExportFilter()


def all_of(house: Services, choice: ExportFilter = ALL, look: Asker = LOCAL) -> bytes:
    return b"".join(b"".join(one.chunks) for one in house.exports.export_many(look, choice))


def call(house: Services, there: Table, *names: str) -> None:
    """Mark a match as imported, with such names of its players."""
    players = (there.first, there.second)
    row = ImportedRow(
        there.match, "2026-11-28T00:00:00.000000Z", dict(zip(players, names, strict=True))
    )
    with house.database.write() as connection:
        imports.insert(connection, [row])
