"""What to draw of Stones: a row of them, and what the last move took."""

from __future__ import annotations

from domain.game.game import Last
from domain.game.scene import Mark, Scene, Shape, Space, Token, Zone
from domain.i18n import say, say_many
from tests.new_game.stones.rules import MOST, Position, Take


def build_scene(position: Position, last: Last | None) -> Scene:
    """Describe the row: a move takes stones from its right end."""
    spaces = tuple(_space(position, number, last) for number in range(position.stones))
    return Scene(zones=(Zone("row", say("Stones"), Shape.LINE, spaces),))


def build_path(position: Position, move: Take) -> tuple[str, ...]:
    """Return the last stone that the move takes, counted from the right."""
    return (_id(position.left - move.number),)


def tell(_: Position, after: Position, last: Last) -> str:
    """Tell a move in a sentence."""
    return say_many(
        "P{seat} takes {number} stone; {left} left.",
        "P{seat} takes {number} stones; {left} left.",
        last.move["number"],
        seat=last.seat,
        left=after.left,
    )


def _id(number: int) -> str:
    return f"stone:{number}"


def _space(position: Position, number: int, last: Last | None) -> Space:
    marks = set()
    if last is not None and 0 <= number - position.left < last.move["number"]:
        marks.add(Mark.LAST)
    if position.left - MOST <= number < position.left:
        marks.add(Mark.REACH)
    label = say("stone {number}", number=number)
    stone = Token(f"token:{number}", "stone", "o", label)
    here = (stone,) if number < position.left else ()
    return Space(_id(number), number, 0, label, here, frozenset(marks))
