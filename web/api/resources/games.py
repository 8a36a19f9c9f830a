"""Games."""

from __future__ import annotations

from flask import Response

from domain.game.game import AnyGame
from domain.game.options import schema
from domain.json_types import JsonObject
from services.rulebooks import rulebook
from web.api.operations import Call, about, asks, gives, refuses, route
from web.api.resources import games_of_schemas as games
from web.http.answers import SHARED, json_answer

TAG = "Games"


def a_game(call: Call, slug: str) -> None:
    """Make sure that there is such a game. Raises ``UnknownGame``."""
    call.house.games.get(slug)


@route("GET", "/games", TAG)
@gives(200, games.Games(), "All games.")
def list_games(call: Call) -> Response:
    """List the games."""
    listed = [_in_short(game) for game in call.house.games]
    return json_answer({"games": listed}, cache=SHARED)


@route("GET", "/games/<slug>", TAG)
@about(a_game)
@asks(games.GameQuery())
@gives(200, games.Game(), "The game with its options, settings and rule book.")
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
