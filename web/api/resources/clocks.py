"""Clocks and offers of a match."""

from __future__ import annotations

from marshmallow import fields, validate

from web.http.base import Shown, flag, instant, optional_instant, seat, whole


class DrawOffer(Shown):
    """A draw that a seat offers."""

    seat = seat("Whose offer it is.")
    version = whole("The version at which it was made.")


class TakebackOffer(Shown):
    """A takeback that a seat asks for."""

    seat = seat("Whose offer it is.")
    to_version = whole("The version that the game is to go back to.")


class PauseOffer(Shown):
    """A pause that a seat proposes."""

    seat = seat("Whose offer it is.")
    days = whole("How long both clocks are to stand.")


class PlainOffer(Shown):
    """Something that a seat proposes."""

    seat = seat("Whose offer it is.")


class Offers(Shown):
    """Offers that wait for an answer; the last three are there only while they do."""

    draw = fields.Nested(DrawOffer, required=True, allow_none=True)
    takeback = fields.Nested(TakebackOffer, required=True, allow_none=True)
    pause = fields.Nested(PauseOffer)
    resume = fields.Nested(PlainOffer)
    abort = fields.Nested(PlainOffer)


class SeatClock(Shown):
    """The clock of a seat."""

    seat = seat("The seat.")
    seconds = whole("The time that it had at `since`, in whole seconds.")
    away_until = optional_instant("Until when it stands for a vacation.")


class Clock(Shown):
    """The clocks of a match; they do not change by being looked at."""

    running = seat("The seat whose clock it is; null: nobody is to act.", null=True)
    since = instant("From when on the clock of `running` runs.")
    seats = fields.List(fields.Nested(SeatClock), required=True, validate=validate.Length(2, 2))
    paused_until = optional_instant("Until when both clocks stand by agreement.")
    time_is_up = flag("Whether the deadline has passed; the match is about to be ended.")
