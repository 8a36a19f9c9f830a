"""Puzzles as people and programs meet them: listed, looked at, tried move by move, given up.

The solution leaves the house in three ways only: a reply that follows on a right move, to whoever
has solved the puzzle, and to whoever gives it up, which an account cannot take back. What a visitor
without an account did is kept by the page, in the visitor's browser.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import NamedTuple, cast

from cachetools import LRUCache
from sqlalchemy import Connection

from domain.errors import Corruption, IllegalMove, MalformedMove, UnknownGame
from domain.game.game import Move, Position
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.views import MatchView, show_move
from services.errors import InvalidRequest, NotFound
from services.matches.repository import Repository
from services.matches.requests import Repeatable, StoredAnswer, keep_answer, must_be_new
from services.puzzles.stored import PuzzleBoard, line_of, list_games, load_board
from services.store import puzzles
from services.store.cursors import CursorCipher, Page, find_next_cursor
from services.store.db.engine import Database
from services.store.idempotency import KeyInUse
from services.store.puzzles import FIRST, AttemptRow, PuzzlePlace, PuzzleRow

SOLVED, SHOWN, TRIED = "solved", "shown", "tried"
"""What a caller has done with a puzzle: found the solution, looked at it, or been wrong so far."""

MARKS = (SOLVED, SHOWN, TRIED)
KNOWN = (SOLVED, SHOWN)
"""With one of these the caller knows the solution."""

LONGEST = 60
"""How many moves an attempt may have."""

KEPT = 1024
"""Of so many puzzles a process keeps the position.

