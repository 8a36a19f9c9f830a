"""Ratings on pages: in points, with their mark, and those that a match is open to."""

from __future__ import annotations

from markupsafe import Markup, escape

from domain.rating.glicko2 import Rating, round_rating
from services.drawing.svg.markup import make_tag
from services.matches.match_json import SeatRating, ShownMatch
from services.store.ratings import Range
from web.i18n import _


def in_points(rating: Rating) -> Markup:
    """Return a rating in points, with a mark while it says little.

    >>> str(in_points(Rating(150049, 5000, 60000)))
    '1500'
    """
    shown = escape(round_rating(rating.rating))
    if not rating.provisional:
        return shown
    hint = _("provisional: it rests on few matches")
    mark = make_tag("span", "?", aria_hidden="true", title=hint)
    return shown + mark + make_tag("span", f" ({hint})", class_="visually-hidden")


def seat_rating(shown: ShownMatch, seat: int) -> SeatRating | None:
    """Return what a match has to do with the rating of a seat's player, or None."""
    found = shown.rating.seats if shown.rating else ()
    return next((one for one in found if one.seat == seat), None)


HIGHEST = 9999
"""More than any rating, in points."""


def in_range(wanted: Range) -> str:
    """Say between which ratings whoever joins has to be."""
    least, most = round_rating(wanted.least), round_rating(wanted.most)
    if most >= HIGHEST:
        return _("for ratings from %(least)s on") % {"least": least}
    return _("for ratings from %(least)s to %(most)s") % {"least": least, "most": most}
