"""Group commit: who comes while another writes is written with others, and owes them nothing."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event as Signal
from threading import Thread
from time import monotonic

import pytest
from sqlalchemy import Connection, text

from domain.match.events import Event
from services.errors import NotGranted, Unavailable
from services.store import matches as readmodels
from services.store.db.engine import Database
from services.store.db.postgres import HELD
from services.store.log import events as log
from services.store.log.events import Group, NewEvents
from tests.services.store.db.test_engine_forked import in_child
from tests.services.store.streams import ROW, moves, of_one_match

FIRST, SECOND, THIRD = (f"{letter}123456789abcdef" for letter in "abc")


def member(match: str, number: int = 1, *, after: Event | None = None) -> NewEvents:
    events = moves(number, match=match, after=after)
    last = events[-1]
    row = ROW._replace(id=match, version=last.version, head=last.hash, ply=last.version)
    return of_one_match(events, row)


def versions(database: Database, match: str) -> tuple[int, int | None]:
    """Return the versions of a match in the log, and in the read model."""
    with database.read() as connection:
        row = readmodels.find(connection, match)
        return len(log.load(connection, match)), None if row is None else row.version


class Held:
    """A group whose first writer waits for ``go``, so that others come meanwhile."""

    def __init__(self, database: Database, patch: pytest.MonkeyPatch) -> None:
        self.group = Group(database)
        self.groups: list[int] = []
        self._go, self._first = Signal(), Signal()
        self._pool = ThreadPoolExecutor(8)
        written, together = log.append, list[Connection]()

        def append(connection: Connection, *members: NewEvents) -> None:
            if connection in together:
                self.groups.append(len(members))
            written(connection, *members)

        patch.setattr(log, "append", append)
        state = database.state

        @contextmanager
        def slowly() -> Iterator[Connection]:
            if not self._first.is_set():
                self._first.set()
                assert self._go.wait(20)
            with state() as connection:
                together.append(connection)
                yield connection

        patch.setattr(database, "state", slowly)

    def together(self, first: NewEvents, *others: NewEvents) -> list[Future[None]]:
        """Write ``first``, and behind it ``others`` in one go, in their order."""
        futures = self.started(first, *others)
        for future in futures:
            future.exception(timeout=20)
        return futures

    def started(self, first: NewEvents, *others: NewEvents) -> list[Future[None]]:
        """Begin to write them."""
        futures = [self._pool.submit(self.group.append, first)]
        self.wait_for_the_first()
        for number, one in enumerate(others, 1):
            futures.append(self._pool.submit(self.group.append, one))
            self._until(partial(self._waits, number))
        self.go()
        return futures

    def wait_for_the_first(self) -> None:
        """Wait until somebody is about to write."""
        assert self._first.wait(20)

    def go(self) -> None:
        """Let the first writer go on."""
        self._go.set()

    def _waits(self, number: int) -> bool:
        return len(self.group._queue) == number  # noqa: SLF001 - nobody else needs to know

    def _until(self, true: Callable[[], bool]) -> None:
        end = monotonic() + 20
        while not true():
            assert monotonic() < end


@pytest.fixture
def held(database: Database, monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(database, monkeypatch)


def test_who_comes_while_another_writes_is_written_with_the_others(
    database: Database, held: Held
) -> None:
    done = held.together(member("d123456789abcdef"), *map(member, (SECOND, FIRST, THIRD)))
    assert [one.exception() for one in done] == [None] * 4
    assert held.groups == [1, 3]
    assert {versions(database, match) for match in (FIRST, SECOND, THIRD)} == {(1, 1)}


def test_one_that_comes_too_late_takes_nobody_along(database: Database, held: Held) -> None:
    done = held.together(member(FIRST), member(SECOND, 2), member(FIRST), member(THIRD))
    assert [type(one.exception()) for one in done] == [
        type(None),
        type(None),
        log.VersionTaken,
        type(None),
    ]
    assert [versions(database, one) for one in (FIRST, SECOND, THIRD)] == [(1, 1), (2, 2), (1, 1)]


def test_of_several_that_are_written_at_once_it_is_not_said_which_has_gone_on(
    database: Database,
) -> None:
    with database.write() as connection:
        log.append(connection, member(FIRST))
    with (
        pytest.raises(log.VersionTaken, match=r"^one of 2 matches has gone on$"),
        database.write() as connection,
    ):
        log.append(connection, member(FIRST), member(SECOND))


def test_two_who_decided_on_one_match_are_never_in_one_group(
    database: Database, held: Held
) -> None:
    done = held.together(member(THIRD), member(FIRST), member(FIRST), member(SECOND))
    assert [type(one.exception()) for one in done] == [
        type(None),
        type(None),
        log.VersionTaken,
        type(None),
    ]
    assert held.groups[:2] == [1, 1]
    assert versions(database, FIRST) == (1, 1)


def test_conditional_moves_of_one_match_stop_no_other(database: Database, held: Held) -> None:
    first = member(FIRST)
    with database.write() as connection:
        log.append(connection, first)
        connection.execute(text("UPDATE matches SET conditional = true"))
    done = held.together(
        member(THIRD), member(FIRST, after=moves(1, match=FIRST)[-1]), member(SECOND)
    )
    assert [type(one.exception()) for one in done] == [
        type(None),
        log.ConditionalMovesStored,
        type(None),
    ]
    assert (versions(database, FIRST), versions(database, SECOND)) == ((1, 1), (1, 1))


def test_a_database_that_does_not_answer_is_told_to_everybody(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def fails(_: Connection, *members: NewEvents) -> None:
        asked.append(len(members))
        raise Unavailable("The database does not answer.")

    monkeypatch.setattr(log, "append", fails)
    done = held.together(member(THIRD), member(FIRST), member(SECOND))
    assert [type(one.exception()) for one in done] == [Unavailable] * 3
    assert asked == [1, 2], "nobody asks it once more"


def test_what_the_role_may_not_do_is_told_to_everybody_with_its_reason(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise NotGranted("permission denied for table events")

    monkeypatch.setattr(log, "append", fails)
    done = held.together(member(THIRD), member(FIRST), member(SECOND))
    told = [one.exception() for one in done]
    assert [one.reason for one in told if isinstance(one, NotGranted)] == [
        "permission denied for table events"
    ] * 3


def test_the_others_are_written_though_the_first_of_them_is_stopped(
    database: Database, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, groups = log.append, []

    def stopped(connection: Connection, *members: NewEvents) -> None:
        groups.append(len(members))
        if len(groups) == 2:
            raise KeyboardInterrupt
        written(connection, *members)

    monkeypatch.setattr(log, "append", stopped)
    done = held.together(member(THIRD), member(FIRST), member(SECOND))
    assert [type(one.exception()) for one in done] == [
        type(None),
        KeyboardInterrupt,
        type(None),
    ]
    assert (versions(database, FIRST), versions(database, SECOND)) == ((0, None), (1, 1))
    held.group.append(member(FIRST))
    assert versions(database, FIRST) == (1, 1)


def test_one_with_many_events_is_written_by_itself(database: Database, held: Held) -> None:
    many = member(FIRST, log.MOST_OF_ONE + 1)
    held.group.append(many)
    assert (held.groups, versions(database, FIRST)) == ([], (len(many.events),) * 2)


@pytest.mark.postgres
def test_a_match_that_somebody_holds_keeps_only_its_own_writers_waiting(
    postgres_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(postgres_database, monkeypatch)
    first = member(FIRST)
    with postgres_database.write() as connection:
        log.append(connection, first)
    with postgres_database.write() as connection:
        assert readmodels.find(connection, FIRST, lock=True)
        began = monotonic()
        waiting, other = held.started(
            member(FIRST, after=moves(1, match=FIRST)[-1]), member(SECOND)
        )
        other.result(timeout=20)
        assert monotonic() - began < 20 * HELD / 1000
        assert not waiting.done()
        assert versions(postgres_database, SECOND) == (1, 1)
    waiting.result(timeout=20)
    assert versions(postgres_database, FIRST) == (2, 2)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_waits_for_nobody_of_its_parent(database: Database, held: Held) -> None:
    group = held.group
    leader = Thread(target=group.append, args=(member(FIRST),))
    leader.start()
    held.wait_for_the_first()

    def writes() -> bool:
        signal.alarm(20)
        group.append(member(SECOND))
        return True

    assert in_child(writes)
    held.go()
    leader.join()
    assert [versions(database, match) for match in (FIRST, SECOND)] == [(1, 1), (1, 1)]