Each of a list would be folded from its match every time: a list of a hundred takes 1.6 ms of
processor time with that and 24.9 without, what a puzzle's page asks for 0.6 and 1.6 (medians of 9,
paths of 20 to 40 nodes). An id is a digest of the position, so what is kept cannot be another one.
"""

_PURPOSE = "puzzles"
_NONE: Mapping[str, str] = {}


class PuzzleFilter(NamedTuple):
    """Which puzzles: of a game (its slug), of a difficulty."""

    game: str | None = None
    difficulty: int | None = None


class ShownPuzzle(NamedTuple):
    """A puzzle without its solution.

    ``view``: the position, as a match looks like. ``asked``: how many moves are to be found.
    ``mark``: what the caller did with it. ``match``, ``version``: where it comes from, None for
    one of the demo; what was played there may be the solution.
    """

    id: str
    view: MatchView
    seat: int
    aim: str
    difficulty: int
    asked: int
    mark: str | None
    match: str | None
    version: int | None

    @property
    def is_open(self) -> bool:
        """Whether the caller knows the solution."""
        return self.mark in KNOWN

    @property
    def legal_moves(self) -> list[Move]:
        """All moves that may be made; nothing is hidden in a game that has puzzles."""
        return [*self.view.game.iter_legal_moves(cast("Position", self.view.sight))]


class PlayedMove(NamedTuple):
    """A move on the board of a puzzle: its notation, what it did, and the seat that made it."""

    text: str
    told: str
    seat: int


class PuzzleWalk(NamedTuple):
    """How far right moves lead into a puzzle.

    ``view``: the position behind ``played``, the right moves and the replies. ``own``: the right
    moves in notation. ``wrong``: the first move that is not the right one, in notation, or None.
    ``reply``: what was answered on the last right move. ``legal``: how it may go on.
    """

    shown: ShownPuzzle
    view: MatchView
    played: list[PlayedMove]
    own: list[str]
    wrong: str | None
    solved: bool
    reply: JsonObject | None
    legal: list[JsonObject]


class Attempt(NamedTuple):
    """What comes of moves that were tried: with neither, the last one was not the right one."""

    solved: bool
    reply: JsonObject | None


@dataclass(frozen=True, slots=True)
class Puzzles:
    """The use cases. ``caller``: a player's id, or None."""

    database: Database
    repository: Repository
    sealer: CursorCipher
    _known: LRUCache[PuzzleRow, PuzzleBoard] = field(
        default_factory=lambda: LRUCache(KEPT), init=False
    )
    _lock: Lock = field(default_factory=Lock, init=False)

    def list_page(
        self,
        caller: str | None,
        filters: PuzzleFilter = PuzzleFilter(),  # noqa: B008 - a value that nobody changes
        *,
        limit: int = 25,
        cursor: str | None = None,
    ) -> Page[ShownPuzzle, str]:
        """List puzzles, the easiest first. Raises ``InvalidRequest`` for a foreign cursor."""
        after = FIRST
        if cursor is not None:
            difficulty, behind = self.sealer.read(_PURPOSE, cursor, 2)
            after = PuzzlePlace(int(difficulty), behind)
        games = [slug for slug in list_games(self.repository.games) if filters.game in (None, slug)]
        with self.database.read() as connection:
            found = puzzles.list_page(connection, games, filters.difficulty, after, limit + 1)
            marks = self._load_marks(connection, caller, found)
            shown = [self._show_listed(connection, row, marks) for row in found[:limit]]
        listed = [one for one in shown if one is not None]

        def place(last: PuzzleRow) -> str:
            return self.sealer.seal(_PURPOSE, f"{last.difficulty}|{last.id}")

        return Page(listed, find_next_cursor(found, limit, place))

    def show(self, caller: str | None, puzzle: str) -> ShownPuzzle:
        """Return a puzzle without its solution. Raises ``NotFound``."""
        with self.database.read() as connection:
            return self._open_puzzle(connection, caller, puzzle)[1]

    def walk(
        self,
        caller: str | None,
        puzzle: str,
        moves: Sequence[Json] = (),
        *,
        told: bool = False,
        steps: int = LONGEST,
    ) -> PuzzleWalk:
        """Play moves of the caller's, and the replies, as long as they are right.

        ``told``: the solution, as many ``steps`` of it, whatever ``moves`` are. Raises
        ``NotFound``; for moves ``MalformedMove``, ``IllegalMove`` and ``InvalidRequest``. Nothing
        is kept.
        """
        if len(moves) > LONGEST:
            raise InvalidRequest(
                say("An attempt has {most} moves at most.", most=LONGEST), pointer="/moves"
            )
        with self.database.read() as connection:
            row, shown, board = self._open_puzzle(connection, caller, puzzle)
        line = [*line_of(row)]
        tried = _Attempt(board, line)
        if told:
            for text in line[:steps]:
                tried.make(board.read(text))
        else:
            tried.follow(moves)
        return tried.build_walk(shown)

    def attempt(
        self,
        caller: str | None,
        puzzle: str,
        moves: Sequence[Json],
        posting: Repeatable[Attempt] | None = None,
    ) -> tuple[Attempt, StoredAnswer | None]:
        """Try moves, and keep for a caller whether they were wrong or solve it.

        ``moves``: the caller's own, from the puzzle's position on. Raises what ``walk`` raises,
        and ``AlreadyAnswered``.
        """
        if caller is not None:
            must_be_new(self.database, caller, posting)
        if not moves:
            raise InvalidRequest(say("An attempt has at least one move."), pointer="/moves")
        walk = self.walk(caller, puzzle, moves)
        done = Attempt(walk.solved, None if walk.wrong else walk.reply)
        if caller is None:
            return done, None
        try:
            return done, self._keep_attempt(caller, puzzle, walk, done, posting)
        except KeyInUse:
            # The same request was answered meanwhile, and that answer stands.
            must_be_new(self.database, caller, posting)
            raise

    def _keep_attempt(
        self,
        caller: str,
        puzzle: str,
        walk: PuzzleWalk,
        done: Attempt,
        posting: Repeatable[Attempt] | None,
    ) -> StoredAnswer | None:
        at = self.repository.get_instant()
        with self.database.write() as connection:
            if walk.wrong is not None or walk.solved:
                solved_at = at if walk.solved else None
                puzzles.keep(
                    connection, caller, AttemptRow(puzzle, int(not walk.solved), solved_at, None)
                )
            return keep_answer(connection, caller, posting, done, at)

    def give_up(self, caller: str, puzzle: str) -> None:
        """Keep that a player has asked for the solution. Raises ``NotFound``."""
        self.show(caller, puzzle)
        with self.database.write() as connection:
            shown_at = self.repository.get_instant()
            puzzles.keep(connection, caller, AttemptRow(puzzle, 0, None, shown_at))

    def find_next(
        self, caller: str | None, puzzle: str, done: Collection[str] = ()
    ) -> ShownPuzzle | None:
        """Return the next puzzle of the same game that the caller has not solved, if there is one.

        ``done``: ids of puzzles that a visitor has solved. Behind the hardest come the easiest.
        """
        with self.database.read() as connection:
            row, _, _ = self._open_puzzle(connection, caller, puzzle)
            here = PuzzlePlace(row.difficulty, row.id)
            for after in (here, FIRST):
                found = puzzles.list_page(connection, [row.game], None, after, 200)
                marks = self._load_marks(connection, caller, found)
                for one in found:
                    if one.id != row.id and one.id not in done and marks.get(one.id) not in KNOWN:
                        return self._show_listed(connection, one, marks)
        return None

    def list_by_match(self, match_id: str) -> list[str]:
        """Return the ids of the puzzles that come from a match, in its order."""
        with self.database.read() as connection:
            return puzzles.list_ids(puzzles.list_by_match(connection, match_id))

    def _load_marks(
        self, connection: Connection, caller: str | None, found: Sequence[PuzzleRow]
    ) -> Mapping[str, str]:
        if caller is None:
            return _NONE
        rows = puzzles.find_attempts(connection, caller, puzzles.list_ids(found))
        return {puzzle: _mark_of(row) for puzzle, row in rows.items()}

    def _open_puzzle(
        self, connection: Connection, caller: str | None, puzzle: str
    ) -> tuple[PuzzleRow, ShownPuzzle, PuzzleBoard]:
        row = puzzles.find(connection, puzzle)
        try:
            board = None if row is None else self._get_board(connection, row)
        except (Corruption, UnknownGame):
            board = None
        if row is None or board is None:
            raise NotFound(say("There is no puzzle {puzzle}.", puzzle=puzzle[:40]))
        return row, _show_puzzle(row, board, self._load_marks(connection, caller, [row])), board

    def _show_listed(
        self, connection: Connection, row: PuzzleRow, marks: Mapping[str, str]
    ) -> ShownPuzzle | None:
        """Show one of a list, or None: one that cannot be read must not hide all others."""
        try:
            return _show_puzzle(row, self._get_board(connection, row), marks)
        except (Corruption, UnknownGame):
            return None

    def _get_board(self, connection: Connection, row: PuzzleRow) -> PuzzleBoard:
        """Return the position of a puzzle, to be played on from there.

        Raises ``UnknownGame`` and ``Corruption``.
        """
        with self._lock:
            board = self._known.get(row)
        if board is None:
            board = load_board(connection, self.repository, row)
            with self._lock:
                self._known[row] = board
        return replace(board)


