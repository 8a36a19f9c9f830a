"""Ratings on pages: in points with their mark, and how one has gone as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from domain.rating.glicko2 import Rating, round_rating
from services.drawing.svg.markup import format_path, make_tag
from services.matches.match_json import SeatRating, ShownMatch
from services.store.ratings import Range, RatingChange
from web.i18n import _

WIDE, HIGH, EDGE = 1000.0, 60.0, 5.0
"""The units of a graph; it is stretched to whatever room there is."""


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


class Graph(NamedTuple):
    """How a rating has gone: a line over the matches, and the same in words (points)."""

    line: Markup
    matches: int
    lowest: int
    highest: int
    first: int
    last: int


def draw_graph(changes: Sequence[RatingChange]) -> Graph | None:
    """Return the graph of a history; None: a single match makes none."""
    if len(changes) < 2:  # noqa: PLR2004 - two points are no course
        return None
    values = [changes[0].before.rating, *(one.after.rating for one in changes)]
    lowest, highest = min(values), max(values)
    scale = (HIGH - 2 * EDGE) / max(1, highest - lowest)
    steps: list[str | float] = []
    for at, value in enumerate(values):
        x = WIDE * at / (len(values) - 1)
        steps += ["L" if steps else "M", x, HIGH - EDGE - (value - lowest) * scale]
    line = make_tag(
        "path", d=format_path(*steps), class_="course", vector_effect="non-scaling-stroke"
    )
    points = [round_rating(one) for one in (lowest, highest, values[0], values[-1])]
    return Graph(line, len(changes), *points)


HIGHEST = 9999
"""More than any rating, in points."""


def in_range(wanted: Range) -> str:
    """Say between which ratings whoever joins has to be."""
    least, most = round_rating(wanted.least), round_rating(wanted.most)
    if most >= HIGHEST:
        return _("for ratings from %(least)s on") % {"least": least}
    return _("for ratings from %(least)s to %(most)s") % {"least": least, "most": most}
