"""What an open match is about: how it begins on the board, and what whoever joins accepts."""

from __future__ import annotations

from typing import NamedTuple

from domain.game.scene import at_rest
from domain.match.state import OPEN
from domain.match.views import drawn
from seeds.examples import beginnings
from services.drawing.svg.thumbnails import thumbnail
from services.matches.match_json import ShownMatch
from web.pages.boards.boards import Board, draw_boards


class Terms(NamedTuple):
    """The boards of a match before its first move; ``by_chance``: chance may set them otherwise."""

    boards: list[Board]
    by_chance: bool


def terms(shown: ShownMatch) -> Terms | None:
    """Return how a match that is open will begin, None of one that has."""
    view = shown.view
    if view.status != OPEN:
        return None
    first, other = (drawn(one) for one in beginnings(view.game, view.options))
    if first is None or other is None:
        return Terms([], by_chance=False)
    # What chance decides beside the board, such as who begins, is not shown here.
    by_chance = thumbnail(first, "start") != thumbnail(other, "start")
    return Terms(draw_boards(at_rest(first), prefix="start-").main, by_chance)
