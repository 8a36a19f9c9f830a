"""``./dev bench strength``: how the levels of the house players do against each other.

The same tables to the digit on every machine, since a search counts positions and no seconds. Each
opening of two random moves is played from both seats. Grid Power is played with a komi of 25,
since without it the first seat wins nearly always. The seconds are those of this run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from time import process_time
from typing import Final, NamedTuple

from domain.game.game import AnyGame, Move, Viewer
from domain.game.options import fill
from domain.games import all_games
from domain.json_types import JsonObject
from domain.search.engine import Question, choose, levels
from domain.search.ground import WON, Decision, Ground, SeededDice

MATCHES: Final = 200
OPENING: Final = 2
"""So many random moves a match begins with."""
RANDOM: Final = 0
"""The level of a player that moves at random."""
ABOVE, ABOVE_RANDOM = 57, 80
"""Points of 100 that a level scores at least: against the one below; the first against chance."""

OPTIONS: Final[dict[str, JsonObject]] = {"grid-power": {"komi": 25}}


class Pairing(NamedTuple):
    """Two levels of a game that meet; the match of a number has an opening and seats of its own."""

    slug: str
    level: int
    other: int

    def played(self, number: int) -> tuple[float, float]:
        """Play a match; return the points of ``level``, and its longest time for a move."""
        game = all_games().get(self.slug)
        seat = 1 + number % 2
        by_seat = (self.level, self.other) if seat == 1 else (self.other, self.level)
        match = _Match(game, fill(game.options, OPTIONS.get(self.slug, {})), number // 2)
        winner = match.play(by_seat)
        points = 0.5 if winner is None else float(winner == seat)
        return points, match.longest[seat]


class _Match:
    def __init__(self, game: AnyGame, options: JsonObject, number: int) -> None:
        self._game, self._options = game, options
        self._random = Random(number)
        self._ground = Ground(game, SeededDice(number), sys.maxsize)
        self.longest = {1: 0.0, 2: 0.0}

    def play(self, levels: tuple[int, int]) -> int | None:
        """Play to the end; return the winner."""
        settings = fill(self._game.settings, {})
        start = self._game.initial(self._options, (settings, settings))
        decision, ply = self._ground.settled(start), 0
        while decision.seat:
            level = RANDOM if ply < OPENING else levels[decision.seat - 1]
            move = self._move(decision, level)
            decision, ply = self._ground.after(decision.position, move), ply + 1
        return 1 if decision.final > WON // 2 else 2 if decision.final < -WON // 2 else None

    def _move(self, decision: Decision, level: int) -> Move:
        game, position, seat = self._game, decision.position, decision.seat
        seed = self._random.getrandbits(64)
        if level == RANDOM:
            moves = [*game.legal_moves(position)]
            return moves[seed % len(moves)]
        sight = game.view(position, Viewer.of_seat(seat), False)  # noqa: FBT003 - as Game has it
        began = process_time()
        move = choose(game, Question(sight, seat, self._options), level, seed)
        self.longest[seat] = max(self.longest[seat], process_time() - began)
        return move


def pairings(slugs: list[str]) -> Iterator[Pairing]:
    """Yield for each game its first level against chance, and each other one against the last."""
    for game in all_games():
        if not slugs or game.slug in slugs:
            for level in range(1, levels(game) + 1):
                yield Pairing(game.slug, level, level - 1)


def main(arguments: list[str]) -> int:
    """Print the tables of the games that are named (all without names); 1 where a goal is missed.

    A number among the arguments is how many matches are played of each pairing.
    """
    numbers = [int(one) for one in arguments if one.isdecimal()]
    slugs = [one for one in arguments if not one.isdecimal()]
    known = {game.slug for game in all_games()}
    if not known.issuperset(slugs):
        print(f"There are: {', '.join(sorted(known))}, and a number of matches.", file=sys.stderr)
        return 2
    missed = 0
    with ProcessPoolExecutor() as pool:
        for pairing in pairings(slugs):
            missed += not _told(pairing, [*pool.map(pairing.played, range(*numbers or [MATCHES]))])
    print(f"{missed} of the goals missed" if missed else "all goals reached")
    return 1 if missed else 0


def _told(pairing: Pairing, results: list[tuple[float, float]]) -> bool:
    """Print a pairing's line; return whether its goal is reached."""
    score = 100 * sum(points for points, _ in results) / len(results)
    goal = ABOVE_RANDOM if pairing.other == RANDOM else ABOVE
    other = "chance" if pairing.other == RANDOM else f"level {pairing.other}"
    print(
        f"{'ok' if score >= goal else 'MISSED':6} {pairing.slug:15} level {pairing.level} "
        f"against {other}: {score:.1f} of 100 (goal {goal}), "
        f"{max(longest for _, longest in results):.2f} s for its longest move",
        flush=True,
    )
    return score >= goal
