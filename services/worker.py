"""The worker: what a service does by itself, in one process beside the servers.

``list_chores`` is the table of all there is to do: a row for each chore. Any number of workers may
run; a chore that is ``alone`` has a lease, and the worker that holds it does the chore until it
ends. Each chore has a thread, so that a long one holds up no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import structlog
from sqlalchemy.exc import SQLAlchemyError

from domain.errors import Corruption, Refusal
from services.checkpoints.sequencer import LOOK_EVERY, Follower
from services.container import Services
from services.errors import NoServer, place_of, reason_of
from services.matches.house_players import LOOK_EVERY as LOOK_AT_HOUSE
from services.notices.outbox import LANES
from services.notices.outbox import LOOK_EVERY as LOOK_AT_NOTICES
from services.ratings.rated_matches import LOOK_EVERY as LOOK_AT_RATINGS
from services.replays.analysis import CHORE as ANALYSIS
from services.replays.analysis import LOOK_EVERY as LOOK_AT_ANALYSES
from services.runtime.metrics import ChoreFigures
from services.store.db.engine import Database
from services.store.db.leases import lease

LEASE_AGAIN = 5.0
"""Seconds until a lease is asked for again that another worker has."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until what failed is tried again: twice as many each time, up to the longest."""

UNTIL_SERVED = 15.0
"""Seconds that a server may take to start before the worker that was started with it complains."""

_ANSWER = 5.0
_ENDING = 0.5

_log = structlog.get_logger(__name__)


class Chore(NamedTuple):
    """Something to do again and again. ``do`` returns what it did, in numbers by their names.

    ``interval``: seconds between two times; 0: never. ``alone``: one worker does it at a time.
    ``longest_pause``: seconds until it is tried again, however often it has failed. ``threads``:
    how often it is done at the same time by one worker.
    """

    name: str
    interval: float
    do: Callable[[], Mapping[str, int]]
    alone: bool
    longest_pause: float = LONGEST_PAUSE
    threads: int = 1


def list_chores(house: Services, server: str, stopping: Event, patience: float) -> list[Chore]:
    """Return the table of chores.

    ``server``: the address at which a server is to answer before a heartbeat tells that the
    service is there; within ``patience`` seconds. ``stopping`` ends what waits.
    """
    settings, beat = house.settings, house.downtime
    follower = Follower(house.sequencer, settings.checkpoint_interval)

    def beat_if_served() -> Mapping[str, int]:
        must_answer(server, stopping, patience)
        beat.beat()
        return {}

    def sign() -> Mapping[str, int]:
        size = follower.look()
        return {} if size is None else {"signed": size}

    thinking = Event()

    def urgent() -> bool:
        # Not thinking alone: how far an analysis is can be seen, and would tell how long that took.
        return thinking.is_set() or house.house_players.waits

    def play() -> Mapping[str, int]:
        thinking.set()
        try:
            return house.house_players.look()
        finally:
            thinking.clear()

    def analyse() -> Mapping[str, int]:
        done = house.analyses.look(urgent)
        # Nobody waits for puzzles; they are looked for in what was analysed.
        return done if done["positions"] else house.puzzle_finder.look(urgent)

    def rate() -> Mapping[str, int]:
        return {"counted": house.profiles.count_results(), "rated": house.rated_matches.rate()}

    deliver = partial(house.outbox.deliver, stopping.is_set)
    return [
        # Before the first sweep, so that it is known for how long nobody was here.
        Chore("heartbeat", beat.interval, beat_if_served, alone=False, longest_pause=beat.interval),
        Chore(
            "sweep", settings.sweep_interval, lambda: house.sweeping.sweep()._asdict(), alone=True
        ),
        Chore("checkpoints", LOOK_EVERY, sign, alone=True),
        # Behind the checkpoints, whose leaves it goes by.
        Chore("ratings", LOOK_AT_RATINGS, rate, alone=True),
        Chore("house", LOOK_AT_HOUSE, play, alone=True),
        # People wait for house players, and in one process one thread thinks at a time.
        Chore(ANALYSIS, LOOK_AT_ANALYSES, analyse, alone=True),
        # Each thread has an address of its own to wait for.
        Chore("notices", LOOK_AT_NOTICES, partial(deliver, [False]), alone=False, threads=LANES),
        # Programs that take long to answer keep nobody's mail waiting.
        Chore("mail", LOOK_AT_NOTICES, partial(deliver, [True]), alone=False),
    ]


