"""The list of puzzles: by game and difficulty, with what this reader has done."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response, request
from markupsafe import Markup

from domain.match.views import build_scene
from domain.search.puzzles import EASIEST, HARDEST
from services.drawing.svg.thumbnails import draw_thumbnail
from services.puzzles.puzzles import PuzzleFilter, ShownPuzzle
from services.puzzles.stored import list_games
from web.pages.boards.boards import translate_scene, turn_to_seat
from web.pages.common.answers import answer_page
from web.pages.common.forms import link_pages, read_filters
from web.pages.common.visitors import find_visitor, player_of, read_puzzles_done
from web.site import get_site

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
    house = get_site().house
    chosen = read_filters(game=(), difficulty=LEVELS)
    page = house.puzzles.list_page(
        player_of(find_visitor()),
        PuzzleFilter(chosen["game"] or None, int(chosen["difficulty"] or 0) or None),
        limit=PER_PAGE,
        cursor=request.args.get("cursor") or None,
    )
    done = read_puzzles_done()
    return answer_page(
        "puzzles/lists.html",
        own=bool(done),
        cards=[_make_card(one, done) for one in page.listed],
        chosen=chosen,
        levels=LEVELS,
        playable=[game for game in house.games if game.slug in list_games(house.games)],
        filtered=any(chosen.values()),
        **link_pages(page, chosen),
    )


def _make_card(puzzle: ShownPuzzle, done: dict[str, str]) -> PuzzleCard:
    scene = build_scene(puzzle.view)
    picture = None
    if scene is not None:
        own = turn_to_seat(translate_scene(scene), puzzle.view.game, puzzle.seat)
        picture = draw_thumbnail(own, f"p-{puzzle.id}")
    mark = puzzle.mark or done.get(puzzle.id)
    return PuzzleCard(puzzle, picture, bool(scene and scene.trails), mark)
