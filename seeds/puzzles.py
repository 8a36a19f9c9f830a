"""The puzzles of the demo: ten a game, from matches that weak house players play at each other.

They stand in `puzzles.toml`, so that nothing has to be proven when they are loaded.
`python -m tests.seeds.puzzles` composes them anew, the same ones every time.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from domain.games import load_games
from domain.json_types import JsonObject
from domain.search.puzzles import Puzzle
from services.puzzles.stored import Source, Start, play_start, row_of
from services.store.puzzles import PuzzleRow

FILE = files("seeds") / "puzzles.toml"


class Composed(NamedTuple):
    """A puzzle of the demo: the moves that lead to it and those of its solution, in notation."""

    game: str
    options: JsonObject
    moves: tuple[str, ...]
    seat: int
    aim: str
    line: tuple[str, ...]
    difficulty: int

    @property
    def start(self) -> Start:
        """Return from where its position is reached: options, and the moves that lead there."""
        return Start(self.options, self.moves)


@cache
def read_composed() -> tuple[Composed, ...]:
    """Return the puzzles as they stand in the file."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["puzzle"]
    return tuple(
        Composed(**{**one, "moves": tuple(one["moves"]), "line": tuple(one["line"])})
        for one in entries
    )


def list_rows() -> list[PuzzleRow]:
    """Return the puzzles of the file as they are stored."""
    return [row_of_composed(one) for one in read_composed()]


def row_of_composed(one: Composed) -> PuzzleRow:
    """Return a puzzle of the demo as it is stored."""
    game = load_games().get(one.game)
    board = play_start(game, one.start)
    line = tuple(board.read(text) for text in one.line)
    puzzle = Puzzle(one.seat, one.aim, line, one.difficulty)
    return row_of(game, board.position, puzzle, Source(start=one.start))
