"""Rule books as HTML, in the language of the present page: paragraph by paragraph.

A paragraph, a heading, an item of a list, a cell of a table and a drawing with words in it are
each one text of the catalogues, with its Markdown; what is not translated stands there in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from web.texts import _

_WORD = re.compile(r"[^\W\d_]{2,}")
_FOLD = re.compile(r"\s*\n\s*")


def book_page(book: str) -> Markup:
    """Return Markdown as HTML; what may be too wide can be scrolled by keyboard too."""
    page: str = _MARKDOWN.render(book)
    for tag in ("pre", "table"):
        page = page.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return Markup(page)  # noqa: S704 - HTML in the book is escaped


def book_texts(book: str) -> Iterator[str]:
    """Yield what there is to translate in Markdown, each text on one line but for drawings."""
    return (_text(one) for one in _with_words(_MARKDOWN.parse(book)))


def _with_words(tokens: Sequence[Token]) -> Iterator[Token]:
    kinds = ("inline", "fence", "code_block")
    return (one for one in tokens if one.type in kinds and _WORD.search(one.content))


def _text(token: Token) -> str:
    return _FOLD.sub(" ", token.content) if token.type == "inline" else token.content


def _translate(state: StateCore) -> None:
    """Put translations in before what stands inside of paragraphs is looked at."""
    for token in _with_words(state.tokens):
        text = _text(token)
        found = _(text)
        if found != text:
            token.content = found


# Raw HTML in a rule book stays text.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.core.ruler.after("block", "language", _translate)
