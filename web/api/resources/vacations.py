"""Vacations of a player: the clocks of all matches that allow it stand meanwhile."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from domain.json_types import JsonObject
from services.accounts.accounts import PLAY, READ
from services.matches.vacations import DAYS_A_YEAR, Balance
from web.api.fields import Whole
from web.api.operations import Call, gives, players_only, refuses, route, takes
from web.http.answers import json_answer
from web.http.inputs import AnswerSchema, BodySchema, instant, whole_field


class NewVacationSchema(BodySchema):
    """A vacation that begins now."""

    days = Whole(
        1,
        DAYS_A_YEAR,
        required=True,
        error_messages={"required": "This is missing."},
        metadata={"description": "Whole days.", "example": 7},
    )


class RunningVacationSchema(AnswerSchema):
    """A vacation that is not over."""

    started_at = instant("When it began.")
    ends_at = instant("When the clocks run again.")
    days = whole_field("The days that it takes of its year.")


class VacationSchema(AnswerSchema):
    """The caller's vacation."""

    year = whole_field("The present calendar year (UTC).")
    days = whole_field("The days that everybody has in a year.")
    days_left = whole_field("The days that the caller still has this year.")
    current = fields.Nested(
        RunningVacationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Null: the caller is not on vacation."},
    )


TAG = "Vacations"


@route("GET", "/me/vacation", TAG)
@players_only(READ)
@gives(200, VacationSchema(), "The caller's vacation.", headers=("ETag",))
def show_vacation(call: Call) -> Response:
    """Say how many days of vacation you have left, and until when you are away."""
    return json_answer(_json(call.house.vacations.balance(call.player.player)))


@route("PUT", "/me/vacation", TAG)
@players_only(PLAY)
@takes(NewVacationSchema())
@gives(200, VacationSchema(), "The vacation has begun.", headers=("ETag",))
@refuses("on-vacation", "vacation-used-up")
def begin_vacation(call: Call) -> Response:
    """Go on vacation now, for some days.

    Your clocks stand at once in every match whose pace allows it; you may move all the same.
    """
    return json_answer(_json(call.house.vacations.take(call.player.player, call.body["days"])))


@route("DELETE", "/me/vacation", TAG)
@players_only(PLAY)
@gives(200, VacationSchema(), "Your clocks run again.", headers=("ETag",))
@refuses("on-vacation")
def end_vacation(call: Call) -> Response:
    """Come back from vacation. Days that have not begun are left for later."""
    return json_answer(_json(call.house.vacations.end(call.player.player)))


def _json(balance: Balance) -> JsonObject:
    current = balance.current
    shown = None if current is None else current._asdict()
    if shown is not None:
        del shown["player"]
    return {**balance._asdict(), "current": shown}
