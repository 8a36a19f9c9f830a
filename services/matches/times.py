"""Clocks and offers as JSON. Only whether the time is up depends on when one looks."""

from __future__ import annotations

from domain.json_types import Json, JsonObject
from domain.match.clock import DAY, SECOND, runs_from
from domain.match.offers import NONE, Offer, Offers
from domain.match.views import MatchView


def clock_json(view: MatchView, now: str) -> JsonObject | None:
    """Return the clocks of a match at the instant ``now``; None: it has none, or has not begun."""
    clock = view.clock
    if clock is None:
        return None
    seat = clock.running
    return {
        "running": seat,
        "since": clock.mark if seat is None else runs_from(clock, seat, clock.mark),
        "seats": [
            {"seat": number, "seconds": left // SECOND, "away_until": away or None}
            for number, left, away in zip((1, 2), clock.left, clock.away_until, strict=True)
        ],
        "paused_until": clock.paused_until or None,
        "time_is_up": time_is_up(view, now),
    }


def time_is_up(view: MatchView, now: str) -> bool:
    """Whether the seat to act has no time left at the instant ``now``."""
    return view.deadline is not None and view.deadline <= now


def offers_json(offers: Offers) -> JsonObject:
    """Return the offers that stand, each with what it is about.

    ``draw`` and ``takeback`` are null where there is none; the others are left out then.
    """
    if offers == NONE:
        return {"draw": None, "takeback": None}
    others = {
        "pause": _offer(offers.pause, days=DAY // SECOND),
        "resume": _offer(offers.resume),
        "abort": _offer(offers.abort),
    }
    return {
        "draw": _offer(offers.draw, version=1),
        "takeback": _offer(offers.takeback, to_version=1),
        **{kind: offer for kind, offer in others.items() if offer is not None},
    }


def _offer(offer: Offer | None, **units: int) -> Json:
    """``units``: under which name to show what the offer is about, and in what unit."""
    if offer is None:
        return None
    return {"seat": offer.seat, **{name: offer.about // unit for name, unit in units.items()}}
