"""Matches to export, and reading what came out."""

from __future__ import annotations

from typing import Any

import orjson

from services.container import House
from services.exchange.exports import Choice, Wish
from services.matches.queries import Look
from services.store import imports as imported
from services.store.imports import ImportedRow
from tests.services.people import Table, table

LOCAL = Look(local=True)
MOVES = ({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})


def finished(house: House, game: str = "path-capture") -> Table:
    """Return a match that is over; one with hidden hands is resigned after some moves."""
    there = table(house).start(game)
    if game == "path-capture":
        there.play(*MOVES)
        return there
    for _ in range(3):
        seat = there.shown().view.to_act
        look = Look(there.player(seat or 1))
        there.play(house.looking.legal_moves(look, there.match).moves[0]["move"])
    there.act(1, "resign")
    return there


def exported(house: House, match: str, form: str = "ndjson", look: Look = LOCAL) -> bytes:
    return b"".join(house.exports.one(look, match, Wish(form)).chunks)


def lines(exported: bytes) -> list[Any]:
    return [orjson.loads(line) for line in exported.splitlines()]


ALL = Choice()


def all_of(house: House, choice: Choice = ALL, look: Look = LOCAL) -> bytes:
    return b"".join(b"".join(one.chunks) for one in house.exports.many(look, choice))


def call(house: House, there: Table, *names: str) -> None:
    """Mark a match as imported, with such names of its players."""
    players = (there.first, there.second)
    row = ImportedRow(
        there.match, "2026-11-28T00:00:00.000000Z", dict(zip(players, names, strict=True))
    )
    with house.database.write() as connection:
        imported.insert(connection, [row])
