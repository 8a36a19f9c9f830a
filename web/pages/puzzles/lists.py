"""The list of puzzles: by game and difficulty, with what this reader has done."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response, request
from markupsafe import Markup

from domain.match.views import drawn
from domain.search.puzzles import EASIEST, HARDEST
from services.drawing.svg.thumbnails import thumbnail
from services.puzzles.puzzles import PuzzleFilter, ShownPuzzle
from services.puzzles.stored import known
from web.pages.boards.boards import facing, in_language
from web.pages.common.answers import answer_page
from web.pages.common.forms import filters, leafing
from web.pages.common.visitors import player_of, puzzles_done, visitor
from web.site import this_site

PER_PAGE = 12

LEVELS = tuple(str(level) for level in range(EASIEST, HARDEST + 1))


class PuzzleCard(NamedTuple):
    """A puzzle of the list; ``mark``: what the reader has done with it."""

    puzzle: ShownPuzzle
    picture: Markup | None
    night: bool
    mark: str | None


def show_puzzles() -> Response:
    """Show puzzles, the easiest first, filtered as the address says.

    Raises ``InvalidRequest`` for a value or cursor that cannot be, and ``UnknownGame``.
    """
    house = this_site().house
    chosen = filters(game=(), difficulty=LEVELS)
    page = house.puzzles.page(
        player_of(visitor()),
        PuzzleFilter(chosen["game"] or None, int(chosen["difficulty"] or 0) or None),
        limit=PER_PAGE,
        cursor=request.args.get("cursor") or None,
    )
    done = puzzles_done()
    return answer_page(
        "puzzles/lists.html",
        own=bool(done),
        cards=[_card(one, done) for one in page.listed],
        chosen=chosen,
        levels=LEVELS,
        playable=[game for game in house.games if game.slug in known(house.games)],
        filtered=any(chosen.values()),
        **leafing(page, chosen),
    )


def _card(puzzle: ShownPuzzle, done: dict[str, str]) -> PuzzleCard:
    scene = drawn(puzzle.view)
    picture = None
    if scene is not None:
        own = facing(in_language(scene), puzzle.view.game, puzzle.seat)
        picture = thumbnail(own, f"p-{puzzle.id}")
    mark = puzzle.mark or done.get(puzzle.id)
    return PuzzleCard(puzzle, picture, bool(scene and scene.trails), mark)
