"""All events in order: a reader misses none, whenever their transactions commit."""

import threading
import time
from collections import Counter
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, text

from domain.match.events import Event
from services.store.db.engine import Database, run
from services.store.log import events as log
from services.store.log import feed
from tests.services.store.streams import ADA, BOB, EVE, ROW, moves, of_one_match

WRITERS, EACH = 8, 25
Seen = list[tuple[str, int]]


def name(number: int) -> str:
    return f"{number:016}"


def read_all(database: Database, cursor: str = feed.START, limit: int = 7) -> tuple[Seen, str]:
    """Read from ``cursor`` to the present end."""
    seen: Seen = []
    while True:
        with database.read() as connection:
            page = feed.list_marks(connection, cursor, limit)
        if not page.events:
            assert page.cursor == cursor
            return seen, cursor
        seen += [(event.match, event.version) for event in page.events]
        cursor = page.cursor


def naive(connection: Connection, after: int) -> list[int]:
    """Read as one would who trusts in identity columns."""
    rows = connection.execute(
        text("SELECT position FROM events WHERE position > :after ORDER BY position"),
        {"after": after},
    )
    return list(rows.scalars())


def test_events_come_in_the_order_of_commits_page_by_page(database: Database) -> None:
    expected = []
    for number in (3, 1, 2):
        with database.write() as connection:
            log.append(connection, of_one_match(moves(5, match=name(number))))
        expected += [(name(number), version) for version in range(1, 6)]
    assert read_all(database)[0] == expected
    assert read_all(database, limit=100)[0] == expected


def test_the_players_of_matches_that_have_gone_on_are_found_and_no_others(
    database: Database,
) -> None:
    places = [feed.OWN_START]
    for number, player in enumerate((ADA, BOB, EVE)):
        events = moves(2, match=name(number))
        row = ROW._replace(id=name(number), head=events[-1].hash, seat_1=player, seat_2=None)
        with database.write() as connection:
            log.append(connection, of_one_match(events, row))
        with database.read() as connection:
            places.append(feed.get_last_place(connection))
    with database.read() as connection:
        assert feed.list_concerned(connection, *places[1:3]) == {BOB, None}
        assert feed.list_concerned(connection, places[0], places[2]) == {ADA, BOB, None}
        assert feed.list_concerned(connection, places[3], places[3]) == set()


def test_a_reader_goes_on_where_it_was(database: Database) -> None:
    with database.write() as connection:
        log.append(connection, of_one_match(first := moves(2)))
    _, cursor = read_all(database)
    assert read_all(database, cursor) == ([], cursor)
    with database.write() as connection:
        log.append(connection, of_one_match(moves(1, after=first[-1])))
    assert [version for _, version in read_all(database, cursor)[0]] == [3]


def test_what_was_named_as_the_newest_is_known_again(database: Database) -> None:
    with database.write() as connection:
        empty = feed.name_newest(connection)
        log.append(connection, of_one_match(moves(2, match=name(1))))
        newest = feed.name_newest(connection)
        known = {one: feed.is_in_history(connection, one) for one in (empty, newest, "", "2")}
        other = newest.replace("2-", "1-", 1)
        assert feed.is_in_history(connection, other) is False
    assert known == {feed.NONE: True, newest: True, "": False, "2": False}


NO_CURSORS = ["", "1", "1.", "1.2.3", "-1.0", "1.x", "\u0663.\u0661", "1" * 21 + ".0"]


def test_what_is_no_cursor_is_refused(database: Database) -> None:
    for cursor in NO_CURSORS:
        with database.read() as connection, pytest.raises(ValueError, match="no cursor"):
            feed.list_marks(connection, cursor)


def write_beside(database: Database, number: int) -> None:
    last = None
    for _ in range(EACH):
        with database.write() as connection:
            events = moves(1, match=name(number), after=last)
            log.append(connection, of_one_match(events))
            time.sleep(0.0005)
        last = events[-1]


def test_a_reader_beside_eight_writers_misses_nothing_and_gets_nothing_twice(
    database: Database,
) -> None:
    read_beside_writers(database)


