"""Why a step leads nowhere: the move that it would have been, for the rules to be asked about."""

from __future__ import annotations

from domain.game.move_tree import Branch


def tried(branch: Branch, step: str) -> str | None:
    """Return the notation of the move that a forbidden step would have been, None if nobody knows.

    A game writes its moves alike. Where a legal move turns into another legal one when the name
    of another step is put in the place of its own, the name of the forbidden step turns it into
    what was tried. So no game has to say how its steps make a move.
    """
    kind = _kind(step)
    alike = [
        (_name(other), one.text)
        for other, moves in branch.steps.items()
        if _kind(other) == kind
        for one in moves
    ]
    legal = {one.text for one in branch.moves}
    names = {name for name, _ in alike}
    for name, text in alike:
        if text.count(name) != 1:
            continue
        if any(text.replace(name, other) in legal for other in names - {name}):
            return text.replace(name, _name(step))
    return None


def _kind(step: str) -> str:
    return step.partition(":")[0]


def _name(step: str) -> str:
    return step.partition(":")[2]
