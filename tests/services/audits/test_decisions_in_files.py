"""One judge for what a database has and what a file has: what nobody can choose is no match."""

from __future__ import annotations

import orjson
import pytest
from sqlalchemy import text

from domain.log.event_format import hash_bytes
from services.audits.audit import Audits
from services.container import Services
from services.matches.requests import ChangeRequest, NewMatch
from services.store.db.engine import Database
from services.store.log import audits as audit_rows
from tests.services.checkpoints.attacks import unguarded
from tests.services.exchange.matches import exported
from tests.services.forging import (
    CHOICES,
    Said,
    before,
    lines_by_name,
    odd_members,
    put,
    said,
    said_at_once,
)
from tests.services.people import table
from tests.support.games import test_games

COULD_BE = {
    ("match-created", "data.rated", "True"),
    ("seat-taken", "data.player", "'p_0000000000000000'"),
    ("move-made", "data.move.steps", "3"),
    ("move-made", "data.move.y", "-1"),
}
"""What could have been chosen as well: these are no faults."""


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Give one kind of database: what is judged are events, however they were kept."""
    return migrated_sqlite_url


def refused(judged: Said, place: str) -> bool:
    """Whether both refuse in the same words; of an event's own form each says what it sees."""
    if place.startswith(("data.", "sealed.0.value")):
        return judged.alike
    return (judged.database is None) is (judged.file is None)


def test_an_honest_match_holds_in_a_database_and_in_a_file(house: Services) -> None:
    for name, lines in lines_by_name().items():
        for former in before(name):
            put(house, former)
        assert said(house, lines) == (None, None), name


def test_what_nobody_can_choose_is_the_same_fault_in_a_database_and_in_a_file(
    house: Services,
) -> None:
    for name, choose in CHOICES.items():
        judged = said(house, choose())
        assert judged.alike, (name, judged)
        assert judged.database is not None, name
        assert judged.database.check == "decisions", (name, judged)


@pytest.mark.parametrize("name", ["agreements", "decks", "timeout", "path-capture passed"])
def test_any_other_member_of_any_kind_of_event_is_the_same_to_both(name: str) -> None:
    """One member after the other is replaced, left out, or added to, in an event of each kind."""
    lines, audits = lines_by_name()[name], Audits(Database("nowhere.sqlite"), test_games())
    unlike, holding = [], set()
    for plant in odd_members(lines):
        judged = said_at_once(audits, plant.lines)
        if not refused(judged, plant.place):
            unlike.append((plant.kind, plant.place, plant.value, judged))
        elif judged.database is None:
            holding.add((plant.kind, plant.place, repr(plant.value)))
    assert unlike == [], "\n".join(map(str, unlike[:40]))
    assert holding <= COULD_BE


def test_what_is_withdrawn_from_an_empty_seat_is_a_fault(house: Services) -> None:
    there = table(house)
    new = NewMatch("path-capture", seat=1, opponent="brook")
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    there.act(1, "abort")
    lines = [orjson.loads(line) for line in exported(house, there.match).splitlines()]
    assert lines[-1]["data"] == {"reason": "withdrawn"}
    assert house.audits.verify(there.match).holds
    with house.database.read() as connection:
        rows = audit_rows.list_events(connection, there.match)
    forged = rows[-1].body.replace(b'"actor":"seat-1"', b'"actor":"seat-2"')
    last = rows[-1]._replace(body=forged, hash=hash_bytes(forged))
    with unguarded(house.database) as connection:
        sql = 'UPDATE events SET body = :b, hash = :h WHERE "match" = :m AND version = :v'
        values = {"b": forged, "h": last.hash, "m": there.match, "v": last.version}
        connection.execute(text(sql), values)
        connection.execute(text("UPDATE matches SET head = :h WHERE id = :m"), values)
    [fault] = house.audits.verify(there.match).faults
    assert (fault.version, fault.check) == (last.version, "decisions")
    assert "nobody sits in seat 2" in fault.detail
