"""Matches as small cards: the board, who plays, how it stands, how much time is left."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from flask import url_for
from markupsafe import Markup

from domain.game.game import AnyGame
from domain.game.scene import turn_scene
from domain.match.clock import compute_time_left, format_pace, measure_span
from domain.match.narration import format_span
from domain.match.state import FINISHED
from domain.match.views import build_scene
from seeds.examples import find_opening, list_examples
from services.drawing.svg.markup import Point
from services.drawing.svg.thumbnails import draw_thumbnail
from services.lobby.lists import MatchFilter
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from web.pages.boards.boards import turns_by_itself
from web.site import get_site


class Clocks(NamedTuple):
    """The clocks of both seats.

    ``deadline``: of the seat to act, and ``left`` how far that is away in words. ``paused``: until
    when both stand, or None. Of each of ``seats``, ``until`` says when its time is up, if it runs
    or will run when breaks end, and ``away`` until when its player is on vacation.
    """

    pace: str
    seats: list[dict[str, Any]]
    deadline: str | None
    left: str
    paused: str | None
    is_up: bool


def make_clocks(shown: ShownMatch) -> Clocks | None:
    """Return the clocks of a match that has some and has begun, None otherwise."""
    view, now = shown.view, shown.at
    clock = view.clock
    if clock is None:
        return None
    deadline = view.deadline
    seats = [
        {
            "seat": seat,
            "left": format_span(left),
            "running": clock.running == seat,
            "until": deadline if clock.running == seat else None,
            "away": away if away > now else None,
        }
        for seat, left, away in zip(
            (1, 2), compute_time_left(clock, now), clock.away_until, strict=True
        )
    ]
    return Clocks(
        format_pace(view.pace),
        seats,
        deadline,
        "" if deadline is None else format_span(measure_span(now, deadline)),
        clock.paused_until if clock.paused_until > now and clock.running else None,
        deadline is not None and deadline <= now,
    )


FEW = 6
"""How many matches other pages show of a list; the lists have the rest."""

FIRST = 1
"""The version from which a replay shows the position before the first move."""


class MatchCard(NamedTuple):
    """One match of a list.

    ``picture``: its board; before it has ``begun`` one of its game, or None. ``watch``: where its
    replay begins, of one that is finished.
    """

    shown: ShownMatch
    url: str
    picture: Markup | None
    begun: bool
    night: bool
    pace: str
    clocks: Clocks | None
    watch: str | None


def make_card(shown: ShownMatch, prefix: str = "t") -> MatchCard:
    """Return a match as a card; ``prefix`` differs from list to list on a page."""
    view = shown.view
    scene = build_scene(view)
    begun = scene is not None
    if scene is None:
        # The board as it may look at first, so that one sees which game it is.
        first = find_opening(view.game.slug)
        scene = None if first is None else build_scene(first)
    if scene is not None and turns_by_itself(shown):
        scene = turn_scene(scene)
    picture = None if scene is None else draw_thumbnail(scene, f"{prefix}-{view.id}")
    watch = url_for("pages.match", match_id=view.id, at=FIRST, play="1", _anchor="board")
    return MatchCard(
        shown,
        url_for("pages.match", match_id=view.id),
        picture,
        begun,
        bool(scene and scene.trails),
        format_pace(view.pace),
        make_clocks(shown),
        watch if view.status == FINISHED else None,
    )


def make_cards(matches: Iterable[ShownMatch], prefix: str = "t") -> list[MatchCard]:
    """Return matches as cards."""
    return [make_card(one, prefix) for one in matches]


class Tile(NamedTuple):
    """A game to choose: its picture is one of its board, or None."""

    game: AnyGame
    picture: Markup | None
    night: bool


_TILE = Point(180, 120)
"""How large the picture of a tile is at least; on phones, smaller, nothing is written on it."""


def make_tiles(*, begun: bool = False) -> list[Tile]:
    """Return the games to choose from, with their boards at the start, or once play has begun."""
    return [Tile(game, *_draw_tile(game.slug, begun)) for game in get_site().house.games]


# Without it the first page takes 36 ms of processor time in the place of 26.
@lru_cache(maxsize=64)
def _draw_tile(slug: str, begun: bool) -> tuple[Markup | None, bool]:  # noqa: FBT001
    """Return a game's picture, and whether it shows a dark ground."""
    moments = list_examples(slug) if begun else ()
    view = moments[len(moments) // 2].view if moments else find_opening(slug)
    scene = None if view is None else build_scene(view)
    if scene is None:
        return None, False
    return draw_thumbnail(scene, f"tile-{slug}", _TILE), bool(scene.trails)


def list_cards(look: Asker, filters: MatchFilter, most: int = FEW) -> list[MatchCard]:
    """Return the first matches of a list as cards."""
    return make_cards(get_site().house.lobby.list_matches(look, filters, limit=most).listed)
