"""Entering a move step by step: what it is made of, one choice after the other.

Choices are numbered. One whose name is a number keeps that number (a card of 9 is chosen by 9,
the node 5 by 5); the others are counted from above these, so that no number means two things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from textwrap import wrap
from typing import NamedTuple

from rich.text import Text

from cli.terminal.output import Output
from domain.game.move_tree import Candidate, MoveTree
from domain.game.scene import Scene, Shape, Space, Zone
from services.drawing.text.cells import QUIET, Lines

GAP = 3
COLUMNS_FROM = 2
"""Choices are set in columns where at least so many fit."""

PLAIN = "Moves"
"""The title over choices that are whole moves, and over steps that the scene does not show."""


class NumberedChoice(NamedTuple):
    """Something to choose. ``name`` is short; ``label`` says in words what it is."""

    id: str
    number: int
    name: str
    label: str
    title: str


def number_choices(ids: Iterable[str], scene: Scene) -> list[NumberedChoice]:
    """Name and number the steps ``ids``, zone by zone in the order of the scene."""
    places = _map_places(scene)
    wanted = sorted(ids, key=lambda one: places[one][0] if one in places else len(places))
    names = Counter(map(shorten, wanted))
    numbers = (name for name, often in names.items() if often == 1 and name.isdecimal())
    own = {name: int(name) for name in numbers if name == str(int(name))}
    free = count(max(own.values(), default=0) + 1)
    return [
        NumberedChoice(
            one,
            own[shorten(one)] if shorten(one) in own else next(free),
            shorten(one),
            *_label_step(one, places),
        )
        for one in wanted
    ]


def shorten(step: str) -> str:
    """Return the name of an id inside its kind.

    >>> shorten("cell:2,0")
    '2,0'
    """
    return step.rpartition(":")[2]


def find(offered: Sequence[NumberedChoice], typed: str) -> list[NumberedChoice]:
    """Return what was meant: by number, name, id or label. Several: it is not clear which."""
    meant = _simplify(typed)
    for called in ("number", "id", "name", "label"):
        found = [one for one in offered if _simplify(str(getattr(one, called))) == meant]
        if found:
            return found
    return []


def _simplify(text: str) -> str:
    return "".join(text.casefold().split()).strip("()#.")


def format_choices(offered: Sequence[NumberedChoice], width: int) -> Lines:
    """List choices under the titles of their zones, short ones in columns."""
    lines: Lines = []
    digits = max((len(str(one.number)) for one in offered), default=1)
    for title in dict.fromkeys(one.title for one in offered):
        lines.append(Text(title, "bold"))
        group = [one for one in offered if one.title == title]
        lines += _format_columns(group, digits, width)
    return lines


def describe_step(step: str, scene: Scene) -> str:
    """Say in words what a step is, with the zone that it lies in; of equal cards, one."""
    places = _map_places(scene)
    label, title = _label_step(step, places)
    if step in places:
        _, zone, space = places[step]
        if zone.shape is Shape.HAND and len(space.tokens) > 1:
            label = space.tokens[-1].label
    return label if title == PLAIN else f"{title}: {label}"


def _format_columns(group: Sequence[NumberedChoice], digits: int, width: int) -> Iterator[Text]:
    entries = [f"{one.number:>{digits + 1}}  {one.label}" for one in group]
    widest = max(map(len, entries)) + GAP
    each = (width + GAP) // widest
    if each < COLUMNS_FROM:
        for entry in entries:
            yield from map(Text, wrap(entry, width, subsequent_indent=" " * (digits + 3)))
        return
    for start in range(0, len(entries), each):
        row = "".join(entry.ljust(widest) for entry in entries[start : start + each])
        yield Text(row.rstrip())


def _map_places(scene: Scene) -> dict[str, tuple[int, Zone, Space]]:
    """Return where every id of a scene is, in the order in which it is drawn."""
    places = [(zone, space) for zone in scene.zones for space in zone.spaces]
    return {space.id: (at, zone, space) for at, (zone, space) in enumerate(places)}


def _label_step(step: str, places: dict[str, tuple[int, Zone, Space]]) -> tuple[str, str]:
    """Return label and title of a step; of one that the scene lacks, what its id says."""
    if step not in places:
        return step.replace(":", " "), PLAIN
    _, zone, space = places[step]
    if not space.tokens or zone.shape is Shape.HAND:
        return space.label, zone.title
    return f"{space.label}: {', '.join(token.label for token in space.tokens)}", zone.title


HOW = "Answer with a number or a name; or: back, cancel, Enter for the list again."
SURE = "Play it? [y, back, cancel] "

_YES, _BACK, _CANCEL = ("y", "yes"), ("back", "b"), ("cancel", "c", "n", "no")
_AGAIN = ("", "?", "step")


class MoveEntry:
    """One move being entered: the branches on the way to it, the present one last.

    ``ask`` shows a prompt and reads a line. ``warn`` says why a move may be regretted.
    """

    def __init__(
        self,
        root: MoveTree,
        scene: Scene,
        out: Output,
        ask: Callable[[str], str],
        warn: Callable[[Candidate], str | None] = lambda _: None,
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

    def _choose(self, branch: MoveTree) -> None:
        """List what may come next, and go where one answer leads."""
        whole = {one.text: one for one in branch.complete}
        offered = number_choices([*branch.steps, *whole], self.scene)
        self.out.say(*self._describe_steps(branch.taken), *self._format_branch(branch, offered))
        while True:
            typed = self.ask(f"step {len(self.way)}> ").strip()
            if self._leads_back(typed):
                return
            if typed.lower() in _AGAIN:
                self.out.say(*self._format_branch(branch, offered))
                continue
            meant = find(offered, typed)
            if len(meant) == 1:
                step = meant[0].id
                known = step in branch.steps
                self.way.append(branch.take(step) if known else branch.settle(whole[step]))
                return
            self.out.say(_describe_unclear(typed, meant))

    def _is_confirmed(self, move: Candidate) -> bool:
        """Show a move and ask whether to play it; every other answer leads back or away."""
        self.out.say(*self._describe_steps(move.path), Text(f"The move is: {move.text}", "bold"))
        warning = self.warn(move)
        if warning is not None:
            self.out.say(Text(f"Careful: {warning}", "bold"))
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

    def _describe_steps(self, steps: tuple[str, ...]) -> Lines:
        """Tell the steps that have been taken, a line each."""
        told = (describe_step(step, self.scene) for step in steps)
        return [
            Text(line)
            for one in told
            for line in wrap(f"- {one}", self.out.width, subsequent_indent="  ")
        ]

    def _format_branch(self, branch: MoveTree, offered: list[NumberedChoice]) -> Lines:
        number, longest, moves = len(self.way), branch.longest, len(branch.moves)
        head = f"Step {number} of {longest}" if number < longest else f"Step {number}, the last"
        return [
            Text(f"{head} ({moves} move{'' if moves == 1 else 's'} left)", QUIET),
            *format_choices(offered, self.out.width),
        ]


def _describe_unclear(typed: str, meant: list[NumberedChoice]) -> str:
    if not meant:
        return f"There is no {typed!r} among the choices. Enter shows them again."
    names = " or ".join(f"{one.number} ({one.label})" for one in meant)
    return f"{typed!r} may be {names}: type the number."
