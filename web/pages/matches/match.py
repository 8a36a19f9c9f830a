"""A match's page: its replay, one step at a time, and at its end what one can do there.

A practice match belongs to the browser that holds it, and its page says so.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import NamedTuple, TypeAlias

from flask import Response, request, url_for

from domain.errors import Refusal
from domain.game.scene import remove_reach
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.state import ACTIVE, FINISHED, OPEN
from domain.match.views import MatchView, build_scene
from domain.search.engine import count_levels
from seeds.examples import make_beginnings
from services.drawing.svg.picture import NOWHERE, Ways
from services.drawing.svg.thumbnails import draw_thumbnail
from services.errors import Unavailable
from services.lobby.hints import Hint
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.replays.replay import Replay
from web.capacity.clients import get_client
from web.i18n import speak_of
from web.pages.boards.boards import Board, draw_boards
from web.pages.boards.cards import make_clocks
from web.pages.boards.entry import make_entry_url
from web.pages.common.answers import answer_page
from web.pages.common.forms import make_key, place_at
from web.pages.common.preferences import WAYS
from web.pages.common.visitors import find_acting, find_practiser
from web.pages.common.words import people_of
from web.pages.matches.actions import make_desk, read_entry
from web.pages.matches.panels import choose_panel, find_aftermath, make_panels
from web.pages.matches.series import find_standing
from web.pages.replays.exports import list_downloads, make_embed_url, make_preview
from web.pages.replays.frames import read_look, read_sight
from web.pages.replays.replay import ENDS, get_frame, make_replay_context
from web.site import get_site

View: TypeAlias = Callable[[str], Response]

_TRIES = 3
"""How often replay and legal moves are read until no move came in between."""


def show_match(match_id: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    """Show a match right after the event ``at`` (left out: the last one).

    ``as`` shows a finished match as somebody saw it. ``errors`` are of the forms on the page, by
    field. Raises ``NotFound``, and refusals for an ``at`` or ``as`` that cannot be.
    """
    look, errors = read_look(), errors or {}
    replay, legal = _get_replay_and_moves(look, match_id)
    speak_of(people_of(replay.shown))
    frame = get_frame(replay)
    present = frame is replay.frames[-1]
    offered = make_desk(replay, legal if present else None, build_scene(frame.view), errors)
    # A player's own board is walked over while they wait, too.
    waiting = Ways(placed=True) if offered["offers"] else NOWHERE
    ways = waiting if offered["entry"] is None else offered["entry"].ways
    series = find_standing(look, replay.shown)
    ahead = offered["turn"] and offered["turn"].ahead
    context = make_replay_context(replay, frame, ways, ahead, series.beyond if series else ENDS)
    view, asked, held = replay.shown.view, look.asked, find_acting()
    both_seats, aside = held is not None and held.both, make_panels(replay, frame.version)
    return answer_page(
        "matches/match.html",
        status=status,
        desk=offered if present and asked is None else None,
        downloads=list_downloads(view, frame, asked),
        embed_url=make_embed_url(view),
        preview=make_preview(replay.shown, frame),
        clocks=make_clocks(replay.shown),
        confirmings=WAYS,
        aside=aside,
        opened=choose_panel(view, aside, errors, context["analysis"]),
        errors=errors,
        key=make_key(),
        present_draft=make_present_url(view.id),
        after=find_aftermath(replay) if present and asked is None else None,
        held_until=held.until if held else None,
        both_seats=both_seats,
        can_hint=both_seats and view.status == ACTIVE and count_levels(view.game) > 0,
        hint=_find_hint(look, view) if present else None,
        terms=draw_beginning(replay.shown),
        puzzles=_list_puzzle_urls(view),
        series=series,
        **context,
    )


def refused_at(field: str, *refusals: type[Refusal]) -> Callable[[View], View]:
    """Let a view answer these refusals with the match's page, which says them at a field."""

    def add(view: View) -> View:
        @wraps(view)
        def show(match_id: str) -> Response:
            try:
                return view(match_id)
            except refusals as refusal:
                return show_match(match_id, *place_at(field, refusal))

        return show

    return add


def _find_hint(look: Asker, view: MatchView) -> str | None:
    """Return the move that was hinted at, where the address says that one was; else None."""
    if "hint" not in request.args or find_practiser() is None or read_entry().on != view.version:
        return None
    with suppress(Refusal):
        hint = get_hint(look, view.id)
        return hint.text if hint.version == view.version else None
    return None


def get_hint(look: Asker, match_id: str) -> Hint:
    """Return a hint, which is thought about when the client's turn comes.

    Raises what ``Hints.get`` does, ``TooOften`` and ``Unavailable``.
    """
    site = get_site()
    return site.workshop.make(get_client(), lambda: site.house.hints.get(look, match_id))


def _list_puzzle_urls(view: MatchView) -> list[str]:
    """Return the addresses of the puzzles that come from a match."""
    if view.game.secrets or view.status != FINISHED:
        return []
    found = get_site().house.puzzles.list_by_match(view.id)
    return [url_for("pages.puzzle", puzzle_id=one) for one in found]


def show_embed(match_id: str) -> Response:
    """Show a match's replay and nothing around it, to stand in a frame of another page.

    Raises ``NotFound`` for a private match: a frame knows nobody who is logged in.
    """
    look = Asker(None, read_sight())
    replay = get_site().house.replays.replay(look, match_id)
    series = find_standing(look, replay.shown)
    beyond = series.beyond if series else ENDS
    context = make_replay_context(replay, get_frame(replay), beyond=beyond)
    return answer_page("replays/embed.html", framed=True, **context)


def make_match_url(match_id: str) -> str:
    """Return the address of a match."""
    return url_for("pages.match", match_id=match_id)


def make_present_url(match_id: str) -> str:
    """Return the address of the present position, with the move that is being entered."""
    asked = read_entry()
    return make_entry_url(match_id, asked.on or 0, asked.path, then=asked.then)


def _get_replay_and_moves(look: Asker, match_id: str) -> tuple[Replay, list[JsonObject] | None]:
    """Return the replay, and the legal moves if the one who looks is to move, of one moment."""
    house = get_site().house
    for _ in range(_TRIES):
        replay = house.replays.replay(look, match_id)
        shown = replay.shown
        if shown.you is None or shown.view.to_act != shown.you or look.asked is not None:
            return replay, None
        legal = house.queries.list_legal_moves(look, match_id)
        if legal.version == shown.view.version:
            return replay, legal.moves
    raise Unavailable(say("The match goes on so fast that no moment of it can be shown."))


class StartingBoards(NamedTuple):
    """The boards of a match before its first move; ``by_chance``: chance may set them otherwise."""

    boards: list[Board]
    by_chance: bool


def draw_beginning(shown: ShownMatch) -> StartingBoards | None:
    """Return how a match that is open will begin, None of one that has."""
    view = shown.view
    if view.status != OPEN:
        return None
    first, other = (build_scene(one) for one in make_beginnings(view.game, view.options))
    if first is None or other is None:
        return StartingBoards([], by_chance=False)
    # What chance decides beside the board, such as who begins, is not shown here.
    by_chance = draw_thumbnail(first, "start") != draw_thumbnail(other, "start")
    return StartingBoards(draw_boards(remove_reach(first), prefix="start-").main, by_chance)
