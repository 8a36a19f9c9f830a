"""A game's page: its rule book, with drawn examples, and what to do with it."""

from __future__ import annotations

from typing import NamedTuple

from flask import Response

from domain.game.game import AnyGame
from domain.match.views import drawn
from seeds.examples import examples
from services.lobby.lists import Filters
from services.matches.queries import Look
from services.rulebooks import rulebook
from web.pages.boards.boards import Board, draw_boards
from web.pages.boards.cards import cards
from web.pages.common.answers import answer_page
from web.pages.rulebooks import book_page
from web.site import this_site

_FEW = 3


class Drawn(NamedTuple):
    """An example: the boards of a moment, and what has just happened."""

    boards: list[Board]
    text: str


def show_game(slug: str) -> Response:
    """Show a game's rule book, in the newest version of its rules. Raises ``UnknownGame``."""
    house = this_site().house
    game = house.games.get(slug)
    played = Filters(game=slug, played_out=True)
    return answer_page(
        "game.html",
        game=game,
        book=book_page(rulebook(game)),
        examples=_examples(game),
        gallery=cards(house.lobby.matches(Look(), played, limit=_FEW).matches),
    )


def _examples(game: AnyGame) -> list[Drawn]:
    found = []
    for number, one in enumerate(examples(game.slug)):
        scene = drawn(one.view)
        if scene is not None:
            found.append(Drawn(draw_boards(scene, prefix=f"e{number}-").main, one.text))
    return found
