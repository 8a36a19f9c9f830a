"""A series' page, and what the page of a match of one says about it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from flask import Response, url_for

from domain.match.series import format_points
from domain.match.state import ACTIVE, FINISHED
from domain.match.views import MatchView
from services.errors import NotFound
from services.lobby.series import ShownSeries
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from web.pages.boards.cards import FIRST, make_cards
from web.pages.common.answers import answer_page
from web.pages.common.visitors import find_actor, player_of
from web.pages.common.words import describe_series
from web.pages.replays.steps import Beyond, choose_replay_page, make_sight_query
from web.site import get_site


class Standing(NamedTuple):
    """Where a match stands in its series.

    ``points``: of each player, by id. ``before``, ``following``: addresses of the matches next to
    it, from their first step on if they are over. ``beyond``: the same for who steps on and on.
    """

    url: str
    number: int
    terms: str
    points: Sequence[tuple[str | None, str]]
    before: str | None
    following: str | None
    beyond: Beyond


def find_standing(look: Asker, shown: ShownMatch) -> Standing | None:
    """Say where a match stands in its series; None: it is of none, or that is not here."""
    series = None if shown.view.series is None else _find_series(look, shown.view.series["id"])
    ids = [] if series is None else [one.view.id for one in series.matches]
    if series is None or shown.view.id not in ids:
        return None
    place = ids.index(shown.view.id)
    before, following = series.matches[:place][-1:], series.matches[place + 1 : place + 2]
    return Standing(
        url_for("pages.series", series_id=series.id),
        place + 1,
        describe_series(series.terms),
        list_standings(series),
        _make_walk_url(before[0].view) if before else None,
        _make_walk_url(following[0].view) if following else None,
        Beyond(
            _make_beyond_url(look, before[0].view) if before else None,
            _make_beyond_url(look, following[0].view, FIRST) if following else None,
        ),
    )


_OTHER_SEAT = {"seat-1": "seat-2", "seat-2": "seat-1"}
"""Where somebody sits in the next match of a series who sat there in this one."""


def _make_beyond_url(look: Asker, view: MatchView, at: int | None = None) -> str:
    """Return where a replay goes on in another match, through the eyes of the same player.

    What a seat sees of a match that runs nobody can ask for.
    """
    seen = _OTHER_SEAT.get(look.asked or "", look.asked) if view.status == FINISHED else None
    sight = make_sight_query(seen)
    return url_for(choose_replay_page(), match_id=view.id, at=at, _anchor="board", **sight)


def _find_series(look: Asker, series: str) -> ShownSeries | None:
    with suppress(NotFound):
        return get_site().house.series.show(Asker(look.caller), series)
    return None


def _make_walk_url(view: MatchView) -> str:
    """Return where somebody goes on who walks from match to match."""
    at = None if view.status == ACTIVE else FIRST
    return url_for("pages.match", match_id=view.id, at=at, _anchor="board")


def goes_on(view: MatchView) -> bool:
    """Whether another match has followed on one that is over."""
    if view.series is None:
        return False
    found = _find_series(Asker(player_of(find_actor())), view.series["id"])
    return found is not None and found.last.view.id != view.id


def list_standings(series: ShownSeries) -> list[tuple[str | None, str]]:
    """Return the ids of the players of a series, None for a free seat, each with their points."""
    return [(one, format_points(series.count_half_points(one))) for one in series.players]


def show_series(series_id: str) -> Response:
    """Show a series: score, what is next, and the boards of its matches. Raises ``NotFound``."""
    shown = get_site().house.series.show(Asker(player_of(find_actor())), series_id)
    score, last = shown.score, shown.last
    return answer_page(
        "matches/series.html",
        series=shown,
        terms=describe_series(shown.terms),
        standings=list_standings(shown),
        champion=score.champion,
        left=max(0, score.planned - score.played),
        last=last,
        game=last.view.game,
        found=make_cards(shown.matches, "series"),
        export=url_for("api.export_series", series_id=shown.id),
    )
