"""Players as everybody may know them: found by name, with their records."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from domain.json_types import JsonObject
from domain.match.house_players import level_of
from services.accounts.profiles import Profile
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, route
from web.api.paging import PageQuerySchema, answer_json_page, make_page_schema
from web.api.resources.matches import RatingSchema
from web.api.resources.people.accounts import TAG, PlayerSchema
from web.http.answers import answer_json


class PlayersQuerySchema(PageQuerySchema):
    """Which players."""

    prefix = fields.Text(
        "How the name begins, whatever its case; empty: anyhow.", 0, 100, load_default=""
    )


class RecordSchema(Schema):
    """How public matches of a game have gone that a player has played here to an end."""

    game = fields.text("The game's slug.")
    played = fields.whole("How many there are.")
    won = fields.whole("How many were won,")
    lost = fields.whole("lost,")
    drawn = fields.whole("and drawn.")


class RatingOfGameSchema(RatingSchema):
    """A player's rating in a game. A house player's is fixed, and has no matches."""

    game = fields.text("The game's slug.")
    provisional = fields.flag("Whether it says little yet.")
    matches = fields.whole("How many rated matches it rests on.")
    last_at = fields.instant("When the last of them ended; null: there is none.", null=True)


class ProfileSchema(PlayerSchema):
    """A player, with what everybody may know of them."""

    display_name = fields.text(
        "What people read in the place of the name, in any script; null: nothing else.", null=True
    )
    house = fields.whole("The level of a house player; null: a person.", null=True)
    record = fields.many(
        RecordSchema, "By game; only those that were played. Empty of who keeps it to themselves."
    )
    ratings = fields.many(
        RatingOfGameSchema, "By game; only those in which a rated match has ended."
    )


@route("GET", "/players", TAG, OPEN)
@asks(PlayersQuerySchema())
@gives(
    200, make_page_schema(ProfileSchema, "players", "Profiles"), "Players by their folded names."
)
def list_players(call: Call) -> Response:
    """Find players.

    By how their names begin. Closed accounts are not among them.
    """
    page = call.house.profiles.search(call.query["prefix"], **call.paging)
    return answer_json_page("players", page, _profile_json)


@route("GET", "/players/<name>", TAG, OPEN)
@gives(200, ProfileSchema(), "The player.")
def show_player(call: Call, name: str) -> Response:
    """Show a player.

    Under their name, whatever its case. Matches that are not public are in no record.
    """
    return answer_json(_profile_json(call.house.profiles.get_by_name(name)))


def _profile_json(profile: Profile) -> JsonObject:
    record = [{**one._asdict(), "played": one.played} for one in profile.records]
    return {
        **profile.player._asdict(),
        "display_name": profile.chosen.display_name,
        "house": level_of(profile.player.id),
        "record": record,
        "ratings": [
            {
                "game": one.game,
                **one.rating._asdict(),
                "provisional": one.rating.provisional,
                "matches": one.matches,
                "last_at": one.last_at,
            }
            for one in profile.ratings
        ],
    }
