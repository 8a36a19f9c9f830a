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
    return answer_page("game.html", game=game, book=_page(rulebook(game)))


def _page(book: str) -> Markup:
    """Return Markdown as HTML; what may be too wide can be scrolled by keyboard too."""
    page: str = _MARKDOWN.render(book)
    for tag in ("pre", "table"):
        page = page.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return Markup(page)  # noqa: S704 - HTML in the book is escaped