def must_answer(server: str, stopping: Event, patience: float) -> None:
    """Wait until a server answers. Raises ``NoServer`` if none does within ``patience`` seconds.

    Players can move only where one does: a worker that is alone is no service.
    """
    end = monotonic() + patience
    while not _answers(server):
        if monotonic() >= end or stopping.wait(0.25):
            raise NoServer(f"no server answers at {server}")


def _answers(server: str) -> bool:
    # Whatever proxy the environment names is for the world outside.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"{server}/healthz", timeout=_ANSWER) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - HTTP's
    except HTTPError as refusal:
        refusal.close()
        return False
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Worker:
    """Does chores at their intervals, in threads, from ``start`` until ``end``."""

    database: Database
    chores: Sequence[Chore]
    stopping: Event
    figures: ChoreFigures = field(default_factory=ChoreFigures)
    threads: list[Thread] = field(default_factory=list, init=False)

    def start(self) -> None:
        """Begin with all chores at once."""
        for chore in self._list_wanted():
            for _ in range(chore.threads):
                thread = Thread(target=self._keep, args=(chore,), name=chore.name, daemon=True)
                thread.start()
                self.threads.append(thread)
        _log.info("worker_started", chores=" ".join(chore.name for chore in self._list_wanted()))

    def end(self) -> bool:
        """Begin nothing more; tell whether all that was under way has ended, within a moment."""
        self.stopping.set()
        last = monotonic() + _ENDING
        for thread in self.threads:
            thread.join(max(0.0, last - monotonic()))
        left = sorted({thread.name for thread in self.threads if thread.is_alive()})
        _log.info("worker_stopped", **({"unfinished": " ".join(left)} if left else {}))
        return not left

    def run_once(self) -> bool:
        """Do every chore once; tell whether all went well."""
        done = [self._do_once(chore) for chore in self._list_wanted()]
        return all(done)

    def _list_wanted(self) -> list[Chore]:
        return [chore for chore in self.chores if chore.interval > 0]

    def _do_once(self, chore: Chore) -> bool:
        try:
            with self._lease(chore) as still:
                if still is None:
                    _log.info("chore_is_another_workers", chore=chore.name)
                else:
                    self._do(chore)
        except Exception as error:  # noqa: BLE001 - the other chores are to be done too
            _log.warning("chore_failed", chore=chore.name, reason=_tell_reason(error))
            return False
        return True

    def _keep(self, chore: Chore) -> None:
        """Do a chore until the worker ends."""
        pause = FIRST_PAUSE
        while not self.stopping.is_set():
            try:
                with self._lease(chore) as still:
                    while still is not None and not self.stopping.is_set():
                        still()
                        self._do(chore)
                        pause = FIRST_PAUSE
                        self.stopping.wait(chore.interval)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
                if self.stopping.is_set():
                    return
                again_in = min(pause, chore.longest_pause)
                _log.warning(
                    "chore_failed", chore=chore.name, reason=_tell_reason(error), again_in=again_in
                )
                pause = min(pause * 2, LONGEST_PAUSE)
                self.stopping.wait(again_in)
            else:
                self.stopping.wait(LEASE_AGAIN)

    def _lease(self, chore: Chore) -> AbstractContextManager[Callable[[], object] | None]:
        return lease(self.database, chore.name) if chore.alone else nullcontext(lambda: None)

    def _do(self, chore: Chore) -> None:
        began, failed = monotonic(), True
        try:
            done = chore.do()
            failed = False
        finally:
            self.figures.count(chore.name, monotonic() - began, failed=failed)
        if any(done.values()):
            _log.info("chore_done", chore=chore.name, **done)


def _tell_reason(error: Exception) -> str:
    """Return why a chore failed, in a line that tells nothing of what is stored."""
    if isinstance(error, (Refusal, Corruption, NoServer, SQLAlchemyError, OSError)):
        return f"{type(error).__name__}: {reason_of(error)}".partition("\n")[0]
    return place_of(error)
