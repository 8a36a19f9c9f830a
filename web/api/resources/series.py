"""Series: several matches of the same two players, with one score."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema, validate

from domain.match.series import DECIDED, TIES
from services.lobby.lists import STATUSES
from services.lobby.series import SeriesFilter, series_json
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, route
from web.api.paging import PageQuerySchema, answer_json_page, make_page_schema
from web.api.resources.exports import answer_file, format_verifier_link
from web.api.resources.matches import ResultSchema
from web.http.answers import NDJSON, answer_json


class SeriesQuerySchema(PageQuerySchema):
    """Which series."""

    player = fields.Text("Of the player of this name.")
    game = fields.Text("Of this game (a slug).")
    status = fields.Word(STATUSES)
    mine = fields.FlagParameter(
        "Your own, those that are not public among them.", load_default=False
    )


class TermsSchema(Schema):
    """How a series is played."""

    length = fields.whole("How many matches it has, before a tie adds some.")
    decided = fields.words("Whether it ends as soon as nobody can catch up.", *DECIDED)
    tie = fields.words("What a tie leads to.", *TIES)


class StandingSchema(Schema):
    """What a player has."""

    player = fields.text("The player's name; null: nobody has joined yet.", null=True)
    half_points = fields.whole("A win is two, a draw is one, what was forfeited counts as won.")


class MatchOfSeriesSchema(Schema):
    """A match of a series."""

    number = fields.whole("The first is 1.")
    match = fields.text("The match's id.")
    status = fields.words("What it is up to.", *STATUSES)
    result = fields.part(ResultSchema, null=True)


class SeriesSchema(Schema):
    """A series, as the ends of its matches have it."""

    id = fields.text("That of its first match.", example="7m2kq9x4tbw0ed5r")
    game = fields.text("The game's slug.")
    terms = fields.part(TermsSchema)
    status = fields.words(
        "As of a match: it waits for its second player, goes on, is decided, or ended undecided.",
        *STATUSES,
    )
    players = fields.many(StandingSchema, validate=validate.Length(2, 2))
    matches = fields.many(MatchOfSeriesSchema, "In order; one that goes on is the last.")
    champion = fields.text(
        "The name of who has won it; null: nobody yet, or the first place is shared.", null=True
    )


TAG = "Series"


@route("GET", "/series", TAG, OPEN)
@asks(SeriesQuerySchema())
@gives(
    200,
    make_page_schema(SeriesSchema, "series", "SeriesPage"),
    "A page of series, the newest first.",
)
def list_series(call: Call) -> Response:
    """List series.

    Public ones; with `mine=true` all of the caller's own.
    """
    query = call.query
    choice = SeriesFilter(query["game"], query["status"], query["player"], query["mine"])
    page = call.house.series.list_series(call.look, choice, **call.paging)
    return answer_json_page("series", page, series_json)


@route("GET", "/series/<series_id>", TAG, OPEN)
@gives(200, SeriesSchema(), "The series.")
def show_series(call: Call, series_id: str) -> Response:
    """Show a series: its score, its matches, and its champion."""
    return answer_json(series_json(call.house.series.show(call.look, series_id)))


@route("GET", "/series/<series_id>/export", TAG, OPEN)
@gives(
    200,
    None,
    "A download: the matches of the series in order, each as the caller may see it.",
    *("ETag", "Content-Disposition", "Link"),
    kinds=(NDJSON,),
)
def export_series(call: Call, series_id: str) -> Response:
    """Export a series.

    `plybook verify` proves its champion from this file alone, and it can be imported elsewhere.
    """
    ids = call.house.series.list_match_ids(call.look, series_id)
    made = call.house.exports.export_some(call.look, ids, f"plybook-series-{ids[0]}")
    answer = answer_file(made.chunks, name=made.name, kind=made.kind, tag=made.tag)
    answer.headers["Link"] = format_verifier_link()
    return answer
