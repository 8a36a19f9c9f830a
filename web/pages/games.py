"""A game's page: its rule book, with drawn examples, and what to do with it.

Rule books are shown in the language of the present page, paragraph by paragraph. A paragraph, a
heading, an item of a list, a cell of a table and a drawing with words in it are each one text of
the catalogues, with its Markdown; what is not translated stands there in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flask import Response, request, url_for
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from domain.game.game import AnyGame
from domain.match.views import build_scene
from seeds.examples import list_examples
from services.first_seat import FirstSeat, load_first_seat
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from services.rulebooks import read_rulebook
from web.http.inputs import find_whole
from web.i18n import _
from web.pages.boards.boards import Board, draw_boards
from web.pages.boards.cards import list_cards
from web.pages.common.answers import answer_page
from web.pages.common.words import list_options
from web.site import get_site

_WORD = re.compile(r"[^\W\d_]{2,}")
_FOLD = re.compile(r"\s*\n\s*")


def render_book(book: str) -> Markup:
    """Return Markdown as HTML; what may be too wide can be scrolled by keyboard too."""
    page: str = _MARKDOWN.render(book)
    for tag in ("pre", "table"):
        page = page.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return Markup(page)  # noqa: S704 - HTML in the book is escaped


def iter_texts(book: str) -> Iterator[str]:
    """Yield what there is to translate in Markdown, each text on one line but for drawings."""
    return (text for _, text in _iter_texts(_MARKDOWN.parse(book)))


def _iter_texts(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    for one in tokens:
        if one.type in ("inline", "fence", "code_block") and _WORD.search(one.content):
            yield one, _FOLD.sub(" ", one.content) if one.type == "inline" else one.content


def _translate(state: StateCore) -> None:
    """Put translations in before what stands inside of paragraphs is looked at."""
    for token, text in _iter_texts(state.tokens):
        found = _(text)
        if found != text:
            token.content = found


# Raw HTML in a rule book stays text.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.core.ruler.after("block", "language", _translate)


def rules_url(game: AnyGame) -> str:
    """Return the address of the rules that a match goes by, be they the newest or older ones."""
    newest = get_site().house.games.get(game.slug).rules_version
    older = None if game.rules_version == newest else game.rules_version
    return url_for("pages.game", slug=game.slug, rules_version=older)


def show_game(slug: str) -> Response:
    """Show a game's rule book, in the newest version of its rules or in ``rules_version``.

    Raises ``UnknownGame``.
    """
    house = get_site().house
    newest = house.games.get(slug)
    asked = request.args.get("rules_version")
    game = newest if asked is None else house.games.get(slug, find_whole(asked) or 0)
    played = MatchFilter(game=slug, played_out=True)
    return answer_page(
        "games.html",
        game=game,
        newest=newest,
        book=render_book(read_rulebook(game)),
        examples=_draw_examples(game) if game is newest else [],
        advantages=_list_advantages(game) if game is newest else [],
        gallery=list_cards(Asker(), played, most=3),
    )


def _list_advantages(game: AnyGame) -> list[tuple[FirstSeat, str]]:
    """Return what it is worth to begin, each with the options that were not as usual, in words."""
    return [
        (one, ", ".join(f"{name}: {it}" for name, it in list_options(game, one.options)))
        for one in load_first_seat(game.slug)
    ]


def _draw_examples(game: AnyGame) -> list[tuple[list[Board], str]]:
    """Return drawn moments of a game, each with what has just happened."""
    scenes = [(build_scene(one.view), one.text) for one in list_examples(game.slug)]
    return [
        (draw_boards(scene, prefix=f"e{number}-").main, text)
        for number, (scene, text) in enumerate(scenes)
        if scene is not None
    ]
