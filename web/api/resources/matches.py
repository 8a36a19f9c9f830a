"""Looks at matches: lists, one match with its clocks and offers, its legal moves."""

from __future__ import annotations

from flask import Response
from marshmallow import fields, validate

from domain.json_types import JsonObject
from domain.match.views import MatchView, drawn
from services.accounts.accounts import READ
from services.drawing.scene_json import scene_json
from services.lobby.lists import LIMIT, MOST, PACES, SORTS, STATUSES, Filters
from services.matches.access import SIGHTS, VISIBILITIES
from services.matches.match_json import match_json
from web.api.fields import (
    Flag,
    FlagParameter,
    Forwarded,
    PaceField,
    Seat,
    Text,
    WholeParameter,
    Word,
)
from web.api.operations import (
    Call,
    a_match,
    about,
    asks,
    gives,
    open_to_all,
    players_only,
    refuses,
    route,
)
from web.http.answers import json_answer, next_link
from web.http.inputs import (
    INSTANT_FORM,
    AnswerSchema,
    BodySchema,
    QuerySchema,
    anything,
    flag,
    instant,
    optional_instant,
    seat,
    text,
    whole_field,
    words,
)


class DrawOfferSchema(AnswerSchema):
    """A draw that a seat offers."""

    seat = seat("Whose offer it is.")
    version = whole_field("The version at which it was made.")


class TakebackOfferSchema(AnswerSchema):
    """A takeback that a seat asks for."""

    seat = seat("Whose offer it is.")
    to_version = whole_field("The version that the game is to go back to.")


class PauseOfferSchema(AnswerSchema):
    """A pause that a seat proposes."""

    seat = seat("Whose offer it is.")
    days = whole_field("How long both clocks are to stand.")


class PlainOfferSchema(AnswerSchema):
    """Something that a seat proposes."""

    seat = seat("Whose offer it is.")


class OffersSchema(AnswerSchema):
    """Offers that wait for an answer; the last three are there only while they do."""

    draw = fields.Nested(DrawOfferSchema, required=True, allow_none=True)
    takeback = fields.Nested(TakebackOfferSchema, required=True, allow_none=True)
    pause = fields.Nested(PauseOfferSchema)
    resume = fields.Nested(PlainOfferSchema)
    abort = fields.Nested(PlainOfferSchema)


class SeatClockSchema(AnswerSchema):
    """The clock of a seat."""

    seat = seat("The seat.")
    seconds = whole_field("The time that it had at `since`, in whole seconds.")
    away_until = optional_instant("Until when it stands for a vacation.")


class ClockSchema(AnswerSchema):
    """The clocks of a match; they do not change by being looked at."""

    running = seat("The seat whose clock it is; null: nobody is to act.", null=True)
    since = instant("From when on the clock of `running` runs.")
    seats = fields.List(
        fields.Nested(SeatClockSchema), required=True, validate=validate.Length(2, 2)
    )
    paused_until = optional_instant("Until when both clocks stand by agreement.")
    time_is_up = flag("Whether the deadline has passed; the match is about to be ended.")


AS = Word(
    SIGHTS,
    data_key="as",
    load_default=None,
    metadata={"description": "Show what this viewer sees (once the match is finished)."},
)
_CONTRIBUTION = {
    "description": "64 hex digits of your own for the dice.",
    "form": {"minLength": 64, "maxLength": 64, "pattern": "^[0-9a-fA-F]*$"},
    "example": "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
}


def dice_contribution() -> Text:
    """Return the member by which a player contributes to the dice."""
    return Text(0, 200, load_default=None, allow_none=True, metadata=_CONTRIBUTION)


