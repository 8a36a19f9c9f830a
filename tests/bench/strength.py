"""``./dev bench strength``: how the levels of the house players do, against each other and others.

The same tables to the digit on every machine, since a search counts positions and no seconds. Each
opening of two random moves is played from both seats. Grid Power is played with a komi of 25,
since without it the first seat wins nearly always. The seconds are those of this run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from domain.game.game import AnyGame, Viewer
from domain.game.options import fill
from domain.games import load_games
from domain.json_types import JsonObject
from domain.search.engine import Choice, Question, consider, count_levels
from domain.search.ground import WON, Ground, SeededDice
from tests.bench import rivals

MATCHES: Final = 200
MATCHES_OF_RIVALS: Final = 40
"""Against open-spiel, which takes minutes for what the house does in seconds."""
OPENING: Final = 2
"""So many random moves a match begins with."""
ABOVE, ABOVE_CHANCE, ABOVE_GREEDY, ABOVE_OPEN_SPIEL = 57, 80, 85, 50
"""Points of 100 to score at least: against the level below, or who is named. Against open-spiel
it is to be more, over all games together: of Path Capture half is all there is."""

OPTIONS: Final[dict[str, JsonObject]] = {"grid-power": {"komi": 25}}
PROVEN: Final = {"energy-capture": 8, "power-line": 4}
"""Of so many last plies of a match the strongest level's moves should be proven."""

Player: TypeAlias = Callable[[AnyGame, Question, int], Choice]
"""Chooses by what its seat sees, and a seed."""


