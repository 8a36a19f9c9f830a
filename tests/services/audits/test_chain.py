"""Each planted fault is found, with the triggers dropped as an attacker would; which check does."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from sqlalchemy import Connection, text

from services.audits import chain
from services.audits.audit import StoredMatch
from services.audits.chain import CHAIN, SEALS, Fault
from services.audits.database import DatabaseAudit
from services.container import Services
from services.store.log import audits as audit_rows
from tests.services.checkpoints.attacks import unguarded
from tests.services.people import Table, table
from tests.support.games import test_games

PARK = 1_000_000


def found(house: Services, match: str) -> tuple[int | None, str] | None:
    faults = house.audits.verify(match).faults
    return (faults[0].version, faults[0].check) if faults else None


def set_column(connection: Connection, of: str, number: int, **values: object) -> None:
    names = ", ".join(f'"{name}" = :{name}' for name in values)
    sql = f'UPDATE events SET {names} WHERE "match" = :_of AND version = :_number'
    connection.execute(text(sql), {**values, "_of": of, "_number": number})


def renumber(connection: Connection, match: str, old: int, new: int) -> None:
    sql = 'UPDATE events SET version = :new WHERE "match" = :m AND version = :old'
    connection.execute(text(sql), {"m": match, "old": old, "new": new})


@pytest.mark.parametrize("column", ["body", "openings", "hash"])
def test_a_change_of_any_single_byte_is_found_by_chain_or_seals(
    house: Services, finished: Table, column: str
) -> None:
    with house.database.read() as connection:
        rows = audit_rows.list_events(connection, finished.match)
        [line] = [audit_rows.list_lines(connection, "", None)[finished.match]]
    for index in (0, 3, len(rows) - 1):
        kept = getattr(rows[index], column)
        if kept is None:
            continue
        raw = kept.encode() if isinstance(kept, str) else kept
        for place in range(len(raw)):
            for flip in (1, 0x20):
                changed = bytearray(raw)
                changed[place] ^= flip
                value = changed.decode("latin-1") if isinstance(kept, str) else bytes(changed)
                planted = [*rows]
                planted[index] = rows[index]._replace(**{column: value})  # type: ignore[arg-type]
                stored = StoredMatch(finished.match, planted, line, ())
                faults = house.audits.check(stored, chain_only=False)
                assert faults, (column, index, place)
                assert faults[0].check == ("seals" if column == "openings" else "chain")


@pytest.mark.parametrize(("number", "told_of"), [(100, 100), (101, 101), (300, 101)])
def test_of_very_many_faults_the_first_are_told_and_that_there_are_more(
    number: int, told_of: int
) -> None:
    faults = [Fault(one, CHAIN if one % 2 else SEALS, "A fault.") for one in range(number)]
    told = chain.limit_faults(iter(faults))
    assert told[:100] == faults[:100]
    assert len(told) == told_of
    assert [(one.version, one.check) for one in told[100:]] == [(None, SEALS)] * (told_of - 100)


def test_a_removed_event_is_found_by_the_chain(house: Services, finished: Table) -> None:
    with unguarded(house.database) as connection:
        connection.execute(
            text('DELETE FROM events WHERE "match" = :m AND version = 3'), {"m": finished.match}
        )
    assert found(house, finished.match) == (3, "chain")


def test_swapped_events_are_found_by_the_chain(house: Services, finished: Table) -> None:
    with unguarded(house.database) as connection:
        swap = partial(renumber, connection, finished.match)
        swap(5, PARK)
        swap(6, 5)
        swap(PARK, 6)
    assert found(house, finished.match) == (5, "chain")


def test_a_doubled_event_is_found_by_the_chain(house: Services, finished: Table) -> None:
    last = finished.version
    with unguarded(house.database) as connection:
        connection.execute(
            text(
                'INSERT INTO events ("match", version, kind, "at", body, hash, openings) '
                'SELECT "match", :new, kind, "at", body, hash, openings FROM events '
                'WHERE "match" = :m AND version = :old'
            ),
            {"m": finished.match, "new": last + 1, "old": last},
        )
    assert found(house, finished.match) == (last + 1, "chain")


def test_an_inserted_event_is_found_by_the_chain(house: Services, finished: Table) -> None:
    with unguarded(house.database) as connection:
        for version in range(finished.version, 4, -1):
            renumber(connection, finished.match, version, version + PARK)
        for version in range(5, finished.version + 1):
            renumber(connection, finished.match, version + PARK, version + 1)
        connection.execute(
            text(
                'INSERT INTO events ("match", version, kind, "at", body, hash, openings) '
                'SELECT "match", 5, kind, "at", body, hash, openings FROM events '
                'WHERE "match" = :m AND version = 4'
            ),
            {"m": finished.match},
        )
    assert found(house, finished.match) == (5, "chain")


def test_a_changed_column_beside_an_event_is_found_by_the_chain(
    house: Services, finished: Table
) -> None:
    with unguarded(house.database) as connection:
        set_column(connection, finished.match, 4, kind="turn-passed")
    assert found(house, finished.match) == (4, "chain")


SAMPLED = 100
"""Changes of rows: what takes seconds, where each is written, looked for, and taken back."""
FINDERS = {
    "body": {"chain"},
    "hash": {"chain", "caches"},
    "openings": {"seals"},
    "kind": {"chain"},
    "at": {"chain"},
    "match": {"chain", "caches"},
}
"""Which check finds a changed byte of a column.

