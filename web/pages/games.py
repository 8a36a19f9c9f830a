"""A game's page: its rule book."""

from __future__ import annotations

from flask import Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from services.rulebooks import rulebook
from web.pages.answers import answer_page
from web.site import this_site

# Raw HTML in a rule book stays text.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def show_game(slug: str) -> Response:
    """Show a game's rule book, in the newest version of its rules. Raises ``UnknownGame``."""
    game = this_site().house.games.get(slug)
    book = Markup(_MARKDOWN.render(rulebook(game)))  # noqa: S704 - HTML in it is escaped
    return answer_page("game.html", game=game, book=book)
