"""Connections: durable, readers that wait for nobody, writers that take turns."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from services.errors import Unavailable
from services.store import schema
from services.store.db.engine import ATTEMPTS, Database, normalize_url
from services.store.log import events
from tests.services.store.streams import MATCH, moves, of_one_match


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("/srv/play.db", "sqlite:////srv/play.db"),
        ("/srv/a b%20#?.db", "sqlite:////srv/a b%2520%23%3F.db"),
        ("sqlite:////srv/play.db", "sqlite:////srv/play.db"),
        ("sqlite+pysqlite:////srv/play.db", "sqlite:////srv/play.db"),
        ("postgresql://a:b@db:1/c", "postgresql+psycopg://a:b@db:1/c"),
        ("postgres://db/c", "postgresql+psycopg://db/c"),
        ("postgresql+psycopg2://db/c?sslmode=require", "postgresql+psycopg://db/c?sslmode=require"),
    ],
)
def test_a_path_or_url_is_brought_to_one_form(given: str, url: str) -> None:
    assert normalize_url(given) == url
    assert normalize_url(url) == url


def test_a_relative_path_is_taken_from_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    assert (
        normalize_url("play.db")
        == normalize_url("sqlite:///play.db")
        == f"sqlite:///{tmp_path}/play.db"
    )
    assert normalize_url("~/play.db") == "sqlite:////home/ada/play.db"


@pytest.mark.parametrize(
    "given",
    [
        "mysql://db/c",
        "sqlite://",
        "sqlite:///:memory:",
        "://",
        "postgresql://h:x/",
    ],
)
def test_what_is_no_database_of_ours_is_refused_in_words(given: str) -> None:
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
        normalize_url(given)


def test_a_password_is_not_shown() -> None:
    database = Database("postgresql://ada:secret@127.0.0.1:1/play", patience=2)
    with pytest.raises(Unavailable) as refused, database.read():
        pass
    assert "secret" not in refused.value.detail + database.shown_url
    assert "\n" not in refused.value.detail


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "mistyped.db"))
    complaint = r"mistyped\.db does not answer: unable to open"
    with pytest.raises(Unavailable, match=complaint), database.read():
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_an_odd_name_is_opened(tmp_path: Path) -> None:
    odd = str(tmp_path / "50%20 #1? é.db")
    schema.upgrade(odd)
    database = Database(odd)
    with database.read() as connection:
        assert events.load(connection, MATCH) == []
    database.dispose()
    assert Path(odd).stat().st_size > 0


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada, " * 1000)
    with pytest.raises(Unavailable, match="not a database"), Database(str(path)).write():
        pass


def test_a_wrong_statement_is_a_mistake_and_no_outage(database: Database) -> None:
    with pytest.raises(DBAPIError), database.write() as connection:
        connection.execute(text("SELECT nothing FROM nowhere"))


@pytest.mark.parametrize(("kind", "synchronous"), [("read", 2), ("write", 2), ("note", 1)])
def test_sqlite_is_durable_and_minds_references(
    sqlite_database: Database, kind: str, synchronous: int
) -> None:
    with getattr(sqlite_database, kind)() as connection:

        def pragma(name: str) -> object:
            return connection.scalar(text(f"PRAGMA {name}"))

        assert pragma("synchronous") == synchronous
        assert pragma("journal_mode") == "wal"
        assert pragma("foreign_keys") == 1
        assert pragma("recursive_triggers") == 1


def test_foreign_keys_are_off_while_the_schema_changes(sqlite_database: Database) -> None:
    with sqlite_database.migrate() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 0
    with sqlite_database.write() as connection:
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1


def test_a_connection_for_reading_does_not_write(database: Database) -> None:
    refusals = (DBAPIError, Unavailable)
    with pytest.raises(refusals, match=r"read-?only"), database.read() as connection:
        events.append(connection, of_one_match(moves(1)))


def test_an_ended_block_is_seen_by_the_next_reader(database: Database) -> None:
    for version in (1, 2, 3):
        with database.write() as connection:
            seen = events.load(connection, MATCH)
            events.append(connection, of_one_match(moves(1, after=seen[-1] if seen else None)))
        with database.read() as connection:
            assert events.find_head(connection, MATCH)[0] == version  # type: ignore[index]


def test_a_reader_does_not_wait_for_a_writer(database: Database) -> None:
    with database.write() as connection:
        events.append(connection, of_one_match(moves(1)))
        began = time.monotonic()
        with database.read() as reader:
            assert events.load(reader, MATCH) == []
        assert time.monotonic() - began < 1


def test_readers_do_not_wait_for_each_other(sqlite_database: Database) -> None:
    many = 3 * 8
    inside = threading.Barrier(many, timeout=20)

    def read() -> None:
        with sqlite_database.read() as connection:
            connection.execute(text("SELECT 1"))
            inside.wait()

    threads = [threading.Thread(target=read) for _ in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not inside.broken


def test_what_a_sqlite_reader_sees_is_of_one_moment(sqlite_database: Database) -> None:
    with sqlite_database.read() as reader:
        assert events.load(reader, MATCH) == []
        with sqlite_database.write() as connection:
            events.append(connection, of_one_match(moves(1)))
        assert events.load(reader, MATCH) == []


def test_another_process_that_holds_the_lock_too_long_makes_it_unavailable(
    sqlite_database: Database,
) -> None:
    path = sqlite_database.url.removeprefix("sqlite:///")
    impatient = Database(path, patience=0.2)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"), impatient.write():
        pass
    other.execute("ROLLBACK")
    other.close()
    with impatient.write() as connection:
        events.append(connection, of_one_match(moves(1)))
    impatient.dispose()


def test_a_writer_waits_for_another_process(sqlite_database: Database) -> None:
    other = sqlite3.connect(
        sqlite_database.url.removeprefix("sqlite:///"),
        isolation_level=None,
        check_same_thread=False,
    )
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.execute, ["ROLLBACK"])
    timer.start()
    with sqlite_database.write() as connection:
        events.append(connection, of_one_match(moves(1)))
    timer.join()
    other.close()


def test_of_two_processes_that_read_first_and_write_later_neither_fails(
    sqlite_database: Database,
) -> None:
    # Two databases in one process do not share a queue, as two processes do not.
    second = Database(sqlite_database.url)
    errors: list[Exception] = []

    def play(database: Database) -> None:
        for _ in range(15):
            try:
                with database.write() as connection:
                    seen = events.load(connection, MATCH)
                    time.sleep(0.001)
                    events.append(
                        connection, of_one_match(moves(1, after=seen[-1] if seen else None))
                    )
            except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
                errors.append(error)

    threads = [threading.Thread(target=play, args=(one,)) for one in (sqlite_database, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    with second.read() as connection:
        assert len(events.load(connection, MATCH)) == 30
    second.dispose()


def test_after_dispose_connections_are_opened_anew(database: Database) -> None:
    with database.write() as connection:
        events.append(connection, of_one_match(moves(1)))
    database.dispose()
    with database.write() as connection:
        assert len(events.load(connection, MATCH)) == 1


@pytest.mark.postgres
def test_a_session_that_the_server_ended_costs_one_request(postgres_database: Database) -> None:
    with pytest.raises(Unavailable), postgres_database.write() as connection:
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    with postgres_database.write() as connection:
        events.append(connection, of_one_match(moves(1)))


@pytest.mark.parametrize("lost", [0, ATTEMPTS - 1, ATTEMPTS])
def test_what_was_lost_to_others_is_done_anew_but_not_for_ever(
    database: Database, lost: int
) -> None:
    done: list[str] = []

    def add(connection: Connection) -> str:
        done.append("tried")
        connection.execute(text("CREATE TABLE tried (number integer)"))
        if len(done) <= lost:
            raise events.VersionTaken
        return "done"

    if lost == ATTEMPTS:
        with pytest.raises(Unavailable):
            database.write_again(add, events.VersionTaken)
    else:
        assert database.write_again(add, events.VersionTaken) == "done"
    assert len(done) == min(lost + 1, ATTEMPTS)
    with database.read() as connection:
        assert inspect(connection).has_table("tried") == (lost < ATTEMPTS)
