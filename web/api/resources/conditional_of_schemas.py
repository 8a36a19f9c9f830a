"""Conditional moves, and what became of them."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields

from domain.json_types import JsonObject
from services.lobby.lists import LIMIT, MOST
from services.matches.conditional_execution import FIRED, LAPSED, REASONS
from web.api.fields import Forwarded, Whole, WholeParameter
from web.http.base import Body, Query, Shown, anything, instant, seat, text, whole, words


class Lines(Forwarded):
    """A list of lines, whose inside, and whether it is a list, the domain judges (422)."""

    FORM: ClassVar[JsonObject] = {"type": "array", "items": {"type": "object"}}


def _decided_on() -> Whole:
    meaning = "The version of your conditional moves that this changes; or send If-Match."
    return Whole(0, load_default=None, metadata={"description": meaning})


class NewConditionalMoves(Body):
    """Lines to stand in the place of all that there are."""

    lines = Lines(
        required=True,
        metadata={
            "description": "Each line is `if` (a move of your opponent as you will see it), `then` "
            "(your moves in answer, in order; empty while your opponent's own turn goes on) and "
            "`next` (lines that follow on it).",
            "example": [{"if": {"steps": 1}, "then": [{"steps": 2}], "next": []}],
        },
    )
    after = Lines(
        load_default=list,
        metadata={
            "description": "When it is your turn: the moves that you will make yourself first. "
            "The lines begin behind them.",
            "example": [],
        },
    )
    match_version = Whole(
        1,
        required=True,
        metadata={"description": "The version of the match at which the lines begin."},
    )
    expected_version = _decided_on()


class ConditionalLine(Shown):
    """A line: if they play this, you play that."""

    line = text("Its label, to delete it by; it changes when other lines go.", example="1.2")
    text = text("The line in the game's notation.")
    if_ = anything("The opponent's move, as you will see it.", type="object", data_key="if")
    then = fields.List(
        fields.Raw(metadata={"type": "object"}),
        required=True,
        metadata={"description": "Your answers, in order."},
    )
    next = fields.List(
        fields.Nested("ConditionalLine"),
        required=True,
        metadata={"description": "What follows on it."},
    )


class ConditionalMoves(Shown):
    """Your conditional moves in a match; nobody else sees them, ever."""

    seat = seat("Your seat.")
    version = whole("Counts their changes, also those when a line fires or lapses; 0: none yet.")
    match_version = whole("The present version of the match.")
    after = fields.List(
        fields.Raw(metadata={"type": "object"}),
        required=True,
        metadata={"description": "What you will play yourself before the lines begin."},
    )
    lines = fields.List(fields.Nested(ConditionalLine), required=True)
    updated_at = text("When they last changed; null: never.", null=True)


class WrittenLine(Shown):
    """A line as it was."""

    if_ = anything(
        "The opponent's move, as you saw it; empty where `then` are your own moves that were to "
        "come first.",
        type="object",
        data_key="if",
    )
    then = fields.List(fields.Raw(metadata={"type": "object"}), required=True)
    next = fields.List(fields.Nested("WrittenLine"), required=True)


class Happening(Shown):
    """What became of a line, or of several."""

    number = whole("Counts up from 1.")
    kind = words("What happened.", FIRED, LAPSED)
    version = whole("The version of the match's event at which it happened.")
    at = instant("When.")
    reason = text(f"Why lines lapsed: {', '.join(REASONS)}; null when one fired.", null=True)
    text = text("What happened, in a sentence.")
    lines = fields.List(fields.Nested(WrittenLine), required=True)


class Happenings(Shown):
    """A page of what became of your lines, newest first."""

    happenings = fields.List(fields.Nested(Happening), required=True)
    next_cursor = text("For the next page; null: this is the last.", null=True)


class HappeningsQuery(Query):
    """Which page."""

    limit = WholeParameter(1, MOST, load_default=LIMIT)
    cursor = WholeParameter(
        1, load_default=None, metadata={"description": "`next_cursor` of a page."}
    )