def _show_puzzle(row: PuzzleRow, board: PuzzleBoard, marks: Mapping[str, str]) -> ShownPuzzle:
    return ShownPuzzle(
        row.id,
        board.view(),
        row.seat,
        row.aim,
        row.difficulty,
        (len(line_of(row)) + 1) // 2,
        marks.get(row.id),
        row.match,
        row.version,
    )


def _mark_of(row: AttemptRow) -> str:
    return SOLVED if row.solved_at else SHOWN if row.shown_at else TRIED


class _Attempt:
    """A puzzle that is being tried: ``line`` is its solution."""

    def __init__(self, board: PuzzleBoard, line: Sequence[str]) -> None:
        self.board, self.line = board, line
        self.played: list[PlayedMove] = []
        self.wrong: str | None = None

    def follow(self, moves: Sequence[Json]) -> None:
        """Play moves and the replies on them, up to the first that is not the right one."""
        for at, json in enumerate(moves):
            move = self._parse_legal_move(json, at)
            if move != self.board.read(self.line[len(self.played)]):
                self.wrong = self.board.show_move(move)["text"]
                return
            self.make(move)
            if not self.solved:
                self.make(self.board.read(self.line[len(self.played)]))

    def make(self, move: Move) -> None:
        """Make a move of the solution."""
        text, seat = self.board.show_move(move)["text"], self.board.seat or 0
        self.played.append(PlayedMove(text, self.board.play(move), seat))

    @property
    def solved(self) -> bool:
        """Whether the whole solution was played."""
        return len(self.played) == len(self.line)

    def _parse_legal_move(self, json: Json, at: int) -> Move:
        # Pointers of refusals of moves begin behind "/move", which makes this "/moves/0/...".
        place = f"s/{at}"
        try:
            move = self.board.game.parse_move(json)
        except MalformedMove as refusal:
            pointer = f"{place}{refusal.pointer or ''}"
            raise MalformedMove(refusal.detail, pointer=pointer) from refusal
        fault: str | None = say("The puzzle is solved before this move.")
        if not self.solved:
            fault = self.board.game.check_move(self.board.position, move)
        if fault is not None:
            raise IllegalMove(fault, pointer=place)
        return move

    def build_walk(self, shown: ShownPuzzle) -> PuzzleWalk:
        """Return how far it has come."""
        board, view = self.board, self.board.view()
        reply = None
        if self.played and not self.solved:
            reply = board.show_move(board.read(self.played[-1].text))
        legal = []
        if view.sight is not None and not self.solved:
            moves = board.game.iter_legal_moves(board.position)
            legal = [show_move(board.game, view.sight, move) for move in moves]
        own = [one.text for one in self.played[::2]]
        return PuzzleWalk(shown, view, self.played, own, self.wrong, self.solved, reply, legal)
