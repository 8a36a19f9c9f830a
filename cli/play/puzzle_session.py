"""Puzzles that somebody tries at a terminal, from prompt to prompt; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text

from cli.play.entry import MoveEntry
from cli.play.session import LEAVING, STEPWISE, Left, read_line, tell_moves
from cli.terminal.output import Output
from domain.errors import Refusal
from domain.game.move_tree import grow_tree
from domain.json_types import JsonObject
from services.container import Services
from services.drawing.text.cells import OWNER_STYLES, QUIET
from services.drawing.text.frames import Names, describe_standing, draw_board, draw_rule
from services.puzzles.puzzles import PlayedMove, PuzzleWalk

WORDS = "step, moves, board, help, solution, next, quit"

HELP = """\
step      enter a move step by step (also: ?, or Enter alone)
moves     all moves that may be made now
board     the board once more
help      how to write a move, and this
solution  the right moves, and the replies
next      another puzzle of this game
quit      leave it"""


class PuzzleSession:
    """The loop. ``own``: the right moves so far. ``done``: puzzles that need not come again."""

    def __init__(self, house: Services, puzzle: str, out: Output) -> None:
        self.house = house
        self.puzzle = puzzle
        self.out = out
        self.own: list[JsonObject] = []
        self.done: set[str] = set()
        self.words: dict[str, Callable[[PuzzleWalk], object]] = {
            "": self._enter,
            "?": self._enter,
            "step": self._enter,
            "moves": lambda walk: tell_moves(self.out, walk.legal),
            "board": self._show_board,
            "help": self._show_help,
            "solution": self._give_up,
            "next": self._go_on,
            **dict.fromkeys(LEAVING, self._quit),
        }

    def run(self) -> None:
        """Let puzzles be tried until there is no other, or somebody leaves."""
        self.out.say(Text(f"Commands: {WORDS}.", QUIET))
        try:
            self._begin()
            while True:
                self._answer(self._walk(self.own))
        except EOFError:
            # No line has ended the prompt.
            self.out.say()
        except Left:
            return

    def _walk(self, own: Sequence[JsonObject]) -> PuzzleWalk:
        return self.house.puzzles.walk(None, self.puzzle, own)

    def _begin(self) -> None:
        """Show the puzzle from its beginning, and say what is to be found."""
        walk = self._walk(self.own)
        shown, game = walk.shown, walk.view.game
        what = "the only winning move" if shown.aim == "win" else "the only move that saves a draw"
        many = f" {shown.asked} moves are to be found." if shown.asked > 1 else ""
        self.out.say("", draw_rule(), Text.assemble((game.name, "bold"), (f"  {shown.id}", QUIET)))
        self.out.tell(f"Difficulty {shown.difficulty}. Find {what} for P{shown.seat}.{many}")
        self.out.say()
        self._show_board(walk)
        self.out.tell(f"{game.notation.help} {STEPWISE}", QUIET)

    def _show_board(self, walk: PuzzleWalk) -> None:
        view = walk.view
        self.out.say(draw_board(view, self.out.width, acting=True), "")
        if view.to_act is not None:
            self.out.say(describe_standing(view, Names({})))

    def _answer(self, walk: PuzzleWalk) -> None:
        seat = walk.shown.seat
        typed = read_line(self.out, f"P{seat}> ", OWNER_STYLES[seat]).strip()
        word = self.words.get(typed.lower())
        try:
            if word is None:
                self._try(walk.view.game.notation.read(typed))
            else:
                word(walk)
        except Refusal as refusal:
            self.out.tell(refusal.detail)

    def _enter(self, walk: PuzzleWalk) -> None:
        view = walk.view
        if view.sight is None:
            return

        def ask(prompt: str) -> str:
            while (typed := read_line(self.out, prompt)).strip().lower() in ("board", *LEAVING):
                self.words[typed.strip().lower()](walk)
            return typed

        scene = view.game.build_scene(view.sight, view.last)
        entered = MoveEntry(grow_tree(walk.legal, scene), scene, self.out, ask).run()
        if entered is not None:
            self._try(entered.move)

    def _try(self, move: JsonObject) -> None:
        """Try a move, and say what comes of it."""
        walk = self._walk([*self.own, move])
        if walk.wrong is not None:
            self.out.tell(f"{walk.wrong} is not the move. Try another one, or type: solution.")
            return
        self._tell(walk.played[2 * len(self.own) :])
        self.own.append(move)
        if walk.solved:
            self.out.tell("Solved.")
            self._ask_for_another()
        else:
            number, asked = len(self.own) + 1, walk.shown.asked
            self.out.tell(f"Right. Now find move {number} of {asked}.")
            self.out.say()
            self._show_board(walk)

    def _tell(self, played: Sequence[PlayedMove]) -> None:
        for one in played:
            self.out.tell(one.told)

    def _give_up(self, _: PuzzleWalk) -> None:
        walk = self.house.puzzles.walk(None, self.puzzle, told=True)
        self.out.tell(f"The solution: {' '.join(one.text for one in walk.played)}")
        self._tell(walk.played)
        self.out.say("", draw_board(walk.view, self.out.width), "")
        self._ask_for_another()

    def _ask_for_another(self) -> None:
        self.done.add(self.puzzle)
        sure = read_line(self.out, "Another puzzle? [y/N] ").strip().lower()
        if sure not in ("y", "yes"):
            raise Left
        self._go_on()

    def _go_on(self, _: PuzzleWalk | None = None) -> None:
        following = self.house.puzzles.find_next(None, self.puzzle, self.done)
        if following is None:
            self.out.tell("There is no other puzzle of this game.")
            if self.puzzle in self.done:
                raise Left
            return
        self.puzzle, self.own = following.id, []
        self._begin()

    def _show_help(self, walk: PuzzleWalk) -> None:
        self.out.tell(walk.view.game.notation.help)
        self.out.say(HELP)
        self.out.say(f"The rules: plybook rules {walk.view.game.slug}")

    def _quit(self, _: PuzzleWalk) -> None:
        raise Left
