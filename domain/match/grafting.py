"""Conditional moves put together from what a person enters: one line after the other."""

from __future__ import annotations

from collections.abc import Sequence

from domain.errors import InvalidConditionalMoves
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.conditional import Line, Lines, behind


def line_of(moves: Sequence[tuple[int, JsonObject]], seat: int) -> Lines:
    """Return the line of ``seat`` that a sequence of moves is, each with the seat that makes it.

    Moves of its own at the beginning are those that it makes by hand first. Raises
    ``InvalidConditionalMoves`` unless it ends with a move of ``seat`` that answers one.

    >>> a, b, c = ({"steps": steps} for steps in (1, 2, 3))
    >>> line_of([(1, a), (2, b), (1, c)], 1) == behind((a,), (Line(b, (c,)),))
    True
    """
    first = next((at for at, (mover, _) in enumerate(moves) if mover != seat), len(moves))
    lines: Lines = ()
    answers: list[JsonObject] = []
    for mover, move in reversed(moves[first:]):
        if mover == seat:
            answers.insert(0, move)
        elif answers or lines:
            lines, answers = (Line(move, tuple(answers), lines),), []
        else:
            raise InvalidConditionalMoves(say("A line ends with a move of yours."))
    if not lines:
        raise InvalidConditionalMoves(
            say("A line answers a move of your opponent's with one of yours.")
        )
    return behind(tuple(move for _, move in moves[:first]), lines)


def joined(lines: Lines, more: Lines) -> Lines:
    """Return lines with others among them.

    Raises ``InvalidConditionalMoves`` where both answer the same move, and differently.
    """
    found = list(lines)
    for line in more:
        at = next((at for at, one in enumerate(found) if one.when == line.when), None)
        if at is None:
            found.append(line)
            continue
        there = found[at]
        if there.then != line.then:
            raise InvalidConditionalMoves(
                say("You answer that move already, and differently. Remove that line first.")
                if line.when
                else say("Your lines begin behind another move of yours. Remove them first.")
            )
        found[at] = there._replace(next=joined(there.next, line.next))
    return tuple(found)


def under(lines: Lines, label: str, more: Lines) -> Lines | None:
    """Return ``more`` as it stands behind the line of a label; None: there is no such line.

    >>> one = Line({"steps": 1}, ({"steps": 2},))
    >>> under((one,), "1", (Line({"steps": 3}, ({"steps": 3},)),))[0].next[0].when
    {'steps': 3}
    """
    number, _, rest = label.partition(".")
    if not (number.isascii() and number.isdecimal()) or not 1 <= int(number) <= len(lines):
        return None
    line = lines[int(number) - 1]
    following = under(line.next, rest, more) if rest else more
    return None if following is None else (line._replace(next=following),)