A last event that has moved to another match was cut, which the lists know.
"""


@pytest.mark.parametrize("column", FINDERS)
def test_a_changed_byte_of_a_stored_row_is_found(
    house: Services, finished: Table, column: str
) -> None:
    with house.database.read() as connection:
        rows = audit_rows.list_events(connection, finished.match)
    choice = Random(column)
    for _ in range(SAMPLED // len(FINDERS)):
        row = choice.choice([one for one in rows if getattr(one, column) is not None])
        kept = getattr(row, column)
        changed = bytearray(kept.encode() if isinstance(kept, str) else kept)
        changed[choice.randrange(len(changed))] ^= choice.choice((1, 2, 16))
        value = changed.decode("ascii") if isinstance(kept, str) else bytes(changed)
        match = str(value) if column == "match" else finished.match
        with unguarded(house.database) as connection:
            set_column(connection, finished.match, row.version, **{column: value})
        faults = house.audits.verify(finished.match).faults
        assert faults, (column, row.version, value)
        assert faults[0].check in FINDERS[column]
        with unguarded(house.database) as connection:
            set_column(connection, match, row.version, **{column: kept})
    assert house.audits.verify(finished.match).holds


def places(connection: Connection, match: str) -> dict[int, int]:
    sql = 'SELECT version, position FROM events WHERE "match" = :m'
    return {row[0]: row[1] for row in connection.execute(text(sql), {"m": match})}


def swap_places(connection: Connection, first: int, second: int) -> None:
    """Swap two positions, by way of one that nothing has."""
    if connection.dialect.name == "postgresql":
        by_hand = "ALTER TABLE events ALTER COLUMN position SET GENERATED BY DEFAULT"
        connection.execute(text(by_hand))
    sql = "UPDATE events SET position = :new WHERE position = :old"
    for old, new in ((first, PARK), (second, first), (PARK, second)):
        connection.execute(text(sql), {"old": old, "new": new})


def test_swapped_places_of_a_matchs_events_are_found_by_the_chain(
    house: Services, finished: Table
) -> None:
    with unguarded(house.database) as connection:
        found_at = places(connection, finished.match)
        swap_places(connection, found_at[4], found_at[5])
    assert found(house, finished.match) == (5, "chain")


def test_swapped_places_of_two_matches_are_no_ones_to_find(
    house: Services, finished: Table
) -> None:
    """The order among matches is in no chain; docs/event-format.md says so."""
    other = table(house).start()
    with unguarded(house.database) as connection:
        ours, theirs = places(connection, finished.match), places(connection, other.match)
        swap_places(connection, ours[finished.version], theirs[1])
    assert found(house, finished.match) is None
    assert found(house, other.match) is None


def test_a_changed_number_of_a_transaction_is_no_ones_to_find(
    house: Services, finished: Table
) -> None:
    if house.database.sqlite:
        pytest.skip("SQLite's events have no such column: one writer at a time needs none.")
    with unguarded(house.database) as connection:
        connection.execute(
            text("UPDATE events SET txid = '1' WHERE \"match\" = :m AND version = 4"),
            {"m": finished.match},
        )
    assert found(house, finished.match) is None


def test_a_cut_tail_is_found_by_the_read_model(house: Services, finished: Table) -> None:
    last = finished.version
    with unguarded(house.database) as connection:
        connection.execute(
            text('DELETE FROM events WHERE "match" = :m AND version = :v'),
            {"m": finished.match, "v": last},
        )
    assert found(house, finished.match) == (last, "caches")


def test_an_edited_snapshot_is_found_by_the_caches(house: Services, finished: Table) -> None:
    with house.database.write() as connection:
        connection.execute(text("UPDATE snapshots SET state = :s"), {"s": b"{}"})
    assert found(house, finished.match) == (finished.version, "caches")


def test_everything_finds_orphans_of_each_kind(house: Services, finished: Table) -> None:
    others = [table(house).start().match for _ in range(2)]
    with unguarded(house.database) as connection:
        connection.execute(text("DELETE FROM matches WHERE id = :m"), {"m": others[0]})
        connection.execute(text('DELETE FROM events WHERE "match" = :m'), {"m": others[1]})
        connection.execute(
            text(
                'INSERT INTO snapshots ("match", version, head, format, state) '
                "SELECT 'zzzzzzzzzzzzzzzz', 3, head, format, state FROM snapshots LIMIT 1"
            )
        )
    [done] = DatabaseAudit(house.audits, loader=test_games).run()
    assert {one.match for one in done.broken} == {*others, "zzzzzzzzzzzzzzzz"}
    assert done.matches == 4
    assert finished.match not in {one.match for one in done.broken}


def test_several_processes_find_what_one_finds(house: Services, finished: Table) -> None:
    with unguarded(house.database) as connection:
        set_column(connection, finished.match, 4, kind="turn-passed")
    alone = list(DatabaseAudit(house.audits, loader=test_games).run())
    assert list(DatabaseAudit(house.audits, jobs=2, loader=test_games).run()) == alone
    assert [one.match for one in alone[0].broken] == [finished.match]
