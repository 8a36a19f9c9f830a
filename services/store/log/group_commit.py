"""Group commit: what several threads have decided at the same time is written together.

A commit waits for the disk, and a statement costs much the same for one row as for some. So a
thread that comes while another one writes waits, and is written with all who came meanwhile. A
thread that comes alone is written alone, at once.

If a group fails, for whatever reason, each of its members is written again, alone and in its own
thread: nobody is refused for what somebody else has sent.
"""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from sqlalchemy.exc import DatabaseError

from domain.match.events import Event
from services.errors import NotGranted, Unavailable
from services.store.db.engine import Database
from services.store.log import events as log
from services.store.matches import MatchRow

AT_MOST = 16
"""Members of one group. More than that gains nothing, and makes the first of them wait."""

EVENTS = 8
"""Events of one member: who has more to write does not keep others waiting for it."""

_LOCK_NOT_AVAILABLE = "55P03"


class Member(NamedTuple):
    """The events of one command, and the read model of their match after them.

    ``passing``: they may leave conditional moves behind, since they are known not to be answered.
    """

    events: Sequence[Event]
    row: MatchRow
    passing: bool = False


class _Waiting:
    """A member in the queue: ``written``, or to be written ``alone``, or whose turn it is."""

    __slots__ = ("alone", "error", "member", "turn", "written")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.turn = Lock()
        self.turn.acquire()
        self.written = self.alone = False
        self.error: Unavailable | None = None

    def result(self) -> bool:
        """Whether it was written. Raises ``Unavailable``."""
        if self.error is not None:
            if isinstance(self.error, NotGranted):
                raise NotGranted(self.error.reason) from self.error
            raise Unavailable(str(self.error)) from self.error
        return self.written


class Group:
    """Writes for the threads of one process; may be used after a fork."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.forget()
        _groups.add(self)

    def forget(self) -> None:
        """Reset the queue after a fork: waiting threads exist only in the parent."""
        self._lock = Lock()
        self._queue: deque[_Waiting] = deque()
        self._led = False

    def append(self, member: Member) -> None:
        """Append events, and keep their match's read model; both are committed then.

        Raises ``VersionTaken`` and ``ConditionalMovesStored`` as ``events`` does, and
        ``Unavailable`` as ``engine`` does.
        """
        if len(member.events) > EVENTS or not self._in_a_group(member):
            with self._database.write() as connection:
                log.append(connection, member.events, member.row, passing=member.passing)

    def _in_a_group(self, member: Member) -> bool:
        """Write ``member`` with whoever is there; return whether it was written."""
        mine = _Waiting(member)
        with self._lock:
            self._queue.append(mine)
            led, self._led = self._led, True
        if led:
            mine.turn.acquire()
        if not (mine.written or mine.alone or mine.error):
            self._lead()
        return mine.result()

    def _lead(self) -> None:
        group = self._next_group()
        try:
            self._write(group)
        finally:
            self._pass_on()
            for one in group[1:]:
                one.alone = not (one.written or one.error)
                one.turn.release()

    def _next_group(self) -> list[_Waiting]:
        """Take from the queue who is to be written now: the first, and no match twice."""
        group: list[_Waiting] = []
        with self._lock:
            matches = set()
            while self._queue and len(group) < AT_MOST:
                match = self._queue[0].member.row.id
                if match in matches:
                    break
                matches.add(match)
                group.append(self._queue.popleft())
        return group

    def _pass_on(self) -> None:
        with self._lock:
            if self._queue:
                self._queue[0].turn.release()
            else:
                self._led = False

    def _write(self, group: list[_Waiting]) -> None:
        # In one order everywhere: no two groups, of two processes, ever wait for each other.
        members = sorted([one.member for one in group], key=_match_of)
        try:
            with self._database.state() as connection:
                log.append_all(connection, members)
        except Unavailable as error:
            if not _is_held(error):
                for one in group:
                    one.error = error
        except (log.VersionTaken, log.ConditionalMovesStored, DatabaseError):
            if len(group) == 1:
                raise
        else:
            for one in group:
                one.written = True


def _match_of(member: Member) -> str:
    return member.row.id


def _is_held(error: Unavailable) -> bool:
    """Whether somebody else holds one of the matches for long, and nothing else is wrong."""
    cause = getattr(error.__cause__, "orig", None)
    return getattr(cause, "sqlstate", None) == _LOCK_NOT_AVAILABLE


_groups: weakref.WeakSet[Group] = weakref.WeakSet()


def _after_fork() -> None:
    for group in _groups:
        group.forget()


os.register_at_fork(after_in_child=_after_fork)
