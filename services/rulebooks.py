"""The rule books that players read, kept beside the rules."""

from __future__ import annotations

from importlib.resources import files

from domain.game.game import AnyGame


def read_rulebook(game: AnyGame) -> str:
    """Return a game's rule book (Markdown), of the version of its rules that is asked for.

    The newest version's is ``rulebook.md``; an older one keeps its own beside it, as
    ``rulebook-<rules_version>.md``.
    """
    package = files("domain.games") / game.slug.replace("-", "_")
    own = package / f"rulebook-{game.rules_version}.md"
    book = own if own.is_file() else package / "rulebook.md"
    return book.read_text(encoding="utf-8")
