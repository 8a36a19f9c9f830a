"""POST of a move with eight clients while the house thinks in four matches, against without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from os import environ
from statistics import median, quantiles
from subprocess import DEVNULL, Popen
from threading import Event, Thread
from time import monotonic, sleep

from cli.commands.serve import WORKER
from domain.match.house_players import level_of, name_of
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.bench.databases import Bed
from tests.bench.posting import CLIENTS, mover, send_all, served
from tests.bench.rounds import Ratio

MATCHES = 4
GAME, LEVEL = "power-line", 4
"""Its strongest level thinks long about most positions."""

SLOWER = 1.5
"""So many times as long ninety-nine of a hundred moves take at most while the house thinks."""

LOOK_EVERY = 0.15
"""Seconds between two looks at one of the matches: the house thinks longer about most moves."""

LONGEST_WAIT = 60.0


def house(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves of people with and without the house at work, in turns."""
    taken: tuple[list[float], list[float]] = [], []
    rates: tuple[list[float], list[float]] = [], []
    thoughts = 0
    with served(bed.url, "ours_app") as ours, _worker(bed.url, ours.url):
        movers = [mover(ours.url, bed.house, f"thinking-{one}")[1] for one in range(CLIENTS)]
        opponents = _Opponents(bed.house)
        for number in range(rounds + 1):
            if number == 1:  # the first round only warms up
                taken, rates, thoughts = ([], []), ([], []), 0
            for side in (0, 1) if number % 2 else (1, 0):
                with opponents.playing() if side else opponents.resting():
                    before = opponents.answered
                    rates[side].append(send_all(movers, taken[side]))
                    thoughts += opponents.answered - before
    without, with_ = (quantiles(some, n=100) for some in taken)
    told = f"{with_[98]:.1f} ms against {without[98]:.1f}, median {with_[49]:.1f} against "
    told += f"{without[49]:.1f}; {thoughts} answers of the house meanwhile"
    name = f"p99 of a POST while the house thinks in {MATCHES} matches, {bed.name}"
    yield Ratio(name, with_[98] / without[98], SLOWER, told, at_most=True)
    slower = median(one / other for one, other in zip(rates[1], rates[0], strict=True))
    yield Ratio(f"rate of these, {bed.name}", slower, None, f"of {median(rates[0]):.0f}/s")


@contextmanager
def _worker(url: str, server: str) -> Iterator[None]:
    """Run the worker as it runs beside a server."""
    command = [*WORKER, "--database", url, "--server", server]
    quiet = {**environ, "PLYBOOK_CHECKPOINT_INTERVAL": "0", "PLYBOOK_LOG_LEVEL": "error"}
    process = Popen(command, env=quiet, stdout=DEVNULL, stderr=DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


class _Opponents:
    """People who answer the house at once in their matches, and begin others when they are over.

    ``answered``: how often the house has.
    """

    def __init__(self, services: Services) -> None:
        self.house = services
        self.player = services.accounts.local_player("bench-opponent").id
        self.seats = cycle((1, 2))
        self.matches = [self._begin() for _ in range(MATCHES)]
        self.answered = 0

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Let them play, and the house think."""
        ended = Event()
        thread = Thread(target=self._play, args=(ended,))
        thread.start()
        before = self.answered
        self._until(lambda: self.answered > before)
        try:
            yield
        finally:
            ended.set()
            thread.join()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let nobody play, once the house owes nothing."""
        self._until(lambda: not any(map(self._waits, self.matches)))
        yield

    @staticmethod
    def _until(reached: object) -> None:
        assert callable(reached)
        end = monotonic() + LONGEST_WAIT
        while not reached():
            if monotonic() > end:
                raise RuntimeError("the house does not answer")
            sleep(0.05)

    def _begin(self) -> str:
        new = NewMatch(GAME, seat=next(self.seats), opponent=name_of(LEVEL))
        return self.house.matches.create(ChangeRequest(self.player), new).shown.view.id

    def _waits(self, match: str) -> bool:
        view = self.house.looking.show(Asker(local=True), match).view
        return view.to_act is not None and level_of(view.seats[view.to_act - 1]) is not None

    def _play(self, ended: Event) -> None:
        # One look at a time, so that the clients in this process do not wait for these people.
        for number in cycle(range(MATCHES)):
            if ended.wait(LOOK_EVERY):
                return
            match = self.matches[number]
            legal = self.house.looking.legal_moves(Asker(self.player), match)
            if legal.moves:
                self.answered += 1
                request = ChangeRequest(self.player, legal.version)
                move = legal.moves[len(legal.moves) // 3]["move"]
                self.house.matches.play(request, match, move)
            elif not self._waits(match):
                self.matches[number] = self._begin()
