"""Looks at matches: lists, one match with its clocks and offers, its legal moves."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema, post_load, validate

from domain.json_types import JsonObject
from domain.match.clock import build_pace_schema
from domain.match.series import DECIDED, TIES, build_terms_schema
from domain.match.views import MatchView, build_scene
from services.drawing.scene_json import scene_json
from services.lobby.lists import PACES, SORTS, STATUSES, MatchFilter
from services.matches.access import SIGHTS, VISIBILITIES
from services.matches.match_json import match_json
from services.store.ratings import Range
from web.api import fields
from web.api.operations import OPEN, PLAYERS, Call, asks, gives, refuses, route
from web.api.paging import PageQuerySchema, answer_json_page, make_page_schema
from web.http.answers import answer_json
from web.http.inputs import LARGEST, BodySchema, QuerySchema


class PlainOfferSchema(Schema):
    """Something that a seat proposes."""

    seat = fields.seat("Whose offer it is.")


class DrawOfferSchema(PlainOfferSchema):
    """A draw that a seat offers."""

    version = fields.whole("The version at which it was made.")


class TakebackOfferSchema(PlainOfferSchema):
    """A takeback that a seat asks for."""

    to_version = fields.whole("The version that the game is to go back to.")


class PauseOfferSchema(PlainOfferSchema):
    """A pause that a seat proposes."""

    days = fields.whole("How long both clocks are to stand.")


class OffersSchema(Schema):
    """Offers that wait for an answer; the last three are there only while they do."""

    draw = fields.part(DrawOfferSchema, null=True)
    takeback = fields.part(TakebackOfferSchema, null=True)
    pause = fields.part(PauseOfferSchema, always=False)
    resume = fields.part(PlainOfferSchema, always=False)
    abort = fields.part(PlainOfferSchema, always=False)


class SeatClockSchema(Schema):
    """The clock of a seat."""

    seat = fields.seat("The seat.")
    seconds = fields.whole("The time that it had at `since`, in whole seconds.")
    away_until = fields.instant("Until when it stands for a vacation.", null=True)


class ClockSchema(Schema):
    """The clocks of a match; they do not change by being looked at."""

    running = fields.seat("The seat whose clock it is; null: nobody is to act.", null=True)
    since = fields.instant("From when on the clock of `running` runs.")
    seats = fields.many(SeatClockSchema, validate=validate.Length(2, 2))
    paused_until = fields.instant("Until when both clocks stand by agreement.", null=True)
    time_is_up = fields.flag("Whether the deadline has passed; the match is about to be ended.")


AS = fields.Word(SIGHTS, "Show what this viewer sees (once the match is finished).", data_key="as")


def make_contribution_field() -> fields.Text:
    """Return the member by which a player contributes to the dice."""
    return fields.Text(
        "64 hex digits of your own for the dice.",
        0,
        200,
        form={"minLength": 64, "maxLength": 64, "pattern": "^[0-9a-fA-F]*$"},
        example="00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    )


class RatingRangeSchema(BodySchema):
    """Ratings, in hundredths of a point."""

    min = fields.WholeNumber("The least, in hundredths of a point.", load_default=0)
    max = fields.WholeNumber("The most, in hundredths of a point.", load_default=LARGEST)

    @post_load
    def read(self, data: JsonObject, **_: object) -> Range:
        """Return the range."""
        return Range(data["min"], data["max"])


class NewMatchSchema(BodySchema):
    """A match to create."""

    game = fields.Text("A game's slug.", required=True, example="path-capture")
    options = fields.Forwarded("As the game's `options` describes them.", load_default=dict)
    settings = fields.Forwarded("As the game's `settings` describes them.", load_default=dict)
    seat = fields.Seat("Your seat.")
    opponent = fields.Text(
        "The name of the player whom you challenge; or `house:1` to `house:5`: the house sits down "
        "at once, at that level. It accepts pauses, a draw once nothing can be decided, and in "
        "matches that are not rated a draw from 100 moves on, takebacks and to abort. Its settings "
        "are those of a seat that says nothing."
    )
    visibility = fields.Word(VISIBILITIES, load_default=VISIBILITIES[0])
    pace = fields.Forwarded(
        "How much time the seats have; null: as much as they want.",
        build_pace_schema(),
        example={"days_per_move": 3},
    )
    rated = fields.Flag(
        "Whether it counts for ratings: then it is public, with the game's usual options.",
        load_default=False,
    )
    rating_range = fields.Part(
        RatingRangeSchema, "Only who has such a rating may join; who is new has 150000."
    )
    series = fields.Forwarded(
        "Begin a series: best of `length`, or all of them played out; null: this match alone.",
        build_terms_schema(),
        example={"length": 3},
    )
    invitation = fields.Flag(
        "You will invite somebody by a link: a private match needs no opponent.", load_default=False
    )


class JoiningSchema(BodySchema):
    """Taking the free seat."""

    settings = fields.Forwarded("As the game's `settings` describes them.", load_default=dict)
    contribution = make_contribution_field()


SCENE = fields.FlagParameter(
    "Add `scene`: what there is to draw, for a client without the game.", load_default=False
)


class MatchQuerySchema(QuerySchema):
    """How to look at a match."""

    version = fields.WholeParameter("The match right after this event.", 1)
    as_ = AS
    scene = SCENE


class MatchesQuerySchema(PageQuerySchema):
    """Which matches, in which order."""

    game = fields.Text("Of this game (a slug).")
    status = fields.Word(STATUSES)
    player = fields.Text("Of the player of this name.")
    to_act = fields.Text("Where the player of this name is to act.")
    mine = fields.FlagParameter("Your own, all of them.", load_default=False)
    rated = fields.FlagParameter("Rated, or not.")
    pace = fields.Word(PACES, "With no clock, days for each move, or a bank of hours.")
    seeks = fields.FlagParameter(
        "Open matches that anybody may join: nobody is challenged.", load_default=False
    )
    sort = fields.Word(SORTS, load_default=SORTS[0])


class SeatOfMatchSchema(Schema):
    """A seat."""

    seat = fields.seat("The seat.")
    player = fields.text("The player's name; null while the seat is free.", null=True)
    house = fields.whole("The level of a house player; null: a person.", null=True)


class RatingSchema(Schema):
    """A rating of Glicko-2."""

    rating = fields.whole("In hundredths of a point.", example=150000)
    deviation = fields.whole("In hundredths of a point; the larger, the less sure.", example=35000)
    volatility = fields.whole("In millionths.", example=60000)


class SeatRatingSchema(Schema):
    """What a match has to do with the rating of a seat's player."""

    seat = fields.seat("The seat.")
    before = fields.part(RatingSchema, "Before the match; while it is not over: at present.")
    after = fields.part(RatingSchema, "After it; null: it is not over.", null=True)


