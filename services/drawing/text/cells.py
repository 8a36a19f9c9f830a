"""One space of a board as text: what lies on it, and why it stands out.

Nothing is told by colour alone: owners are letters, marks are shapes (``>A<`` is the
last move), and colour comes on top where a terminal has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from rich.text import Text

from domain.game.scene import LETTERS, Mark, Scene, Space, Token

OWNER_STYLES = {1: "bold cyan", 2: "bold yellow"}
QUIET = "dim"


class CellSign(NamedTuple):
    """A mark's shape: around something (``before``, ``after``), or ``alone`` on an empty space."""

    before: str
    after: str
    alone: str
    meaning: str


SIGNS = {
    Mark.LAST: CellSign(">", "<", "", "last move"),
    Mark.CAPTURED: CellSign("*", "*", "*", "captured here"),
    Mark.LEFT: CellSign(".", ".", ".", "left by the last move"),
    Mark.LOOSE: CellSign("~", "~", "~", "cut off"),
    Mark.CLOSED: CellSign("#", "#", "#", "closed"),
    Mark.REACH: CellSign("+", "+", "+", "in reach"),
}
"""Marks in the order of their importance: two show at most, one on each side."""


NO_SIGN = CellSign(" ", " ", "", "")


class TextCell(NamedTuple):
    """A space as text: ``before`` and ``after`` are one character each."""

    before: str
    content: str
    after: str
    style: str


def has_letter(token: Token) -> bool:
    """Say whether a token's own text tells its owner by a letter (``A3``, ``A``)."""
    letter = LETTERS.get(token.owner or 0)
    if letter is None:
        return False
    # A piece that is worth nothing has no other text; that of a card may be a letter, too.
    alone = token.value is None and token.text == letter
    return alone or re.fullmatch(f"{letter}[0-9]+", token.text) is not None


def uses_letters(spaces: Iterable[Space]) -> bool:
    """Say whether any token among ``spaces`` shows its owner as a letter, or should."""
    return any(token.owner is not None for space in spaces for token in space.tokens)


def format_token(token: Token, *, lettered: bool) -> str:
    """Write a token, ``lettered`` behind its owner's letter; that of a face-down card is small."""
    text = token.text
    if lettered and token.owner is not None and not has_letter(token):
        text = f"{LETTERS[token.owner]}{text}"
    return text.lower() if token.face_down else text


def make_cell(space: Space, *, lettered: bool) -> TextCell:
    """Return a space as text."""
    marks = marks_of(space)
    if space.tokens:
        content = "/".join(format_token(token, lettered=lettered) for token in space.tokens)
        first, second = (SIGNS[marks[0]], SIGNS[marks[:2][-1]]) if marks else (NO_SIGN, NO_SIGN)
        return TextCell(first.before, content, second.after, _choose_style(space, marks))
    alone = "".join(SIGNS[mark].alone for mark in marks) + format_closure(space)
    before, after = (">", "<") if Mark.LAST in marks else (" ", " ")
    return TextCell(before, alone, after, _choose_style(space, marks))


def marks_of(space: Space) -> list[Mark]:
    """Return the marks of a space and of the token on top, the most important first."""
    marks = space.marks | (space.tokens[-1].marks if space.tokens else frozenset())
    return [mark for mark in SIGNS if mark in marks]


def format_closure(space: Space) -> str:
    """Write to whom an empty space is closed: ``#1``, ``#2``; nothing if to nobody."""
    if not space.closed_to or Mark.CLOSED in space.marks:
        return ""
    return "#" if len(space.closed_to) > 1 else f"#{space.closed_to[0]}"


def _choose_style(space: Space, marks: list[Mark]) -> str:
    owner = space.tokens[-1].owner if space.tokens else space.owner
    style = OWNER_STYLES.get(owner or 0, "" if space.tokens else QUIET)
    return f"{style} reverse".strip() if Mark.LAST in marks and space.tokens else style


def centre(text: str, width: int) -> str:
    """Put ``text`` into the middle, or a little left of it."""
    return " " * ((width - len(text)) // 2) + text + " " * -((len(text) - width) // 2)


def draw_cell(one: TextCell, inner: int, *, roomy: bool = True) -> Text:
    """Draw a cell ``inner`` characters wide between its brackets.

    Roomy cells have a place for marks inside the brackets (``[>A<]``); in tight ones
    the marks take the brackets' place (``>A<``).
    """
    if roomy:
        text = f"{one.before}{centre(one.content, inner - 2)}{one.after}"
        return Text.assemble("[", (text, one.style), "]")
    opening = one.before if one.before.strip() else "["
    closing = one.after if one.after.strip() else "]"
    return Text.assemble(opening, (centre(one.content, inner), one.style), closing)


Lines = list[Text]
Ordered = TypeVar("Ordered")


class Sheet(NamedTuple):
    """The scene that a zone belongs to, the width there is, and how owners show.

    ``lettered``: tokens whose own text does not tell their owner get a letter. ``flipped``: the
    board is seen from its other side.
    """

    scene: Scene
    width: int
    lettered: bool
    flipped: bool = False

    def make_cell(self, space: Space) -> TextCell:
        """Return a space as text."""
        return make_cell(space, lettered=self.lettered)

    def order(self, places: Sequence[Ordered]) -> Sequence[Ordered]:
        """Return places in the order in which they are drawn."""
        return places[::-1] if self.flipped else places

    def has_link(self, one: Space | None, other: Space | None) -> bool:
        """Say whether a link joins two spaces."""
        if one is None or other is None:
            return False
        pair = {one.id, other.id}
        return any({link.source, link.target} == pair for link in self.scene.links)


def get_axis_name(names: tuple[str, ...], index: int, otherwise: str) -> str:
    """Return the name of a column or row; ``otherwise`` where the scene names none."""
    return names[index] if index < len(names) else otherwise
