"""Vacations."""

from __future__ import annotations

from marshmallow import fields

from services.matches.vacations import DAYS_A_YEAR
from web.api.fields import Whole
from web.http.base import Body, Shown, instant, whole


class NewVacation(Body):
    """A vacation that begins now."""

    days = Whole(
        1,
        DAYS_A_YEAR,
        required=True,
        error_messages={"required": "This is missing."},
        metadata={"description": "Whole days.", "example": 7},
    )


class RunningVacation(Shown):
    """A vacation that is not over."""

    started_at = instant("When it began.")
    ends_at = instant("When the clocks run again.")
    days = whole("The days that it takes of its year.")


class Vacation(Shown):
    """The caller's vacation."""

    year = whole("The present calendar year (UTC).")
    days = whole("The days that everybody has in a year.")
    days_left = whole("The days that the caller still has this year.")
    current = fields.Nested(
        RunningVacation,
        required=True,
        allow_none=True,
        metadata={"description": "Null: the caller is not on vacation."},
    )
