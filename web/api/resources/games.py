"""The games that can be played, their options and their rules."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from domain.game.game import AnyGame
from domain.game.options import schema
from domain.json_types import JsonObject
from services.rulebooks import rulebook
from web.api.fields import WholeParameter
from web.api.operations import Call, about, asks, gives, refuses, route
from web.http.answers import SHARED, json_answer
from web.http.inputs import AnswerSchema, QuerySchema, anything, text, whole_field


class GameQuerySchema(QuerySchema):
    """Which version of a game's rules."""

    rules_version = WholeParameter(
        1, load_default=None, metadata={"description": "An older version of the rules."}
    )


class GameInShortSchema(AnswerSchema):
    """A game in a list."""

    slug = text("The name in addresses and requests.", example="path-capture")
    name = text("The name for people.")
    rules_version = whole_field("The newest version of its rules.")
    summary = text("The game in a sentence.")


class GamesSchema(AnswerSchema):
    """All games."""

    games = fields.List(fields.Nested(GameInShortSchema), required=True)


class GameSchema(GameInShortSchema):
    """A game in full."""

    options = anything("JSON Schema of the options of a match, with their defaults.", type="object")
    settings = anything("JSON Schema of what a seat may bring along.", type="object")
    rules = text("The rule book, in Markdown.")


TAG = "Games"


def a_game(call: Call, slug: str) -> None:
    """Make sure that there is such a game. Raises ``UnknownGame``."""
    call.house.games.get(slug)


@route("GET", "/games", TAG)
@gives(200, GamesSchema(), "All games.")
def list_games(call: Call) -> Response:
    """List the games."""
    listed = [_in_short(game) for game in call.house.games]
    return json_answer({"games": listed}, cache=SHARED)


@route("GET", "/games/<slug>", TAG)
@about(a_game)
@asks(GameQuerySchema())
@gives(200, GameSchema(), "The game with its options, settings and rule book.")
@refuses("not-found")
def show_game(call: Call, slug: str) -> Response:
    """Show a game."""
    game = call.house.games.get(slug, call.query["rules_version"])
    shown = {
        **_in_short(game),
        "options": schema(game.options),
        "settings": schema(game.settings),
        "rules": rulebook(game),
    }
    return json_answer(shown, cache=SHARED)


def _in_short(game: AnyGame) -> JsonObject:
    return {
        "slug": game.slug,
        "name": game.name,
        "rules_version": game.rules_version,
        "summary": game.summary,
    }
