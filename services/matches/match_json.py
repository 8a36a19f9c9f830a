"""A match as JSON: exactly the object of the contract, with names, clocks and offers joined in.

Only whether the time is up depends on when one looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.clock import DAY, SECOND, compute_run_start
from domain.match.house_players import LEVEL_OF, name_house_player
from domain.match.state import Offer, Offers
from domain.match.views import MatchView
from domain.rating.glicko2 import Rating
from services.accounts.guests import NAME
from services.drawing.text.frames import quote_name
from services.store.people.profiles import show_name
from services.store.ratings import Range


def clock_json(view: MatchView, now: str) -> JsonObject | None:
    """Return the clocks of a match at the instant ``now``; None: it has none, or has not begun."""
    clock = view.clock
    if clock is None:
        return None
    seat = clock.running
    return {
        "running": seat,
        "since": clock.mark if seat is None else compute_run_start(clock, seat, clock.mark),
        "seats": [
            {"seat": number, "seconds": left // SECOND, "away_until": away or None}
            for number, left, away in zip((1, 2), clock.left, clock.away_until, strict=True)
        ],
        "paused_until": clock.paused_until or None,
        "time_is_up": view.deadline is not None and view.deadline <= now,
    }


def offers_json(offers: Offers) -> JsonObject:
    """Return the offers that stand, each with what it is about.

    ``draw`` and ``takeback`` are null where there is none; the others are left out then.
    """
    others = {
        "pause": _offer_json(offers.pause, days=DAY // SECOND),
        "resume": _offer_json(offers.resume),
        "abort": _offer_json(offers.abort),
    }
    return {
        "draw": _offer_json(offers.draw, version=1),
        "takeback": _offer_json(offers.takeback, to_version=1),
        **{kind: offer for kind, offer in others.items() if offer is not None},
    }


def _offer_json(offer: Offer | None, **units: int) -> Json:
    """``units``: under which name to show what the offer is about, and in what unit."""
    if offer is None:
        return None
    return {"seat": offer.seat, **{name: offer.about // unit for name, unit in units.items()}}


HANDS = {str(one): one for one in (say("left hand"), say("right hand"))}
"""The two who play a practice match: their names have a space, which no player's has."""

NAMELESS = {**HANDS, NAME: say("a visitor")}
"""Those who have no name of their own, and how they are called."""


class SeatRating(NamedTuple):
    """The rating of a seat's player before a match, and after it where it has been rated."""

    seat: int
    before: Rating
    after: Rating | None = None


class MatchRating(NamedTuple):
    """What there is of ratings around a match.

    ``wanted``: between which ratings whoever joins has to be. ``seats``: of a rated match; of one
    that is over only when it has been rated.
    """

    wanted: Range | None = None
    seats: tuple[SeatRating, ...] = ()


class ShownMatch(NamedTuple):
    """A match for one viewer: the view, the names of its players, the viewer's own seat.

    ``imported``: when the match came in from elsewhere; None: it was played here. ``at``: when
    it was looked at. ``rating``: None where there is nothing of ratings.
    """

    view: MatchView
    names: Mapping[str, str]
    you: int | None
    imported: str | None = None
    at: str = ""
    rating: MatchRating | None = None

    def get_name(self, player: str | None) -> str | None:
        """Return the name of a player's id; None of None."""
        if player is None:
            return None
        name = self.names.get(player, player)
        return name if self.imported else NAMELESS.get(name, name)

    def is_nameless(self, player: str | None) -> bool:
        """Whether somebody who has no name of their own has played, here: as a visitor, say."""
        return not self.imported and self.names.get(player or "") in NAMELESS

    def tell_name(self, player: str | None) -> str | None:
        """Return a player's name for people to read; a house player's says what it is.

        What would steer how it is shown is escaped: only names that were imported have such
        characters.
        """
        name = self.get_name(player)
        if name is None:
            return None
        return name_house_player(player) or (quote_name(name) if self.imported else show_name(name))


def match_json(shown: ShownMatch) -> JsonObject:
    """Return the contract's match object, with ``clock`` and ``imported`` where there are."""
    view = shown.view
    state = None if view.sight is None else view.game.show(view.sight)
    clock = clock_json(view, shown.at)
    return {
        "id": view.id,
        "game": view.game.slug,
        "rules_version": view.game.rules_version,
        "options": view.options,
        "status": view.status,
        "visibility": view.visibility,
        "rated": view.rated,
        "version": view.version,
        "seats": [
            {"seat": seat, "player": shown.get_name(player), "house": LEVEL_OF.get(player)}
            for seat, player in enumerate(view.seats, 1)
        ],
        "opponent": shown.get_name(view.opponent),
        "you": shown.you,
        "to_act": view.to_act,
        "ply": view.ply,
        "pace": view.pace,
        "series": view.series,
        "deadline": view.deadline,
        "result": view.result,
        "state": state,
        "offers": offers_json(view.offers),
        "created_at": view.created_at,
        "updated_at": view.updated_at,
        **({} if clock is None else {"clock": clock}),
        **({} if shown.imported is None else {"imported": shown.imported}),
        **rating_json(shown.rating),
    }


def rating_json(found: MatchRating | None) -> JsonObject:
    """Return the members ``rating_range`` and ``ratings`` of a match, where it has them."""
    if found is None:
        return {}
    wanted = found.wanted
    told: JsonObject = {}
    if wanted is not None:
        told["rating_range"] = {"min": wanted.least, "max": wanted.most}
    if found.seats:
        told["ratings"] = [
            {
                "seat": one.seat,
                "before": one.before._asdict(),
                "after": None if one.after is None else one.after._asdict(),
            }
            for one in found.seats
        ]
    return told
