"""Compose the puzzles of the demo anew: `python -m tests.seeds.puzzles [GAME ...]`.

All of them take about ten minutes. Weak house players play at each other, each match from a
number, and of each the position of one puzzle is taken. The same numbers give the same puzzles,
whoever composes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from domain.game.game import AnyGame
from domain.game.options import fill
from domain.games import load_games
from domain.games.energy_capture import setup
from domain.json_types import Json, JsonObject
from domain.search.engine import Question, choose
from domain.search.ground import SeededDice
from domain.search.puzzles import HARDEST, PuzzleSearch
from seeds.puzzles import Composed, read_composed, row_of_composed
from services.puzzles.stored import Start, play_start

FILE = Path(__file__).parents[2] / "seeds" / "puzzles.toml"

EACH: Final = 10
"""Puzzles of each game."""

HEAD = "# The puzzles of the demo, made by python -m tests.seeds.puzzles.\n"

_BUDGET: Final = 30_000


class Play(NamedTuple):
    """How the matches of a game are played: with which options, at which level, how many.

    ``lots``: how many moves at the beginning are left to chance, where weak players are all alike.
    """

    options: Callable[[int], JsonObject]
    level: int
    lots: int
    matches: int


_LINES: Final[tuple[JsonObject, ...]] = (
    {"length": 5, "nodes": 3, "energy": 8},
    {"length": 7, "nodes": 4, "energy": 10},
    {},
)

PLAYS: Final = {
    "energy-capture": Play(lambda number: {"cells": setup.sample(SeededDice(number))}, 2, 0, 24),
    "grid-power": Play(lambda number: {"komi": 10 + number % 30}, 1, 4, 90),
    "path-capture": Play(lambda number: {"length": 15 + 2 * (number % 14)}, 1, 1, 28),
    "power-line": Play(lambda number: _LINES[number % len(_LINES)], 2, 3, 48),
}


def compose(slug: str) -> list[Composed]:
    """Find the puzzles of a game anew: as many of each difficulty as there are, the first first."""
    game, found = load_games().get(slug), list[Composed]()
    for number in range(PLAYS[slug].matches):
        # The ends of short matches are alike.
        found += [one for one in of_match(game, number) if not _is_among(one, found)]
    by_difficulty = {
        level: [one for one in found if one.difficulty == level] for level in range(1, HARDEST + 1)
    }
    chosen = list[Composed]()
    for turn in count():
        for alike in by_difficulty.values():
            chosen += alike[turn : turn + 1]
        if len(chosen) >= EACH or turn == len(found):
            break
    return sorted(chosen[:EACH], key=lambda one: one.difficulty)


def _is_among(one: Composed, found: Sequence[Composed]) -> bool:
    """Whether the position of a puzzle is there already."""
    ids = {row_of_composed(other).id for other in found}
    return row_of_composed(one).id in ids


def of_match(game: AnyGame, number: int) -> list[Composed]:
    """Return one puzzle of the match with that number, near its end or far from it, if any."""
    play = PLAYS[game.slug]
    start = Start(play.options(number), ())
    course = [*_course(game, start, play, number)]
    search = PuzzleSearch(game, fill(game.options, start.options), _BUDGET)
    found = list[Composed]()
    for made in range(len(course), -1, -1):
        here = start._replace(moves=tuple(course[:made]))
        board = play_start(game, here)
        puzzle = None if board.seat is None else search.find_puzzle(board.position, board.seat)
        if search.unproven:
            break
        if puzzle is not None:
            line = tuple(board.show_move(move)["text"] for move in puzzle.line)
            aim, difficulty = puzzle.aim, puzzle.difficulty
            found.append(Composed(game.slug, *here, puzzle.seat, aim, line, difficulty))
    return found[number % len(found) :][:1] if found else []


def _course(game: AnyGame, start: Start, play: Play, number: int) -> Iterator[str]:
    """Yield the moves of a match between two house players of a level."""
    board, dice = play_start(game, start), SeededDice(number)
    while board.seat is not None:
        moves = [*game.iter_legal_moves(board.position)]
        move = moves[dice.draw_below(len(moves))]
        if board.ply >= play.lots:
            question = Question(board.sight, board.seat, board.options)
            move = choose(game, question, play.level, 1_000 * number + board.ply)
        text: str = board.show_move(move)["text"]
        board.play(move)
        yield text


def _toml(value: Json) -> str:
    if isinstance(value, dict):
        members = ", ".join(f"{name} = {_toml(one)}" for name, one in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return json.dumps(value)


def written(one: Composed) -> str:
    """Return a puzzle as it stands in the file."""
    members = (f"{name} = {_toml(value)}\n" for name, value in one._asdict().items())
    return f"\n[[puzzle]]\n{''.join(members)}"


def main(*slugs: str) -> None:
    """Write the file anew; where games are named, those of the others stay as they are."""
    entries = []
    for slug in PLAYS:
        again = not slugs or slug in slugs
        ours = compose(slug) if again else [one for one in read_composed() if one.game == slug]
        entries += [written(one) for one in ours]
    FILE.write_text(HEAD + "".join(entries), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
