"""Vacations of a player: the clocks of all matches that allow it stand meanwhile."""

from __future__ import annotations

from flask import Response

from domain.json_types import JsonObject
from services.accounts.accounts import PLAY, READ
from services.matches.vacations import Balance
from web.api.operations import Call, gives, players_only, refuses, route, takes
from web.api.resources import vacations_of_schemas as vacations
from web.http.answers import json_answer

TAG = "Vacations"


@route("GET", "/me/vacation", TAG)
@players_only(READ)
@gives(200, vacations.Vacation(), "The caller's vacation.", headers=("ETag",))
def show_vacation(call: Call) -> Response:
    """Say how many days of vacation you have left, and until when you are away."""
    return json_answer(_json(call.house.vacations.balance(call.player.player)))


@route("PUT", "/me/vacation", TAG)
@players_only(PLAY)
@takes(vacations.NewVacation())
@gives(200, vacations.Vacation(), "The vacation has begun.", headers=("ETag",))
@refuses("on-vacation", "vacation-used-up")
def begin_vacation(call: Call) -> Response:
    """Go on vacation now, for some days.

    Your clocks stand at once in every match whose pace allows it; you may move all the same.
    """
    return json_answer(_json(call.house.vacations.take(call.player.player, call.body["days"])))


@route("DELETE", "/me/vacation", TAG)
@players_only(PLAY)
@gives(200, vacations.Vacation(), "Your clocks run again.", headers=("ETag",))
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