class RangeSchema(Schema):
    """Ratings, in hundredths of a point."""

    min = fields.whole("The least.")
    max = fields.whole("The most.")


class ResultSchema(Schema):
    """How a match ended."""

    winner = fields.seat("The seat that won; null: nobody.", null=True)
    reason = fields.text("Why, in a word of the rule book or of the contract.")


class MatchBeforeSchema(Schema):
    """The match before, in a series."""

    match = fields.text("Its id.")
    head = fields.text("The hash of its last event.")


class PlaceSchema(Schema):
    """The place of a match in a series, as its first event has it."""

    id = fields.text("That of the series' first match.")
    number = fields.whole("The first is 1.")
    length = fields.whole("How many matches the series has, before a tie adds some.")
    decided = fields.words("Whether it ends as soon as nobody can catch up.", *DECIDED)
    tie = fields.words("What a tie leads to.", *TIES)
    previous = fields.part(MatchBeforeSchema, null=True)


class MatchSchema(Schema):
    """A match as its viewer may see it."""

    id = fields.text("16 characters.", example="7m2kq9x4tbw0ed5r")
    game = fields.text("The game's slug.")
    rules_version = fields.whole("The version of the rules that this match keeps.")
    options = fields.an_object("Every option, defaults filled in.")
    status = fields.words("What the match is up to.", *STATUSES)
    visibility = fields.words("Who may find and see it.", *VISIBILITIES)
    rated = fields.flag("Whether it counts for ratings.")
    version = fields.whole("The version of its last event, or of the one asked for.")
    seats = fields.many(SeatOfMatchSchema, validate=validate.Length(2, 2))
    opponent = fields.text("The name of the player who was challenged.", null=True)
    you = fields.seat("Your seat.", null=True)
    to_act = fields.seat("The seat to act.", null=True)
    ply = fields.whole("How many moves stand.")
    pace = fields.an_object("As it was created, defaults filled in; null: no clock.", null=True)
    series = fields.part(PlaceSchema, "Its place in a series; null: it stands alone.", null=True)
    deadline = fields.instant("When the seat to act has no time left; null: never.", null=True)
    clock = fields.part(ClockSchema, "Only where there is a clock.", always=False)
    result = fields.part(ResultSchema, null=True)
    state = fields.an_object(
        "The state as the game's rule book gives it; null while open.", null=True
    )
    offers = fields.part(OffersSchema)
    created_at = fields.instant("When it was created.")
    updated_at = fields.instant("When its last event happened.")
    imported = fields.instant(
        "When the match came in from elsewhere; left out where it was played here. Its "
        "players have no account here.",
        always=False,
    )
    rating_range = fields.part(
        RangeSchema, "While it is open: who may join, where that was said.", always=False
    )
    ratings = fields.many(
        SeatRatingSchema,
        "Only of a rated match; of one that is over only if it counts, and since it has been "
        "rated.",
        always=False,
    )


