"""What the one who looks at a match can do there: move, join, ask, answer, give up."""

from __future__ import annotations

from typing import Any

from flask import request

from domain.errors import Refusal
from domain.game.scene import Scene
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.state import ACTIVE, OPEN
from domain.match.views import MatchView
from services.errors import InvalidRequest
from services.matches.queries import Asker
from services.matches.vacations import Balance
from services.replays.replay import Replay
from web.pages.boards.boards import read_flip
from web.pages.boards.entry import EntryAddress, make_entry_url
from web.pages.boards.turn import enter_turn
from web.pages.common.forms import make_fields, make_key
from web.pages.common.preferences import plays_at_once
from web.pages.common.visitors import find_actor, find_practiser, find_visitor, player_of
from web.pages.common.words import tale
from web.pages.matches.offers import ABORTABLE_PLIES, SURE, list_asks, list_proposals
from web.site import get_site

MOST_NEWS = 12
"""How many of the newest events are told to somebody who comes back with an old page."""


def make_desk(
    replay: Replay,
    legal: list[JsonObject] | None,
    scene: Scene | None,
    errors: dict[str, str],
) -> dict[str, Any]:
    """Return what the visitor can do in a match.

    ``legal``: the moves of their seat, None unless it is to move; ``scene``: what they see of the
    present position. ``errors``: of a form for joining, by field.

    ``entry`` is the move being entered, ``turn`` what goes before it in the same turn. ``typed``: a
    move that was typed, and ``fault`` why it cannot be made; ``why``: the same of a step that leads
    nowhere. ``news``: what happened since the page that led here. ``settings``: what one may bring
    when joining. ``offers``: actions of which ``sure`` is the one that waits for a second click.
    ``proposals`` stand, ``asks`` can be made. ``barred``: the free seat is not for them, because of
    who created the match. ``settled``: why it will be a draw, where it is not agreed on yet.
    ``vacation``: what the player has left, where the pace allows it. ``here``: the address of all
    this, with the move that is being entered. ``next_turn``: another match that waits.
    """
    view, asked = replay.shown.view, read_entry()
    typed, fault = (asked.move, None) if legal is None else _read(view, asked.move)
    offers = _list_offers(replay)
    sure = request.args.get("ask")
    entered = asked._replace(move=typed, at_once=plays_at_once())
    turn = None if not legal or scene is None else enter_turn(view, legal, entered)
    entry = None if turn is None else turn.entry
    draft = () if entry is None else entry.path
    then = [] if turn is None else turn.texts
    may_join, barred = _may_join(replay)
    return {
        "version": view.version,
        "key": make_key(),
        "entry": entry,
        "turn": turn,
        "typed": asked.move,
        "fault": fault,
        "why": None if entry is None or not entry.tried else _read(view, entry.tried)[1],
        "news": _list_news(replay, asked.on),
        "may_join": may_join,
        "barred": barred,
        "settings": make_fields(view.game.settings, "settings") if may_join else [],
        "errors": errors,
        "offers": offers,
        "sure": sure if sure in offers else None,
        "proposals": list_proposals(view, replay.frames, replay.shown.you),
        "asks": [] if find_practiser() else list_asks(replay),
        "settled": _tell_settled(replay),
        "vacation": _find_vacation(replay),
        "at_once": plays_at_once(),
        "here": make_entry_url(view.id, view.version, draft, then=then),
        "flip": read_flip(),
        "next_turn": None if entry is not None else _find_next_turn(view.id),
        "draft": draft,
    }


def read_entry() -> EntryAddress:
    """Return what the address says of a move being entered. Raises ``InvalidRequest``."""
    on = request.values.get("on", "")
    if on and not (on.isascii() and on.isdecimal() and len(on) < 10):  # noqa: PLR2004 - a version
        raise InvalidRequest(say("'on' is the number of an event, such as 7."), pointer="/on")
    path, then = (tuple(request.values.getlist(name)) for name in ("path", "then"))
    typed, pay = request.args.get("move", "").strip(), "pay" in request.args
    return EntryAddress(path, typed, int(on) if on else None, pay=pay, then=then)


def _read(view: MatchView, typed: str) -> tuple[str, str | None]:
    """Return the notation of a typed move, and why it cannot be made, if it cannot."""
    if not typed:
        return "", None
    game, queries = view.game, get_site().house.queries
    try:
        move = game.notation.read(typed)
        fault = queries.find_fault(Asker(player_of(find_actor())), view.id, move)
        return game.notation.write(game.dump_move(game.parse_move(move))), fault
    except Refusal as refusal:
        return "", refusal.detail


def _find_next_turn(match_id: str) -> str | None:
    """Return the id of another match in which it is the turn of who is logged in, or None."""
    player = find_visitor()
    return (
        None if player is None else get_site().house.agenda.find_next_turn(player.player, match_id)
    )


def _list_news(replay: Replay, on: int | None) -> list[str]:
    if on is None or on >= replay.shown.view.version:
        return []
    told = [
        tale(frame, replay.shown) for frame in replay.frames if frame.version > on and frame.event
    ]
    return told[-MOST_NEWS:]


def _may_join(replay: Replay) -> tuple[bool, bool]:
    """Tell whether the reader may take the free seat, and whether only its creator is in the way.

    That one is suspended, or one of the two has blocked the other: which, is not told.
    """
    view, player = replay.shown.view, find_visitor()
    if view.status != OPEN or player is None or replay.shown.you is not None:
        return False, False
    is_theirs = view.opponent in (None, player.player)
    apart = get_site().house.relations.list_unreachable(player.player, [view.creator])
    return is_theirs and not apart, is_theirs and bool(apart)


def _list_offers(replay: Replay) -> tuple[str, ...]:
    view = replay.shown.view
    if replay.shown.you is None or find_practiser():
        return ()
    if view.status == OPEN:
        return ("abort",)
    if view.status != ACTIVE:
        return ()
    if view.series is not None:
        abort = ("abort",) * (view.series["number"] == 1 and view.ply < ABORTABLE_PLIES)
        return ("resign", "leave_series", *abort)
    return SURE if view.ply < ABORTABLE_PLIES else ("resign",)


def _tell_settled(replay: Replay) -> str | None:
    """Say why nothing can be decided any more, to a player who may offer a draw now."""
    view = replay.shown.view
    if replay.shown.you is None or view.status != ACTIVE or view.sight is None or find_practiser():
        return None
    return None if view.offers.draw else view.game.tell_settled(view.sight)


def _find_vacation(replay: Replay) -> Balance | None:
    """Return the player's vacation, if the clocks of this match would stand for it."""
    view = replay.shown.view
    if replay.shown.you is None or view.status != ACTIVE or view.clock is None:
        return None
    if not view.clock.pace.vacation:
        return None
    return get_site().house.vacations.get_balance(view.seats[replay.shown.you - 1] or "")
