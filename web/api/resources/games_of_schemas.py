"""Games."""

from __future__ import annotations

from marshmallow import fields

from web.api.fields import WholeParameter
from web.http.base import Query, Shown, anything, text, whole


class GameQuery(Query):
    """Which version of a game's rules."""

    rules_version = WholeParameter(
        1, load_default=None, metadata={"description": "An older version of the rules."}
    )


class GameInShort(Shown):
    """A game in a list."""

    slug = text("The name in addresses and requests.", example="path-capture")
    name = text("The name for people.")
    rules_version = whole("The newest version of its rules.")
    summary = text("The game in a sentence.")


class Games(Shown):
    """All games."""

    games = fields.List(fields.Nested(GameInShort), required=True)


class Game(GameInShort):
    """A game in full."""

    options = anything("JSON Schema of the options of a match, with their defaults.", type="object")
    settings = anything("JSON Schema of what a seat may bring along.", type="object")
    rules = text("The rule book, in Markdown.")