class PictureSchema(Schema):
    """What there is to draw: zones of spaces with tokens on them, and what stands beside."""

    zones = fields.many(fields.anything())
    links = fields.many(fields.anything())
    trails = fields.many(fields.anything())
    meters = fields.many(fields.anything())
    notes = fields.many(fields.anything())
    columns = fields.many(fields.text())
    rows = fields.many(fields.text())
    measure = fields.text(
        "The label of the meters that say who is ahead; null: none does.", null=True
    )


class PicturedMatchSchema(MatchSchema):
    """A match, and what there is to draw of it."""

    scene = fields.part(
        PictureSchema, "Where it was asked for; null before the start.", null=True, always=False
    )


class LegalMoveSchema(Schema):
    """A legal move."""

    move = fields.an_object("To be sent as it is.")
    text = fields.text("The move in the game's notation.")
    path = fields.many(fields.text(), "Its steps over the board.")


class LegalMovesSchema(Schema):
    """The legal moves of the caller's seat."""

    version = fields.whole("The version of the match that they belong to.")
    seat = fields.seat("Your seat; null: you have none.", null=True)
    moves = fields.many(LegalMoveSchema)


class HintSchema(Schema):
    """What the strongest level of the house would play."""

    version = fields.whole("The version of the match that it is for.")
    move = fields.an_object("To be sent as it is.")
    text = fields.text("The move in the game's notation.")


TAG = "Matches"
IMPORTED = "Plybook-Imported"


@route("GET", "/matches", TAG, OPEN)
@asks(MatchesQuerySchema())
@gives(200, make_page_schema(MatchSchema, "matches"), "A page of matches.")
@refuses("cursor-gone")
def list_matches(call: Call) -> Response:
    """List matches.

    Public ones; with `mine=true` all of the caller's own. Pages are those of the moment of the
    first one: a match that moves while you page keeps its place, and is shown as it is now.
    """
    query = call.query
    filters = MatchFilter(**{name: query[name] for name in MatchFilter._fields if name in query})
    page = call.house.lobby.list_matches(call.look, filters, sort=query["sort"], **call.paging)
    return answer_json_page("matches", page, match_json)


@route("GET", "/matches/<match_id>", TAG, OPEN)
@asks(MatchQuerySchema())
@gives(200, PicturedMatchSchema(), "The match as the caller may see it.", IMPORTED)
@refuses("not-your-seat")
def show_match(call: Call, match_id: str) -> Response:
    """Show a match, as it is or as it was."""
    shown = call.house.queries.show(call.look, match_id, call.query["version"])
    told = {**match_json(shown), **picture_json(call, shown.view)}
    answer = answer_json(told, version=shown.view.version)
    if shown.imported is not None:
        answer.headers[IMPORTED] = shown.imported
    return answer


@route("GET", "/matches/<match_id>/legal-moves", TAG, PLAYERS)
@gives(200, LegalMovesSchema(), "The legal moves; none when you are not to act.")
def list_legal_moves(call: Call, match_id: str) -> Response:
    """List the legal moves of your seat."""
    legal = call.house.queries.list_legal_moves(call.look, match_id)
    return answer_json(legal._asdict(), version=legal.version)


@route("GET", "/matches/<match_id>/hint", TAG, PLAYERS)
@gives(200, HintSchema(), "A move for the seat that is to act.")
@refuses("no-hints", "not-your-seat", "match-not-active", "rate-limited")
def give_hint(call: Call, match_id: str) -> Response:
    """Say what the strongest level of the house would play, in a practice match.

    It looks at what the seat that is to act sees. Where something is hidden only that seat gets it.
    """
    hint = call.site.workshop.make(call.client, lambda: call.house.hints.get(call.look, match_id))
    shown = {"version": hint.version, "move": hint.move, "text": hint.text}
    return answer_json(shown, version=hint.version)


def picture_json(call: Call, view: MatchView) -> JsonObject:
    """Return the member ``scene``, if it was asked for."""
    if not call.query["scene"]:
        return {}
    scene = build_scene(view)
    return {"scene": None if scene is None else scene_json(scene)}
