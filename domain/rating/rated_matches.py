"""Which matches are rated: what can be asked for, and what counts in the end.

What counts follows from a match's events alone, so that everybody comes to the same ratings who
has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from domain.errors import UnknownGame
from domain.game.game import AnyGame
from domain.game.registry import Games
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.events import Event, MatchCreated, MatchEnded, MoveMade, SeatTaken
from domain.match.house_players import level_of
from domain.rating.house_levels import find_level_rating

PUBLIC = "public"


class Result(NamedTuple):
    """A match that counts: its players by seats (ids), who won (None: a draw), and when."""

    game: str
    players: tuple[str, str]
    winner: int | None
    created_at: str
    ended_at: str


def check_ratable(
    game: AnyGame, options: JsonObject, visibility: str, opponent: str | None = None
) -> str | None:
    """Say why such a match cannot be rated, or None. ``opponent``: an id."""
    if visibility != PUBLIC:
        return say("Only public matches can be rated: a rating is for everybody to check.")
    for option in game.options:
        if options.get(option.name) != option.default:
            return say(
                "Rated matches are played with a game's usual options, and this is another "
                "{option}.",
                option=option.name.replace("_", " "),
            )
    level = level_of(opponent)
    if level is not None and find_level_rating(game.slug, level) is None:
        return say(
            "How strong the house is in {game} has not been measured, so that matches against it "
            "cannot be rated.",
            game=game.name,
        )
    return None


def find_result(events: Iterable[Event], games: Games) -> Result | None:
    """Return the result of a finished match, of which these are all events, if it counts.

    It counts if it could be rated, was to be, and both seats have moved.
    """
    created: MatchCreated | None = None
    players, moved, created_at = {}, set[int](), ""
    for event in events:
        fact = event.fact
        if isinstance(fact, MatchCreated):
            created, created_at = fact, event.at
        elif isinstance(fact, SeatTaken):
            players[fact.seat] = fact.player
        elif isinstance(fact, MoveMade):
            moved.add(fact.seat)
        elif isinstance(fact, MatchEnded):
            if created is None or len(moved) < len(players) or not _is_rated(created, games):
                return None
            pair = players[1], players[2]
            return Result(created.game, pair, fact.winner, created_at, event.at)
    return None


def _is_rated(created: MatchCreated, games: Games) -> bool:
    if not created.rated:
        return False
    try:
        game = games.get(created.game, created.rules_version)
    except UnknownGame:
        return False
    return check_ratable(game, created.options, created.visibility, created.opponent) is None
