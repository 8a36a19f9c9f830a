"""Matches, and what can be asked of them."""

from __future__ import annotations

from marshmallow import fields, validate

from services.lobby.lists import LIMIT, MOST, PACES, SORTS, STATUSES
from services.matches.access import SIGHTS, VISIBILITIES
from web.api.fields import (
    Flag,
    FlagParameter,
    Forwarded,
    Pace,
    Seat,
    Text,
    WholeParameter,
    Word,
)
from web.api.resources.clocks import Clock, Offers
from web.http.base import (
    INSTANT_FORM,
    Body,
    Query,
    Shown,
    anything,
    flag,
    instant,
    optional_instant,
    seat,
    text,
    whole,
    words,
)

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


class NewMatch(Body):
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
    pace = Pace(
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


class Joining(Body):
    """Taking the free seat."""

    settings = Forwarded(
        load_default=dict, metadata={"description": "As the game's `settings` describes them."}
    )
    contribution = dice_contribution()


SCENE = FlagParameter(
    load_default=False,
    metadata={"description": "Add `scene`: what there is to draw, for a client without the game."},
)


class MatchQuery(Query):
    """How to look at a match."""

    version = WholeParameter(
        1, load_default=None, metadata={"description": "The match right after this event."}
    )
    as_ = AS
    scene = SCENE


class MatchesQuery(Query):
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


class SeatOfMatch(Shown):
    """A seat."""

    seat = seat("The seat.")
    player = text("The player's name; null while the seat is free.", null=True)


class Result(Shown):
    """How a match ended."""

    winner = seat("The seat that won; null: nobody.", null=True)
    reason = text("Why, in a word of the rule book or of the contract.")


class Match(Shown):
    """A match as its viewer may see it."""

    id = text("16 characters.", example="7m2kq9x4tbw0ed5r")
    game = text("The game's slug.")
    rules_version = whole("The version of the rules that this match keeps.")
    options = anything("Every option, defaults filled in.", type="object")
    status = words("What the match is up to.", *STATUSES)
    visibility = words("Who may find and see it.", *VISIBILITIES)
    rated = flag("Whether it counts for ratings.")
    version = whole("The version of its last event, or of the one asked for.")
    seats = fields.List(fields.Nested(SeatOfMatch), required=True, validate=validate.Length(2, 2))
    opponent = text("The name of the player who was challenged.", null=True)
    you = seat("Your seat.", null=True)
    to_act = seat("The seat to act.", null=True)
    ply = whole("How many moves stand.")
    pace = anything(
        "As it was created, defaults filled in; null: no clock.", type="object", nullable=True
    )
    deadline = optional_instant("When the seat to act has no time left; null: never.")
    clock = fields.Nested(Clock, metadata={"description": "Only where there is a clock."})
    result = fields.Nested(Result, required=True, allow_none=True)
    state = anything(
        "The state as the game's rule book gives it; null while open.",
        type="object",
        nullable=True,
    )
    offers = fields.Nested(Offers, required=True)
    created_at = instant("When it was created.")
    updated_at = instant("When its last event happened.")
    imported = fields.String(
        validate=validate.Regexp(INSTANT_FORM),
        metadata={
            "description": "When the match came in from elsewhere; left out where it was played "
            "here. Its players have no account here."
        },
    )


class Picture(Shown):
    """What there is to draw: zones of spaces with tokens on them, and what stands beside."""

    zones = fields.List(fields.Raw(), required=True)
    links = fields.List(fields.Raw(), required=True)
    trails = fields.List(fields.Raw(), required=True)
    meters = fields.List(fields.Raw(), required=True)
    notes = fields.List(fields.Raw(), required=True)
    columns = fields.List(fields.String(), required=True)
    rows = fields.List(fields.String(), required=True)
    measure = text("The label of the meters that say who is ahead; null: none does.", null=True)


class PicturedMatch(Match):
    """A match, and what there is to draw of it."""

    scene = fields.Nested(
        Picture,
        allow_none=True,
        metadata={"description": "Where it was asked for; null before the start."},
    )


class Matches(Shown):
    """A page of matches."""

    matches = fields.List(fields.Nested(Match), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)
