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
from domain.game.scene import at_rest
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.state import ACTIVE, FINISHED, OPEN
from domain.match.views import MatchView, drawn
from domain.search.engine import levels
from seeds.examples import beginnings
from services.drawing.svg.picture import NOWHERE, Ways
from services.drawing.svg.thumbnails import thumbnail
from services.errors import Unavailable
from services.lobby.hints import Hint
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.replays.replay import Replay
from web.capacity.clients import client
from web.http.problems import PROBLEMS
from web.i18n import speak_of
from web.pages.boards.boards import Board, draw_boards
from web.pages.boards.cards import clocks
from web.pages.boards.entry import entry_url
from web.pages.common.answers import answer_page
from web.pages.common.forms import fresh_key
from web.pages.common.preferences import WAYS
from web.pages.common.visitors import acting, practising
from web.pages.common.words import people_of
from web.pages.matches.actions import asked_entry, desk
from web.pages.matches.panels import after, beside, opened
from web.pages.matches.series import standing
from web.pages.replays.exports import downloads, embed_url, preview
from web.pages.replays.frames import asked_look
from web.pages.replays.replay import ENDS, asked_sight, frame_at, replaying
from web.site import this_site

View: TypeAlias = Callable[[str], Response]

_TRIES = 3
"""How often replay and legal moves are read until no move came in between."""


def show_match(match_id: str, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    """Show a match right after the event ``at`` (left out: the last one).

    ``as`` shows a finished match as somebody saw it. ``errors`` are of the forms on the page, by
    field. Raises ``NotFound``, and refusals for an ``at`` or ``as`` that cannot be.
    """
    look = asked_look()
    replay, legal = _replay_and_moves(look, match_id)
    speak_of(people_of(replay.shown))
    frame = frame_at(replay)
    present = frame is replay.frames[-1]
    offered = desk(replay, legal if present else None, drawn(frame.view), errors)
    # A player's own board is walked over while they wait, too.
    waiting = Ways(placed=True) if offered["offers"] else NOWHERE
    ways = waiting if offered["entry"] is None else offered["entry"].ways
    series = standing(look, replay.shown)
    ahead = offered["turn"] and offered["turn"].ahead
    context = replaying(replay, frame, ways, ahead, series.beyond if series else ENDS)
    view, asked, held = replay.shown.view, look.asked, acting()
    both_seats, aside = held is not None and held.both, beside(replay, frame.version)
    return answer_page(
        "matches/match.html",
        status=status,
        desk=offered if present and asked is None else None,
        downloads=downloads(view, frame, asked),
        embed_url=embed_url(view),
        preview=preview(replay.shown, frame),
        clocks=clocks(replay.shown),
        confirmings=WAYS,
        aside=aside,
        opened=opened(view, aside, errors or {}, context["analysis"]),
        errors=errors or {},
        talk_key=fresh_key(),
        present_draft=here(view.id),
        after=after(replay) if present and asked is None else None,
        held_until=held.until if held else None,
        both_seats=both_seats,
        can_hint=both_seats and view.status == ACTIVE and levels(view.game) > 0,
        hint=_hint(look, view) if present else None,
        terms=terms(replay.shown),
        puzzles=_puzzles(view),
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
                status = PROBLEMS[refusal.code].status
                return show_match(match_id, status, {field: refusal.detail})

        return show

    return add


def _hint(look: Asker, view: MatchView) -> str | None:
    """Return the move that was hinted at, where the address says that one was; else None."""
    if "hint" not in request.args or practising() is None or asked_entry().on != view.version:
        return None
    with suppress(Refusal):
        hint = hint_of(look, view.id)
        return hint.text if hint.version == view.version else None
    return None


def hint_of(look: Asker, match_id: str) -> Hint:
    """Return a hint, which is thought about when the client's turn comes.

    Raises what ``Hints.of`` does, ``TooOften`` and ``Unavailable``.
    """
    site = this_site()
    return site.workshop.make(client(), lambda: site.house.hints.of(look, match_id))


def _puzzles(view: MatchView) -> list[str]:
    """Return the addresses of the puzzles that come from a match."""
    if view.game.secrets or view.status != FINISHED:
        return []
    found = this_site().house.puzzles.of_match(view.id)
    return [url_for("pages.puzzle", puzzle_id=one) for one in found]


def show_embed(match_id: str) -> Response:
    """Show a match's replay and nothing around it, to stand in a frame of another page.

    Raises ``NotFound`` for a private match: a frame knows nobody who is logged in.
    """
    look = Asker(None, asked_sight())
    replay = this_site().house.replays.replay(look, match_id)
    series = standing(look, replay.shown)
    beyond = series.beyond if series else ENDS
    context = replaying(replay, frame_at(replay), beyond=beyond)
    return answer_page("replays/embed.html", framed=True, **context)


def match_url(match_id: str) -> str:
    """Return the address of a match."""
    return url_for("pages.match", match_id=match_id)


def here(match_id: str) -> str:
    """Return the address of the present position, with the move that is being entered."""
    asked = asked_entry()
    return entry_url(match_id, asked.on or 0, asked.path, then=asked.then)


def _replay_and_moves(look: Asker, match_id: str) -> tuple[Replay, list[JsonObject] | None]:
    """Return the replay, and the legal moves if the one who looks is to move, of one moment."""
    house = this_site().house
    for _ in range(_TRIES):
        replay = house.replays.replay(look, match_id)
        shown = replay.shown
        if shown.you is None or shown.view.to_act != shown.you or look.asked is not None:
            return replay, None
        legal = house.queries.legal_moves(look, match_id)
        if legal.version == shown.view.version:
            return replay, legal.moves
    raise Unavailable(say("The match goes on so fast that no moment of it can be shown."))


class StartingBoards(NamedTuple):
    """The boards of a match before its first move; ``by_chance``: chance may set them otherwise."""

    boards: list[Board]
    by_chance: bool


def terms(shown: ShownMatch) -> StartingBoards | None:
    """Return how a match that is open will begin, None of one that has."""
    view = shown.view
    if view.status != OPEN:
        return None
    first, other = (drawn(one) for one in beginnings(view.game, view.options))
    if first is None or other is None:
        return StartingBoards([], by_chance=False)
    # What chance decides beside the board, such as who begins, is not shown here.
    by_chance = thumbnail(first, "start") != thumbnail(other, "start")
    return StartingBoards(draw_boards(at_rest(first), prefix="start-").main, by_chance)
