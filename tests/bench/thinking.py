"""POST of a move with eight clients beside what the worker thinks about, against without.

That is the house in four matches, and the analysis of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import cycle
from os import environ
from statistics import median, quantiles
from subprocess import DEVNULL, Popen
from threading import Event, Thread
from time import monotonic, sleep
from typing import Protocol

from cli.admin.serve import WORKER
from domain.match.house_players import level_of, name_of
from services.container import Services
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store import analyses
from tests.bench.databases import Bed
from tests.bench.posting import CLIENTS, Send, mover, send_all, served
from tests.bench.rounds import Ratio

MATCHES = 4
GAME, LEVEL = "power-line", 4
"""Its strongest level thinks long about most positions."""

PLIES = 30
"""So long is the match that is analysed: too long for its analysis to end in a round."""

SLOWER = 1.5
"""So many times as long ninety-nine of a hundred moves take at most while the worker thinks."""

LOOK_EVERY = 0.15
"""Seconds between two looks at one of the matches: the house thinks longer about most moves."""

LONGEST_WAIT = 60.0


class Work(Protocol):
    """Something that the worker does while ``going``, and not while ``resting``.

    ``name``: what it is. ``found``: how often that has come to an end. ``what``: with what.
    """

    name: str
    what: str

    @property
    def found(self) -> int: ...

    def going(self) -> AbstractContextManager[None]: ...

    def resting(self) -> AbstractContextManager[None]: ...


def house(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves of people with and without the worker at work, in turns."""
    with served(bed.url, "ours_app") as ours, worker(bed.url, ours.url):
        movers = [mover(ours.url, bed.house, f"thinking-{one}")[1] for one in range(CLIENTS)]
        for work in (_Opponents(bed.house), _Analysis(bed.house)):
            yield from beside(work, movers, bed.name, rounds)


def beside(work: Work, movers: list[Send], bed: str, rounds: int) -> Iterator[Ratio]:
    taken: tuple[list[float], list[float]] = [], []
    rates: tuple[list[float], list[float]] = [], []
    thoughts = 0
    for number in range(rounds + 1):
        if number == 1:  # the first round only warms up
            taken, rates, thoughts = ([], []), ([], []), 0
        for side in (0, 1) if number % 2 else (1, 0):
            with work.going() if side else work.resting():
                # The first moves after a pause take three times as long, and one side alone had
                # a pause: it waited for the work to begin.
                for send in movers:
                    send()
                before = work.found
                rates[side].append(send_all(movers, taken[side]))
                thoughts += work.found - before
    without, with_ = (quantiles(some, n=100) for some in taken)
    told = f"{with_[98]:.1f} ms against {without[98]:.1f}, median {with_[49]:.1f} against "
    told += f"{without[49]:.1f}; {thoughts} {work.what} meanwhile"
    name = f"p99 of a POST while {work.name}, {bed}"
    yield Ratio(name, with_[98] / without[98], SLOWER, told, at_most=True)
    slower = median(one / other for one, other in zip(rates[1], rates[0], strict=True))
    yield Ratio(f"rate of these, {bed}", slower, None, f"of {median(rates[0]):.0f}/s")


@contextmanager
def worker(url: str, server: str) -> Iterator[None]:
    """Run the worker as it runs beside a server."""
    command = [*WORKER, "--database", url, "--server", server]
    quiet = {**environ, "PLYBOOK_CHECKPOINT_INTERVAL": "0", "PLYBOOK_LOG_LEVEL": "error"}
    quiet["PLYBOOK_WEBHOOKS_PRIVATE"] = "1"
    process = Popen(command, env=quiet, stdout=DEVNULL, stderr=DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def until(reached: Callable[[], bool]) -> None:
    end = monotonic() + LONGEST_WAIT
    while not reached():
        if monotonic() > end:
            raise RuntimeError("the worker does nothing")
        sleep(0.05)


class _Analysis:
    """A match whose analysis is begun anew each time."""

    name = "a match is analysed"
    what = "positions analysed"

    def __init__(self, services: Services) -> None:
        self.analyses = services.analyses
        player = services.accounts.get_local_player("bench-analysed").id
        other = services.accounts.get_local_player("bench-analysed-too").id
        new = NewMatch(GAME, seat=1)
        self.match = services.matches.create(ChangeRequest(player), new).shown.view.id
        services.matches.join(ChangeRequest(other), self.match)
        for _ in range(PLIES):
            look = Asker(local=True)
            seat = services.queries.show(look, self.match).view.to_act
            if seat is None:
                break
            mover_ = player if seat == 1 else other
            legal = services.queries.list_legal_moves(Asker(mover_), self.match)
            move = legal.moves[len(legal.moves) // 3]["move"]
            services.matches.play(ChangeRequest(mover_, legal.version), self.match, move)
        else:
            request = ChangeRequest(player, any_version=True)
            services.matches.act(request, self.match, Action("resign"))

    @property
    def found(self) -> int:
        return self.analyses.show(Asker(local=True), self.match).done

    @contextmanager
    def going(self) -> Iterator[None]:
        """Let the worker analyse it."""
        self.analyses.ask(Asker(local=True), self.match)
        until(lambda: self.found > 0)
        try:
            yield
        finally:
            with self.analyses.queries.database.write() as connection:
                row = analyses.find(connection, self.match)
                if row is None or row.state != analyses.OPEN:
                    raise RuntimeError("the match is too short: its analysis has ended")
                analyses.fail(connection, row)

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let nothing be analysed: what was begun has failed."""
        yield


class _Opponents:
    """People who answer the house at once in their matches, and begin others when they are over.

    ``found``: how often the house has answered.
    """

    name = f"the house thinks in {MATCHES} matches"
    what = "answers of the house"

    def __init__(self, services: Services) -> None:
        self.house = services
        self.player = services.accounts.get_local_player("bench-opponent").id
        self.seats = cycle((1, 2))
        self.matches = [self._begin() for _ in range(MATCHES)]
        self.found = 0

    @contextmanager
    def going(self) -> Iterator[None]:
        """Let them play, and the house think."""
        ended = Event()
        thread = Thread(target=self._play, args=(ended,))
        thread.start()
        before = self.found
        until(lambda: self.found > before)
        try:
            yield
        finally:
            ended.set()
            thread.join()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let nobody play, once the house owes nothing."""
        until(lambda: not any(map(self._waits, self.matches)))
        yield

    def _begin(self) -> str:
        new = NewMatch(GAME, seat=next(self.seats), opponent=name_of(LEVEL))
        return self.house.matches.create(ChangeRequest(self.player), new).shown.view.id

    def _waits(self, match: str) -> bool:
        view = self.house.queries.show(Asker(local=True), match).view
        return view.to_act is not None and level_of(view.seats[view.to_act - 1]) is not None

    def _play(self, ended: Event) -> None:
        # One look at a time, so that the clients in this process do not wait for these people.
        for number in cycle(range(MATCHES)):
            if ended.wait(LOOK_EVERY):
                return
            match = self.matches[number]
            legal = self.house.queries.list_legal_moves(Asker(self.player), match)
            if legal.moves:
                self.found += 1
                request = ChangeRequest(self.player, legal.version)
                move = legal.moves[len(legal.moves) // 3]["move"]
                self.house.matches.play(request, match, move)
            elif not self._waits(match):
                self.matches[number] = self._begin()
