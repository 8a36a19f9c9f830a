"""Entering a move step by step: what it is made of, one choice after the other."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

from rich.text import Text

from cli.play.choices import Choice, choices, described, find, listed
from cli.terminal.terminal import Output
from domain.game.move_tree import Branch, Candidate
from domain.game.scene import Scene
from services.drawing.text.cells import QUIET
from services.drawing.text.sheet import Lines

HOW = "Answer with a number or a name; or: back, cancel, Enter for the list again."
SURE = "Play it? [y, back, cancel] "

_YES, _BACK, _CANCEL = ("y", "yes"), ("back", "b"), ("cancel", "c", "n", "no")
_AGAIN = ("", "?", "step")


class Entry:
    """One move being entered: the branches on the way to it, the present one last.

    ``ask`` shows a prompt and reads a line. ``warn`` says why a move may be regretted.
    """

    def __init__(
        self,
        root: Branch,
        scene: Scene,
        out: Output,
        ask: Callable[[str], str],
        warn: Callable[[Candidate], str | None],
    ) -> None:
        self.way = [root]
        self.scene = scene
        self.out = out
        self.ask = ask
        self.warn = warn

    def run(self) -> Candidate | None:
        """Return the move that was entered and confirmed, or None if it was cancelled."""
        self.out.say(Text(HOW, QUIET))
        while self.way:
            branch = self.way[-1]
            if len(self.way) > 1 and len(branch.moves) == 1:
                move = branch.moves[0]
                if self._is_confirmed(move):
                    return move
            else:
                self._choose(branch)
        return None

    def _choose(self, branch: Branch) -> None:
        """List what may come next, and go where one answer leads."""
        whole = {one.text: one for one in branch.complete}
        offered = choices([*branch.steps, *whole], self.scene)
        self.out.say(*self._so_far(branch.taken), *self._listed(branch, offered))
        while True:
            typed = self.ask(f"step {len(self.way)}> ").strip()
            if self._leads_back(typed):
                return
            if typed.lower() in _AGAIN:
                self.out.say(*self._listed(branch, offered))
                continue
            meant = find(offered, typed)
            if len(meant) == 1:
                step = meant[0].id
                known = step in branch.steps
                self.way.append(branch.take(step) if known else branch.settle(whole[step]))
                return
            self.out.say(_unclear(typed, meant))

    def _is_confirmed(self, move: Candidate) -> bool:
        """Show a move and ask whether to play it; every other answer leads back or away."""
        self.out.say(*self._so_far(move.path), Text(f"The move is: {move.text}", "bold"))
        warning = self.warn(move)
        if warning is not None:
            self.out.say(Text(f"Mind: {warning}", "bold"))
        while True:
            typed = self.ask(SURE).strip()
            if typed.lower() in _YES:
                return True
            if self._leads_back(typed):
                return False

    def _leads_back(self, typed: str) -> bool:
        """Do what ``back`` and ``cancel`` ask for; say whether it was one of them."""
        if typed.lower() in _BACK:
            self.way.pop()
        elif typed.lower() in _CANCEL:
            self.way.clear()
        else:
            return False
        return True

    def _so_far(self, steps: tuple[str, ...]) -> Lines:
        """Tell the steps that have been taken, a line each."""
        told = (described(step, self.scene) for step in steps)
        return [
            Text(line)
            for one in told
            for line in wrap(f"- {one}", self.out.width, subsequent_indent="  ")
        ]

    def _listed(self, branch: Branch, offered: list[Choice]) -> Lines:
        number, longest, moves = len(self.way), branch.longest, len(branch.moves)
        head = f"Step {number} of {longest}" if number < longest else f"Step {number}, the last"
        return [
            Text(f"{head} ({moves} move{'' if moves == 1 else 's'} left)", QUIET),
            *listed(offered, self.out.width),
        ]


def _unclear(typed: str, meant: list[Choice]) -> str:
    if not meant:
        return f"There is no {typed!r} among the choices. Enter shows them again."
    names = " or ".join(f"{one.number} ({one.label})" for one in meant)
    return f"{typed!r} may be {names}: type the number."