class NewMatchSchema(BodySchema):
    """A match to create."""

    game = Text(
        required=True, metadata={"description": "A game's slug.", "example": "path-capture"}
    )
    options = Forwarded(
        load_default=dict, metadata={"description": "As the game's `options` describes them."}
    )
    settings = Forwarded(
        load_default=dict, metadata={"description": "As the game's `settings` describes them."}
    )
    seat = Seat(
        load_default=None,
        allow_none=False,
        metadata={"description": "Your seat.", "default": "random"},
    )
    opponent = Text(
        load_default=None,
        allow_none=True,
        metadata={"description": "The name of the player whom you challenge."},
    )
    visibility = Word(VISIBILITIES, load_default=VISIBILITIES[0])
    pace = PaceField(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "How much time the seats have; null: as much as they want.",
            "example": {"days_per_move": 3},
        },
    )
    rated = Flag(load_default=False)
    invitation = Flag(
        load_default=False,
        metadata={
            "description": "You will invite somebody by a link: a private match needs no opponent."
        },
    )


class JoiningSchema(BodySchema):
    """Taking the free seat."""

    settings = Forwarded(
        load_default=dict, metadata={"description": "As the game's `settings` describes them."}
    )
    contribution = dice_contribution()


SCENE = FlagParameter(
    load_default=False,
    metadata={"description": "Add `scene`: what there is to draw, for a client without the game."},
)


class MatchQuerySchema(QuerySchema):
    """How to look at a match."""

    version = WholeParameter(
        1, load_default=None, metadata={"description": "The match right after this event."}
    )
    as_ = AS
    scene = SCENE


class MatchesQuerySchema(QuerySchema):
    """Which matches, in which order."""

    game = Text(load_default=None, metadata={"description": "Of this game (a slug)."})
    status = Word(STATUSES, load_default=None)
    player = Text(load_default=None, metadata={"description": "Of the player of this name."})
    to_act = Text(
        load_default=None, metadata={"description": "Where the player of this name is to act."}
    )
    mine = FlagParameter(load_default=False, metadata={"description": "Your own, all of them."})
    rated = FlagParameter(load_default=None, metadata={"description": "Rated, or not."})
    pace = Word(
        PACES,
        load_default=None,
        metadata={"description": "With no clock, days for each move, or a bank of hours."},
    )
    seeks = FlagParameter(
        load_default=False,
        metadata={"description": "Open matches that anybody may join: nobody is challenged."},
    )
    sort = Word(SORTS, load_default=SORTS[0])
    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = Text(1, 4000, load_default=None, metadata={"description": "`next_cursor` of a page."})


class SeatOfMatchSchema(AnswerSchema):
    """A seat."""

    seat = seat("The seat.")
    player = text("The player's name; null while the seat is free.", null=True)


class ResultSchema(AnswerSchema):
    """How a match ended."""

    winner = seat("The seat that won; null: nobody.", null=True)
    reason = text("Why, in a word of the rule book or of the contract.")


class MatchSchema(AnswerSchema):
    """A match as its viewer may see it."""

    id = text("16 characters.", example="7m2kq9x4tbw0ed5r")
    game = text("The game's slug.")
    rules_version = whole_field("The version of the rules that this match keeps.")
    options = anything("Every option, defaults filled in.", type="object")
    status = words("What the match is up to.", *STATUSES)
    visibility = words("Who may find and see it.", *VISIBILITIES)
    rated = flag("Whether it counts for ratings.")
    version = whole_field("The version of its last event, or of the one asked for.")
    seats = fields.List(
        fields.Nested(SeatOfMatchSchema), required=True, validate=validate.Length(2, 2)
    )
    opponent = text("The name of the player who was challenged.", null=True)
    you = seat("Your seat.", null=True)
    to_act = seat("The seat to act.", null=True)
    ply = whole_field("How many moves stand.")
    pace = anything(
        "As it was created, defaults filled in; null: no clock.", type="object", nullable=True
    )
    deadline = optional_instant("When the seat to act has no time left; null: never.")
    clock = fields.Nested(ClockSchema, metadata={"description": "Only where there is a clock."})
    result = fields.Nested(ResultSchema, required=True, allow_none=True)
    state = anything(
        "The state as the game's rule book gives it; null while open.",
        type="object",
        nullable=True,
    )
    offers = fields.Nested(OffersSchema, required=True)
    created_at = instant("When it was created.")
    updated_at = instant("When its last event happened.")
    imported = fields.String(
        validate=validate.Regexp(INSTANT_FORM),
        metadata={
            "description": "When the match came in from elsewhere; left out where it was played "
            "here. Its players have no account here."
        },
    )


