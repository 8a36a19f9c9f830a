"""Offers that wait for an answer: at most one of each kind, and how long they stand."""

from __future__ import annotations

from typing import NamedTuple

from domain.json_types import JsonObject

KINDS = ("draw", "takeback", "pause", "resume", "abort")
"""What one seat may propose to the other."""


class Offer(NamedTuple):
    """Made by ``seat``.

    ``about``: the version that it concerns (a draw: at which it was offered; a takeback: to which
    it leads), or the seconds of a pause.
    """

    seat: int
    about: int = 0


class Offers(NamedTuple):
    """The offers of a match."""

    draw: Offer | None = None
    takeback: Offer | None = None
    pause: Offer | None = None
    resume: Offer | None = None
    abort: Offer | None = None


NONE = Offers()


def get(offers: Offers, kind: str) -> Offer | None:
    """Return the offer of a kind that stands, or None."""
    offer: Offer | None = getattr(offers, kind)
    return offer


def put(offers: Offers, kind: str, offer: Offer | None) -> Offers:
    """Return the offers with one more, or one less."""
    return offers._replace(**{kind: offer})


def after_move(offers: Offers, seat: int) -> Offers:
    """Return what still stands after a move of ``seat``.

    A takeback is about a position, and lapses whoever moves. Everything else is answered by the
    move of the seat that it was made to.
    """
    if offers == NONE:
        return offers
    kept = {
        kind: offer
        for kind, offer in offers._asdict().items()
        if kind != "takeback" and offer is not None and offer.seat == seat
    }
    return Offers(**kept)


def dump(offers: Offers) -> JsonObject:
    """Return the offers that stand as JSON."""
    return {kind: list(offer) for kind, offer in offers._asdict().items() if offer is not None}


def load(state: JsonObject) -> Offers:
    """Return the offers that ``dump`` wrote."""
    return Offers(**{kind: Offer(*offer) for kind, offer in state.items()})
