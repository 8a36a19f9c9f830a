"""What is planted in a row is found where many matches are read at once, as it is in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DataError

from domain.log.event_format import hash_bytes
from services.audits.audit import Audits
from services.audits.chain import Verdict
from services.audits.database import DatabaseAudit
from services.container import Services
from services.store.log import audits as audit_rows
from services.store.log.audits import RowSpan
from tests.services.checkpoints.attacks import rewrite, unguarded
from tests.services.people import Table, table
from tests.support.games import test_games

Plant = Callable[[Connection, str], None]

AT = 4
"""The event in which something is planted; there are others on either side."""


def updated(change: str, *, of: int = AT, **values: object) -> Plant:
    """Return what changes a row's columns."""

    def plant(connection: Connection, match: str) -> None:
        sql = f'UPDATE events SET {change} WHERE "match" = :_match AND version = :_of'
        connection.execute(text(sql), {**values, "_match": match, "_of": of})

    return plant


def body_of(connection: Connection, match: str, version: int) -> bytes:
    sql = 'SELECT body FROM events WHERE "match" = :m AND version = :v'
    return bytes(connection.execute(text(sql), {"m": match, "v": version}).scalar_one())


def line_broken(connection: Connection, match: str) -> None:
    """Break an event's line in two, and give it the hash of that."""
    body = body_of(connection, match, AT).replace(b"{", b"{\n", 1)
    updated("body = :b, hash = :h", b=body, h=hash_bytes(body))(connection, match)


def both_in_one(connection: Connection, match: str) -> None:
    """Put an event behind another one, with a line's end between, and take away what was there."""
    both = body_of(connection, match, AT) + b"\n" + body_of(connection, match, AT + 1)
    updated("body = :b", b=both)(connection, match)
    updated("body = ''", of=AT + 1)(connection, match)


def shifted(connection: Connection, match: str) -> None:
    """Let the instant beside an event begin one letter too late, with what stands behind it."""
    sql = 'SELECT "at" FROM events WHERE "match" = :m AND version = :v'
    at = connection.execute(text(sql), {"m": match, "v": AT}).scalar_one()
    updated('"at" = :a', a=f'{at[1:]}"')(connection, match)


def rechained(old: bytes, new: bytes) -> Plant:
    """Return what changes the bytes of events, and makes the chain behind them anew."""

    def plant(connection: Connection, match: str) -> None:
        rewrite(connection, match, [(old, new)])

    return plant


FIRST = b'"previous":"' + b"0" * 64
"""What only a first event has, in which there is a seal."""

ANYWHERE: dict[str, Plant] = {
    "kind": updated("kind = 'turn-passed'"),
    "two kinds": updated("kind = 'move-made,move-made'"),
    "kind in lines": updated("kind = :k", k="move-made\nmove-made"),
    "at": updated("\"at\" = '2026-11-28T00:00:00.000000Z'"),
    "shifted": shifted,
    "two instants": updated("\"at\" = 'a,b'"),
    "hash": updated("hash = :h", h="0" * 64),
    "two hashes": updated("hash = :h", h=f"{'0' * 31},{'1' * 32}"),
    "body": updated("body = :b", b=b"{}"),
    "no body": updated("body = :b", b=b""),
    "lines": line_broken,
    "both": both_in_one,
    "openings where there are none": updated("openings = :o", o=b"[]"),
    "empty openings": updated("openings = :o", o=b""),
    "no openings": updated("openings = NULL", of=1),
    "openings in lines": updated("openings = :o", of=1, o=b"[\n]"),
    "version": updated("version = 99"),
    "kind of what is sealed": updated("kind = 'seat-taken'", of=1),
    "past of what is sealed": rechained(FIRST, b'"previous":"' + b"1" * 64),
    "match of what is sealed": rechained(b'","' + FIRST[1:], b'0","' + FIRST[1:]),
    "version of what is sealed": rechained(b'"version":1}', b'"version":2}'),
    "schema of what is sealed": rechained(FIRST + b'","schema":1', FIRST + b'","schema":2'),
    "more in a seal": rechained(
        b'"for":["server"]}],"version":1', b'"for":["server"],"x":1}],"version":1'
    ),
    "another match": updated("\"match\" = '0000000000000000'"),
}
ONLY_WHOLE = {name for name in ANYWHERE if "openings" in name} | {
    "openings as text",
    "schema of what is sealed",
    "more in a seal",
}
"""What is none of the chain's."""
IN_SQLITE: dict[str, Plant] = {
    "a kind that is no text": updated("kind = CAST(x'ff' AS TEXT)"),
    "an instant that is no text": updated("\"at\" = CAST(x'ff' AS TEXT)"),
    "a hash that is no text": updated(f"hash = CAST(x'{'ff' * 64}' AS TEXT)"),
    "a match that is no text": updated("\"match\" = CAST(x'ff' AS TEXT)"),
    "kind as bytes": updated("kind = CAST(kind AS BLOB)"),
    "at as bytes": updated('"at" = CAST("at" AS BLOB)'),
    "hash as bytes": updated("hash = CAST(hash AS BLOB)"),
    "match as bytes": updated('"match" = CAST("match" AS BLOB)'),
    "body as text": updated("body = CAST(body AS TEXT)"),
    "openings as text": updated("openings = CAST(openings AS TEXT)", of=1),
    "version as text": updated("version = 'four'"),
    "version as a fraction": updated("version = 3.5"),
}


