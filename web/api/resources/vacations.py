"""Vacations of a player: the clocks of all matches that allow it stand meanwhile."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from domain.json_types import JsonObject
from services.matches.vacations import DAYS_A_YEAR, Balance
from web.api import fields
from web.api.operations import PLAYERS, Call, gives, refuses, route, takes
from web.http.answers import answer_json
from web.http.inputs import BodySchema


class NewVacationSchema(BodySchema):
    """A vacation that begins now."""

    days = fields.WholeNumber("Whole days.", 1, DAYS_A_YEAR, required=True, example=7)


class RunningVacationSchema(Schema):
    """A vacation that is not over."""

    started_at = fields.instant("When it began.")
    ends_at = fields.instant("When the clocks run again.")
    days = fields.whole("The days that it takes of its year.")


class VacationSchema(Schema):
    """The caller's vacation."""

    year = fields.whole("The present calendar year (UTC).")
    days = fields.whole("The days that everybody has in a year.")
    days_left = fields.whole("The days that the caller still has this year.")
    current = fields.part(RunningVacationSchema, "Null: the caller is not on vacation.", null=True)


TAG = "Vacations"


@route("GET", "/me/vacation", TAG, PLAYERS)
@gives(200, VacationSchema(), "The caller's vacation.")
def show_vacation(call: Call) -> Response:
    """Say how many days of vacation you have left, and until when you are away."""
    return answer_json(_balance_json(call.house.vacations.get_balance(call.player)))


@route("PUT", "/me/vacation", TAG, PLAYERS)
@takes(NewVacationSchema())
@gives(200, VacationSchema(), "The vacation has begun.")
@refuses("on-vacation", "vacation-used-up")
def begin_vacation(call: Call) -> Response:
    """Go on vacation now, for some days.

    Your clocks stand at once in every match whose pace allows it; you may move all the same.
    """
    return answer_json(_balance_json(call.house.vacations.take(call.player, call.body["days"])))


@route("DELETE", "/me/vacation", TAG, PLAYERS)
@gives(200, VacationSchema(), "Your clocks run again.")
@refuses("on-vacation")
def end_vacation(call: Call) -> Response:
    """Come back from vacation. Days that have not begun are left for later."""
    return answer_json(_balance_json(call.house.vacations.end(call.player)))


def _balance_json(balance: Balance) -> JsonObject:
    current = balance.current
    shown = None if current is None else current._asdict()
    if shown is not None:
        del shown["player"]
    return {**balance._asdict(), "current": shown}