class Pairing(NamedTuple):
    """A level and an opponent (a level, or one of ``_OTHERS``); a match has a number."""

    slug: str
    level: int | str
    other: int | str
    goal: int
    matches: int = MATCHES

    def played(self, number: int) -> Result:
        """Play the match of this number: it says which opening, and which seat for whom."""
        game = load_games().get(self.slug)
        seat = 1 + number % 2
        players = (_player(self.level), _player(self.other))
        match = Contest(game, fill(game.options, OPTIONS.get(self.slug, {})), number // 2)
        winner = match.play(players if seat == 1 else players[::-1])
        points = 0.5 if winner is None else float(winner == seat)
        return Result(points, match.longest[seat], match.proven[seat])


class Result(NamedTuple):
    """The points of a pairing's level, its longest time for a move, its proven last plies."""

    points: float
    longest: float
    proven: int


class Score(NamedTuple):
    """The points of 100 of a pairing's level, and whether it reached all of its goals."""

    points: float
    reached: bool


class Contest:
    """A match of this number between two players; the same number has the same opening."""

    def __init__(self, game: AnyGame, options: JsonObject, number: int) -> None:
        self._game, self._options = game, options
        self._random = Random(number)
        self._ground = Ground(game, SeededDice(number), sys.maxsize)
        self.longest = {1: 0.0, 2: 0.0}
        self.proven = {1: 0, 2: 0}
        """Of each seat from how many plies before the end on its moves were proven."""
        self.began: int | None = None
        """The seat that made the first move."""

    def play(self, players: tuple[Player, Player]) -> int | None:
        """Play to the end; return the winner."""
        settings = fill(self._game.settings, {})
        start = self._game.set_up(self._options, (settings, settings))
        decision, ply, unproven = self._ground.settle(start), 0, {1: 0, 2: 0}
        self.began = decision.seat
        while decision.seat:
            seat = decision.seat
            player = rivals.chance if ply < OPENING else players[seat - 1]
            seed = self._random.getrandbits(64)
            sight = self._game.view(decision.position, Viewer.from_seat(seat), False)  # noqa: FBT003 - as Game has it
            began = process_time()
            choice = player(self._game, Question(sight, seat, self._options), seed)
            if ply >= OPENING:
                self.longest[seat] = max(self.longest[seat], process_time() - began)
            decision, ply = self._ground.play(decision.position, choice.move), ply + 1
            if not choice.proven:
                unproven[seat] = ply
        self.proven = {seat: ply - last for seat, last in unproven.items()}
        return 1 if decision.final > WON // 2 else 2 if decision.final < -WON // 2 else None


def _player(of: int | str) -> Player:
    if isinstance(of, int):
        return lambda game, question, seed: consider(game, question, of, seed)
    return _OTHERS[of]


_OTHERS: Final[dict[str, Player]] = {
    "chance": rivals.chance,
    "greedy": rivals.greedy,
    "open-spiel": rivals.open_spiel,
    "as many positions": rivals.equal,
}


_RIVALS: Final = ("as many positions", "open-spiel")


def pairings(slugs: list[str]) -> Iterator[Pairing]:
    """Yield what is measured, what takes least time first."""
    games = [game for game in load_games() if not slugs or game.slug in slugs]
    for level in range(1, 6):
        for game in games:
            if level <= count_levels(game):
                goal = ABOVE if level > 1 else ABOVE_CHANCE
                yield Pairing(game.slug, level, level - 1 or "chance", goal)
    for game in games:
        if game.secrets:
            yield Pairing(game.slug, count_levels(game), "greedy", ABOVE_GREEDY)
    if rivals.open_spiel_is_there():
        for game in games:
            if not game.secrets:
                yield Pairing(game.slug, *_RIVALS, 0, MATCHES_OF_RIVALS)
    else:
        print("open-spiel is not installed: the house does not meet it.", flush=True)


def main(arguments: list[str]) -> int:
    """Print the tables of the games that are named (all without names); 1 where a goal is missed.

    A number among the arguments is how many matches are played of each pairing.
    """
    numbers = [int(one) for one in arguments if one.isdecimal()]
    slugs = [one for one in arguments if not one.isdecimal()]
    known = {game.slug for game in load_games()}
    if not known.issuperset(slugs):
        print(f"There are: {', '.join(sorted(known))}, and a number of matches.", file=sys.stderr)
        return 2
    with ProcessPoolExecutor() as pool:
        # All at once, so that no processor waits for the last match of a pairing.
        running = [
            (pairing, pool.map(pairing.played, range(*numbers or [pairing.matches])))
            for pairing in pairings(slugs)
        ]
        scores = [(pairing, _told(pairing, results)) for pairing, results in running]
    missed = sum(not score.reached for _, score in scores)
    rivals_met = [score.points for pairing, score in scores if pairing[1:3] == _RIVALS]
    missed += not _beats_open_spiel(rivals_met)
    print(f"{missed} of the goals missed" if missed else "all goals reached")
    return 1 if missed else 0


def _beats_open_spiel(scores: list[float]) -> bool:
    """Print what it comes to over all games; return whether it is enough, or was not measured."""
    if not scores:
        return True
    together = sum(scores) / len(scores)
    print(f"against open-spiel together: {together:.1f} of 100 (goal more than {ABOVE_OPEN_SPIEL})")
    return together > ABOVE_OPEN_SPIEL


def _told(pairing: Pairing, played: Iterable[Result]) -> Score:
    """Print a pairing's line; return the score."""
    results = [*played]
    points = 100 * sum(result.points for result in results) / len(results)
    level, other = (
        f"level {one}" if isinstance(one, int) else one for one in (pairing.level, pairing.other)
    )
    plies, wanted = _proven(pairing, results)
    told = f"; proven: the last {plies:g} plies" if plies is not None else ""
    told += f" (goal {wanted})" if told and wanted else ""
    reached = points >= pairing.goal and (plies is None or plies >= wanted)
    print(
        f"{'ok' if reached else 'MISSED':6} {pairing.slug:15} {level} "
        f"against {other}: {points:.1f} of 100 in {len(results)} (goal {pairing.goal}), "
        f"{max(result.longest for result in results):.2f} s for its longest move{told}",
        flush=True,
    )
    return Score(points, reached)


def _proven(pairing: Pairing, results: list[Result]) -> tuple[float | None, int]:
    """Return how many last plies of the strongest level's matches are proven, and the goal.

    None for other levels, and where something is hidden.
    """
    game = load_games().get(pairing.slug)
    if game.secrets or pairing.level != count_levels(game):
        return None, 0
    return median(result.proven for result in results), PROVEN.get(pairing.slug, 0)
