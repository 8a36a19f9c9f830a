"""Ratings: leaderboards per game, and what each match did to a player."""

from __future__ import annotations

import csv
from io import StringIO

from flask import Response
from marshmallow import Schema

from services.exchange.table import guard_cell
from services.lobby.lists import LIMIT, MOST
from services.ratings.leaderboards import COLUMNS, change_json, list_cells, ranked_json
from services.store.ratings import RatingChange
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, route
from web.api.paging import PageQuerySchema, answer_json_page, make_page_schema
from web.api.resources.matches import RatingSchema
from web.http.answers import BY_CALLER, JSON, answer_bytes, format_next_link

CSV = "text/csv"


class RankedSchema(Schema):
    """A player on a leaderboard."""

    rank = fields.whole("From 1 on.")
    player = fields.text("The player's name.")
    rating = fields.whole("In hundredths of a point.")
    deviation = fields.whole("In hundredths of a point; the larger, the less sure.")
    matches = fields.whole("How many rated matches that are.")
    last_at = fields.instant("When the last of them ended.")


class HistoryQuerySchema(PageQuerySchema):
    """Which page of a history, in which format."""

    format = fields.Word(("json", "csv"), "Otherwise what `Accept` likes best.")
    limit = fields.WholeParameter(
        f"As JSON {LIMIT} unless you say otherwise; as CSV all that there are.", 1, MOST
    )


class RatingChangeSchema(Schema):
    """What a match did to a rating."""

    match = fields.text("The match's id.")
    at = fields.instant("When it ended.")
    seat = fields.seat("The player's seat.")
    opponent = fields.text("The other player's name.")
    half_points = fields.whole("2: won, 1: drawn, 0: lost.")
    before = fields.part(
        RatingSchema, "As it was computed with: less sure after days without a match."
    )
    after = fields.part(RatingSchema, "After the match.")


TAG = "Ratings"
VARY = f"Accept, {BY_CALLER}"


@route("GET", "/ratings/<game>", TAG, OPEN)
@asks(PageQuerySchema())
@gives(200, make_page_schema(RankedSchema, "players", "Leaderboard"), "The highest rating first.")
def list_ratings(call: Call, game: str) -> Response:
    """List the players of a game by their ratings.

    Those with at least 5 rated matches, the last of which ended within 90 days.
    """
    page = call.house.leaderboards.list_ranked(game, **call.paging)
    return answer_json_page("players", page, ranked_json)


@route("GET", "/players/<name>/ratings/<game>", TAG, OPEN)
@asks(HistoryQuerySchema())
@gives(
    200,
    make_page_schema(RatingChangeSchema, "ratings", "RatingHistory"),
    "A row a match, the oldest first.",
    kinds=(JSON, CSV),
)
def show_rating_history(call: Call, name: str, game: str) -> Response:
    """Show what each rated match of a game did to a player."""
    player, boards = call.house.accounts.get_by_name(name).id, call.house.leaderboards
    wanted = call.query["format"] or ("json" if call.kind == JSON else "csv")
    limit, cursor = call.query["limit"], call.query["cursor"]
    if wanted == "csv":
        page = boards.list_history(player, game, limit=limit, cursor=cursor)
        kind = f"{CSV}; charset=utf-8"
        answer = answer_bytes(_format_table(page.listed), kind=kind, vary=VARY)
        if page.next_cursor is not None:
            answer.headers["Link"] = format_next_link(cursor=page.next_cursor)
        return answer
    page = boards.list_history(player, game, limit=limit or LIMIT, cursor=cursor)
    return answer_json_page("ratings", page, change_json, vary=VARY)


def _format_table(changes: list[RatingChange]) -> bytes:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([guard_cell(str(cell)) for cell in list_cells(one)] for one in changes)
    return text.getvalue().encode()
