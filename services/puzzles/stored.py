"""Puzzles as they are stored, and the positions that they begin from.

A puzzle of a match is kept as a version of it, and its position is folded from the log. One of the
demo belongs to no match, and is kept as the moves that lead to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from domain.game.game import Act, AnyGame, Draw, Last, Move, Over, Pass, Position, Sight, Viewer
from domain.game.options import fill
from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.log.event_format import write_canonical
from domain.match.state import ACTIVE
from domain.match.views import MatchView
from domain.search.puzzles import Puzzle
from services.matches.access import PUBLIC
from services.matches.repository import Repository
from services.runtime.randomness import derive_id
from services.store.puzzles import PuzzleRow


class Start(NamedTuple):
    """A position that is reached by these moves, in notation, with these options."""

    options: JsonObject
    moves: tuple[str, ...]


class Source(NamedTuple):
    """Where a puzzle comes from: a version of a match, or what ``start`` leads to."""

    match: str | None = None
    version: int | None = None
    start: Start | None = None


@dataclass(slots=True)
class PuzzleBoard:
    """The position of a puzzle, and what is played on it from there on."""

    id: str
    game: AnyGame
    options: JsonObject
    position: Position
    last: Last | None
    seat: int | None
    ply: int = 0

    def play(self, move: Move) -> str:
        """Make a move of the seat to act; return what it did, in a sentence."""
        before, seat = self.sight, self.seat or 0
        self.position = self.game.play(self.position, move)
        self.last = Last(seat, self.game.dump_move(move))
        self.ply += 1
        self.seat = _pass_to_actor(self)
        return self.game.tell(before, self.sight, self.last)

    def read(self, text: str) -> Move:
        """Return a move that is written in notation. Raises ``MalformedMove``."""
        return self.game.parse_move(self.game.notation.read(text))

    def show_move(self, move: Move) -> JsonObject:
        """Return a move as the API gives it: its JSON form, and its notation."""
        json = self.game.dump_move(move)
        return {"move": json, "text": self.game.notation.write(json)}

    @property
    def sight(self) -> Sight:
        """What everybody sees of it."""
        return self.game.view(self.position, Viewer.SPECTATOR, False)  # noqa: FBT003 - as in Game

    def view(self) -> MatchView:
        """Return the position as what a match looks like, for those who draw and enter moves."""
        return MatchView(
            id=self.id,
            game=self.game,
            options=self.options,
            status=ACTIVE,
            visibility=PUBLIC,
            pace=None,
            rated=False,
            version=0,
            seats=(None, None),
            creator="",
            opponent=None,
            viewer=Viewer.SPECTATOR,
            to_act=self.seat,
            ply=self.ply,
            result=None,
            sight=self.sight,
            last=self.last,
            created_at="",
            updated_at="",
            series=None,
        )


def _pass_to_actor(board: PuzzleBoard) -> int | None:
    """Pass over seats without a move; return who is to act, None: nobody, or chance."""
    while True:
        match board.game.get_next_step(board.position):
            case Act(seat):
                return seat
            case Pass():
                board.position = board.game.forfeit(board.position)
            case Draw() | Over():
                return None


def load_board(connection: Connection, repository: Repository, row: PuzzleRow) -> PuzzleBoard:
    """Return the position that a puzzle begins from. Raises ``UnknownGame`` and ``Corruption``."""
    game = repository.games.get(row.game, row.rules_version)
    if row.match is not None and row.version is not None:
        past = repository.make_past(connection, row.match)(row.version)
        last = None if past.last is None else Last(past.last[0], past.last[1])
        return PuzzleBoard(row.id, game, past.options, past.started, last, row.seat, past.ply)
    return play_start(game, Start(**orjson.loads(row.start or "{}")), row.id)


def play_start(game: AnyGame, start: Start, puzzle: str = "") -> PuzzleBoard:
    """Return the position that moves lead to from the beginning of a game."""
    options = fill(game.options, start.options)
    board = PuzzleBoard(puzzle, game, options, game.set_up(options, ({}, {})), None, None)
    board.seat = _pass_to_actor(board)
    for text in start.moves:
        board.play(board.read(text))
    return board


def row_of(game: AnyGame, position: Position, puzzle: Puzzle, source: Source) -> PuzzleRow:
    """Return a puzzle as it is stored."""
    line = [game.notation.write(game.dump_move(move)) for move in puzzle.line]
    start = None if source.start is None else orjson.dumps(source.start._asdict()).decode()
    return PuzzleRow(
        id_of(game, position),
        game.slug,
        game.rules_version,
        source.match,
        source.version,
        start,
        puzzle.seat,
        puzzle.aim,
        orjson.dumps(line).decode(),
        puzzle.difficulty,
    )


def id_of(game: AnyGame, position: Position) -> str:
    """Return the id of the puzzle that a position is: the same wherever it is met."""
    told = write_canonical([game.slug, game.rules_version, game.dump(position)])
    return derive_id(b"plybook puzzle " + told)


def line_of(row: PuzzleRow) -> Sequence[str]:
    """Return the moves of a puzzle's solution, in notation."""
    line: list[str] = orjson.loads(row.line)
    return line


def list_games(games: Games) -> list[str]:
    """Return the slugs of the games whose puzzles can be shown here."""
    return [game.slug for game in games if not game.secrets]
