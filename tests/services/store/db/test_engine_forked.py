"""A database that is built before a fork and used after it."""

import os
from collections.abc import Callable

import pytest

from services.errors import Unavailable
from services.store.db.engine import Database
from services.store.log import events
from tests.services.store.streams import MATCH, moves, of_one_match


def in_child(work: Callable[[], bool]) -> bool:
    """Say whether ``work`` is true in a forked process (an exception there is a no)."""
    child = os.fork()
    if child == 0:
        answer = False
        try:
            answer = work()
        finally:
            # Never back into the test run, of which there is one already.
            os._exit(0 if answer else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("kind", ["read", "write"])
def test_a_forked_process_uses_connections_of_its_own(database: Database, kind: str) -> None:
    connect = getattr(database, kind)
    with connect() as connection:
        parents = connection.connection.dbapi_connection

    def has_its_own() -> bool:
        with connect() as connection:
            events.load(connection, MATCH)
            return connection.connection.dbapi_connection is not parents

    assert in_child(has_its_own)
    with connect() as connection:
        assert connection.connection.dbapi_connection is parents
        assert events.load(connection, MATCH) == []


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_what_a_forked_process_writes_is_seen_by_its_parent(database: Database) -> None:
    with database.write() as connection:
        events.append(connection, of_one_match(moves(1)))

    def writes() -> bool:
        with database.write() as connection:
            events.append(connection, of_one_match(moves(1, after=moves(1)[0])))
        return True

    assert in_child(writes)
    with database.read() as connection:
        assert len(events.load(connection, MATCH)) == 2


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_in_the_midst_of_writing_can_read_and_is_told_that_it_cannot_write(
    sqlite_database: Database,
) -> None:
    impatient = Database(sqlite_database.url, patience=0.2)

    def reads_and_is_refused() -> bool:
        with impatient.read() as reader:
            seen = events.load(reader, MATCH)
        try:
            with impatient.write():
                return False
        except Unavailable:
            return seen == []

    with impatient.write() as connection:
        events.append(connection, of_one_match(moves(1)))
        assert in_child(reads_and_is_refused)
    with impatient.read() as connection:
        assert len(events.load(connection, MATCH)) == 1
    impatient.dispose()
