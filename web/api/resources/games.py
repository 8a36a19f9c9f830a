"""The games that can be played, their options and their rules."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from domain.game.game import AnyGame
from domain.game.options import build_schema
from domain.json_types import JsonObject
from services.first_seat import find_usual
from services.rulebooks import read_rulebook
from web.api import fields
from web.api.operations import Call, asks, gives, route
from web.api.paging import make_list_schema
from web.http.answers import SHARED, answer_json
from web.http.inputs import QuerySchema


class GameQuerySchema(QuerySchema):
    """Which version of a game's rules."""

    rules_version = fields.WholeParameter("An older version of the rules.", 1)


class GameInShortSchema(Schema):
    """A game in a list."""

    slug = fields.text("The name in addresses and requests.", example="path-capture")
    name = fields.text("The name for people.")
    rules_version = fields.whole("The newest version of its rules.")
    summary = fields.text("The game in a sentence.")


class FirstSeatSchema(Schema):
    """How who begins has done in matches of the house against itself, with the usual options."""

    per_mille = fields.whole("Of all points, a draw being half of one.", example=550)
    matches = fields.whole("In so many matches.")
    level = fields.whole("The level of the house that played both seats.")


class GameSchema(GameInShortSchema):
    """A game in full."""

    options = fields.an_object("JSON Schema of the options of a match, with their defaults.")
    settings = fields.an_object("JSON Schema of what a seat may bring along.")
    rules = fields.text("The rule book, in Markdown.")
    first_seat = fields.part(
        FirstSeatSchema,
        "What it is worth to begin; null: not measured with these rules.",
        null=True,
    )


TAG = "Games"


@route("GET", "/games", TAG)
@gives(200, make_list_schema(GameInShortSchema, "games"), "All games.")
def list_games(call: Call) -> Response:
    """List the games."""
    listed = [_shorten(game) for game in call.house.games]
    return answer_json({"games": listed}, cache=SHARED)


@route("GET", "/games/<slug>", TAG)
@asks(GameQuerySchema())
@gives(200, GameSchema(), "The game with its options, settings and rule book.")
def show_game(call: Call, slug: str) -> Response:
    """Show a game."""
    game = call.house.games.get(slug, call.query["rules_version"])
    shown = {
        **_shorten(game),
        "options": build_schema(game.options),
        "settings": build_schema(game.settings),
        "rules": read_rulebook(game),
        "first_seat": _find_first_seat(game) if game is call.house.games.get(slug) else None,
    }
    return answer_json(shown, cache=SHARED)


def _find_first_seat(game: AnyGame) -> JsonObject | None:
    found = find_usual(game.slug)
    if found is None:
        return None
    return {"per_mille": found.per_mille, "matches": found.matches, "level": found.level}


def _shorten(game: AnyGame) -> JsonObject:
    return {name: getattr(game, name) for name in GameInShortSchema().fields}