def read_beside_writers(
    database: Database, first: int = 0, before: Sequence[tuple[str, int]] = ()
) -> None:
    """Read while eight write into matches from ``first`` on; ``before``: what is there already."""
    numbers = range(first, first + WRITERS)
    writers = [threading.Thread(target=write_beside, args=(database, one)) for one in numbers]
    for writer in writers:
        writer.start()
    seen: Seen = []
    cursor = feed.START
    while any(writer.is_alive() for writer in writers):
        some, cursor = read_all(database, cursor)
        seen += some
    some, cursor = read_all(database, cursor)
    seen += some
    assert Counter(seen) == Counter(
        [*before, *((name(one), version) for one in numbers for version in range(1, EACH + 1))]
    )
    for one in numbers:
        versions = [version for match, version in seen if match == name(one)]
        assert versions == sorted(versions)


@pytest.mark.postgres
def test_a_transaction_that_commits_late_is_not_missed(postgres_database: Database) -> None:
    with postgres_database.write() as late:
        log.append(late, of_one_match(moves(1, match=name(1))))
        with postgres_database.write() as early:
            log.append(early, of_one_match(moves(1, match=name(2))))
        seen, cursor = read_all(postgres_database)
        assert seen == []
    assert read_all(postgres_database, cursor)[0] == [(name(1), 1), (name(2), 1)]


@pytest.mark.postgres
def test_a_transaction_that_began_early_and_writes_last_is_not_missed(
    postgres_database: Database,
) -> None:
    with postgres_database.write() as late:
        late.execute(text("SELECT pg_current_xact_id()"))
        with postgres_database.write() as early:
            log.append(early, of_one_match(moves(1, match=name(2))))
        seen, cursor = read_all(postgres_database)
        log.append(late, of_one_match(moves(1, match=name(1))))
    assert seen + read_all(postgres_database, cursor)[0] == [(name(1), 1), (name(2), 1)]


@pytest.mark.postgres
def test_transactions_come_by_their_number_and_not_by_its_digits(
    database_at_brink: Database,
) -> None:
    expected = []
    for one in range(10):
        with database_at_brink.write() as connection:
            log.append(connection, of_one_match(moves(1, match=name(one))))
        expected.append((name(one), 1))
        assert read_all(database_at_brink, limit=1)[0] == expected
    assert read_all(database_at_brink, limit=100)[0] == expected
    read_beside_writers(database_at_brink, 10, expected)


def load(connection: Connection, events: list[Event], transaction: int) -> None:
    """Store events as a dump does that is restored, with the transaction that they had."""
    columns = '"match", version, kind, "at", body, hash, openings, txid'
    for event in events:
        values = [*log.row_of(event), str(transaction)]
        places = ", ".join("?" * len(values))
        run(connection, f"INSERT INTO events ({columns}) VALUES ({places})", values)


@pytest.mark.postgres
@pytest.mark.parametrize("transaction", [1, 900_000, 2**33])
def test_what_was_restored_comes_before_what_is_new(
    postgres_database: Database, transaction: int
) -> None:
    with postgres_database.write() as connection:
        load(connection, moves(2, match=name(1)), transaction)
    postgres_database.dispose()
    assert read_all(postgres_database)[0] == [(name(1), 1), (name(1), 2)]
    seen: Seen = []
    cursor = feed.START
    for one in range(2, 6):
        with postgres_database.write() as connection:
            log.append(connection, of_one_match(moves(2, match=name(one))))
        some, cursor = read_all(postgres_database, cursor)
        seen += some
    assert seen == [(name(one), version) for one in range(1, 6) for version in (1, 2)]


@pytest.mark.postgres
def test_writers_who_all_open_what_was_restored_at_once_come_behind_it(
    postgres_database: Database,
) -> None:
    with postgres_database.write() as connection:
        load(connection, moves(1, match=name(99)), 900_000)
    postgres_database.dispose()
    read_beside_writers(postgres_database, 0, [(name(99), 1)])


@pytest.mark.postgres
def test_a_reader_by_bare_positions_loses_the_late_one(postgres_database: Database) -> None:
    """Show that the tests above would catch it: this is what they guard against."""
    with postgres_database.write() as late:
        log.append(late, of_one_match(moves(1, match=name(1))))
        with postgres_database.write() as early:
            log.append(early, of_one_match(moves(1, match=name(2))))
        with postgres_database.read() as reader:
            seen = naive(reader, 0)
    with postgres_database.read() as reader:
        seen += naive(reader, max(seen))
        assert len(seen) == 1
        assert len(naive(reader, 0)) == 2