def broken(house: Services, *, chain_only: bool = False) -> list[Verdict]:
    done = DatabaseAudit(house.audits, chain_only=chain_only, loader=test_games).run()
    return [verdict for part in done for verdict in part.broken]


def test_honest_matches_are_not_read_twice(
    house: Services, finished: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = [table(house).start() for _ in range(2)]
    monkeypatch.delattr(Audits, "verify")
    events = sum(one.version for one in (finished, *running))
    for chain_only in (True, False):
        [done] = DatabaseAudit(house.audits, chain_only=chain_only, loader=test_games).run()
        assert (done.matches, done.events, done.broken) == (3, events, [])


def test_rows_of_many_matches_are_those_of_each(house: Services, finished: Table) -> None:
    matches = sorted([finished.match, *(table(house).start().match for _ in range(2))])
    with house.database.read() as connection:
        found = audit_rows.list_events_by_match(connection, RowSpan("", None))
        assert found == {match: audit_rows.list_events(connection, match) for match in matches}
        assert [*audit_rows.list_events_by_match(connection, RowSpan(matches[0], matches[1]))] == [
            matches[1]
        ]


def test_what_is_planted_in_a_row_is_found_among_others(house: Services, finished: Table) -> None:
    honest = table(house).start().match
    plants = {**ANYWHERE, **IN_SQLITE} if house.database.sqlite else ANYWHERE
    for name, plant in plants.items():
        with planted(house, finished.match, plant):
            found = {one.match: one.faults for one in broken(house)}
            assert found.get(finished.match), name
            assert honest not in found, name
            assert found[finished.match] == house.audits.verify(finished.match).faults, name
            chains = {one.match for one in broken(house, chain_only=True)}
            assert finished.match in chains or name in ONLY_WHOLE, name
    assert not broken(house)


def test_an_event_that_is_stored_under_bytes_is_found(house: Services, finished: Table) -> None:
    others = 'version, kind, "at", body, hash, openings'
    stored_under = (
        'CAST("match" AS BLOB)' if house.database.sqlite else "convert_to(\"match\", 'UTF8')"
    )
    again = text(
        f'INSERT INTO events ("match", {others}) '
        f"SELECT {stored_under}, {others} FROM events WHERE version = :v"
    )
    if not house.database.sqlite:
        with pytest.raises(DataError), unguarded(house.database) as connection:
            connection.execute(again, {"v": AT})
        return
    with unguarded(house.database) as connection:
        connection.execute(again, {"v": AT})
    for chain_only in (True, False):
        [odd] = broken(house, chain_only=chain_only)
        assert odd.match == f"x'{finished.match.encode().hex()}'"
        assert odd.events == 1


@contextmanager
def planted(house: Services, match: str, plant: Plant) -> Iterator[None]:
    """Plant something in one of a match's rows, and put back what was there."""
    columns = 'position, "match", version, kind, "at", body, hash, openings'
    with unguarded(house.database) as connection:
        rows = connection.execute(
            text(f'SELECT {columns} FROM events WHERE "match" = :m'),
            {"m": match},
        ).fetchall()
        head = connection.execute(text("SELECT head FROM matches WHERE id = :m"), {"m": match})
        kept = {"m": match, "h": head.scalar_one()}
        plant(connection, match)
    yield
    over = "" if house.database.sqlite else "OVERRIDING SYSTEM VALUE"
    marks = ", ".join(f":{number}" for number in range(8))
    with house.database.write() as connection:
        for row in rows:
            position = {"p": row[0]}
            connection.execute(text("DELETE FROM events WHERE position = :p"), position)
            connection.execute(
                text(f"INSERT INTO events ({columns}) {over} VALUES ({marks})"),
                {str(number): value for number, value in enumerate(row)},
            )
        connection.execute(text("UPDATE matches SET head = :h WHERE id = :m"), kept)


def test_long_matches_are_read_apart_from_others() -> None:
    events = {"b": 3_000, "d": 3_000, "f": 9_000, "h": 1}
    made = audit_rows.split_span(RowSpan("a", "z"), events, 5_000)
    assert made == [RowSpan("a", "d"), RowSpan("d", "f"), RowSpan("f", "z")]