class PictureSchema(AnswerSchema):
    """What there is to draw: zones of spaces with tokens on them, and what stands beside."""

    zones = fields.List(fields.Raw(), required=True)
    links = fields.List(fields.Raw(), required=True)
    trails = fields.List(fields.Raw(), required=True)
    meters = fields.List(fields.Raw(), required=True)
    notes = fields.List(fields.Raw(), required=True)
    columns = fields.List(fields.String(), required=True)
    rows = fields.List(fields.String(), required=True)
    measure = text("The label of the meters that say who is ahead; null: none does.", null=True)


class PicturedMatchSchema(MatchSchema):
    """A match, and what there is to draw of it."""

    scene = fields.Nested(
        PictureSchema,
        allow_none=True,
        metadata={"description": "Where it was asked for; null before the start."},
    )


class MatchesSchema(AnswerSchema):
    """A page of matches."""

    matches = fields.List(fields.Nested(MatchSchema), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)


class LegalMoveSchema(AnswerSchema):
    """A legal move."""

    move = anything("To be sent as it is.", type="object")
    text = text("The move in the game's notation.")
    path = fields.List(
        fields.String(), required=True, metadata={"description": "Its steps over the board."}
    )


class LegalMovesSchema(AnswerSchema):
    """The legal moves of the caller's seat."""

    version = whole_field("The version of the match that they belong to.")
    seat = seat("Your seat; null: you have none.", null=True)
    moves = fields.List(fields.Nested(LegalMoveSchema), required=True)


TAG = "Matches"
IMPORTED = "Plybook-Imported"


@route("GET", "/matches", TAG)
@open_to_all(READ)
@asks(MatchesQuerySchema())
@gives(200, MatchesSchema(), "A page of matches.", headers=("ETag", "Link"))
@refuses("cursor-gone")
def list_matches(call: Call) -> Response:
    """List matches.

    Public ones; with `mine=true` all of the caller's own. Pages are those of the moment of the
    first one: a match that moves while you page keeps its place, and is shown as it is now.
    """
    query = call.query
    filters = Filters(**{name: query[name] for name in Filters._fields if name in query})
    page = call.house.lobby.matches(
        call.look,
        filters,
        sort=query["sort"],
        limit=query["limit"],
        cursor=query["cursor"],
    )
    shown = [match_json(one) for one in page.matches]
    answer = json_answer({"matches": shown, "next_cursor": page.next_cursor})
    if page.next_cursor is not None:
        answer.headers["Link"] = next_link(cursor=page.next_cursor)
    return answer


@route("GET", "/matches/<match_id>", TAG)
@open_to_all(READ)
@about(a_match)
@asks(MatchQuerySchema())
@gives(
    200, PicturedMatchSchema(), "The match as the caller may see it.", headers=("ETag", IMPORTED)
)
@refuses("not-found", "not-your-seat")
def show_match(call: Call, match_id: str) -> Response:
    """Show a match, as it is or as it was."""
    shown = call.house.looking.show(call.look, match_id, call.query["version"])
    told = {**match_json(shown), **picture_json(call, shown.view)}
    answer = json_answer(told, version=shown.view.version)
    if shown.imported is not None:
        answer.headers[IMPORTED] = shown.imported
    return answer


@route("GET", "/matches/<match_id>/legal-moves", TAG)
@players_only(READ)
@about(a_match)
@gives(200, LegalMovesSchema(), "The legal moves; none when you are not to act.")
@refuses("not-found")
def list_legal_moves(call: Call, match_id: str) -> Response:
    """List the legal moves of your seat."""
    legal = call.house.looking.legal_moves(call.look, match_id)
    return json_answer(legal._asdict(), version=legal.version)


def picture_json(call: Call, view: MatchView) -> JsonObject:
    """Return the member ``scene``, if it was asked for."""
    if not call.query["scene"]:
        return {}
    scene = drawn(view)
    return {"scene": None if scene is None else scene_json(scene)}
