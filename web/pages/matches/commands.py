"""What players send from a match's page: a seat taken, a move, an action."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Response, request, url_for

from domain.errors import (
    CannotTakeBack,
    ClockForbids,
    IllegalMove,
    InvalidSettings,
    MalformedMove,
    MatchNotActive,
    NoSuchOffer,
    NotYourTurn,
    OfferPending,
)
from domain.json_types import JsonObject
from services.errors import StaleVersion
from services.matches.actions import NEEDS, NUMBERS, Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, CommandResult
from web.pages.boards.entry import ANCHOR, make_entry_url
from web.pages.common.answers import lead_to
from web.pages.common.forms import (
    answer_command,
    place_refusal,
    read_decided_on,
    read_number,
    read_options,
    read_text,
)
from web.pages.common.visitors import find_guest, get_actor, get_player
from web.pages.matches.match import refused_at, show_match
from web.pages.matches.offers import SURE
from web.site import get_site


def join_match(match_id: str) -> Response:
    """Take the free seat of a match."""
    house, player = get_site().house, get_player()
    game = house.queries.show(Asker(player.player), match_id).view.game
    settings = read_options(game.settings, "settings")
    try:
        return answer_command(
            lambda request: house.matches.join(request, match_id, settings), make_entry_url
        )
    except InvalidSettings as refusal:
        return show_match(match_id, *place_refusal(refusal))


def play_move(match_id: str) -> Response:
    """Make the moves that were confirmed; if one cannot be made, lead to the page that says why."""
    house, player = get_site().house, get_actor()
    written, version = read_text("move"), read_decided_on("version")
    game = house.queries.show(Asker(player.player), match_id).view.game
    before = request.form.getlist("then")
    try:
        moves = [game.notation.read(one) for one in (*before, written)]
        return answer_command(
            lambda asked: _play_turn(asked, match_id, moves), make_entry_url, version, player
        )
    except StaleVersion:
        # What was chosen stays where it is still possible, and the page tells what happened.
        return lead_to(make_entry_url(match_id, version, request.form.getlist("path"), then=before))
    except (IllegalMove, MalformedMove):
        return lead_to(make_entry_url(match_id, version, (), move=written, then=before))


def _play_turn(asked: ChangeRequest, match_id: str, moves: Sequence[JsonObject]) -> CommandResult:
    """Play the moves of a turn, each behind the one before; where one cannot be, it ends there.

    The first has the form's own key: a form that was sent before is known by it, and the rest of
    its turn was played then.
    """
    play = get_site().house.matches.play
    done = play(asked, match_id, moves[0])
    with suppress(IllegalMove, MatchNotActive, NotYourTurn, StaleVersion):
        for move in moves[1:]:
            then = replace(asked, record=None, expected=done.shown.view.version)
            done = play(then, match_id, move)
    return done


# Refusals after which the match is as it was, and its page is the place to go on.
@refused_at("action", CannotTakeBack, ClockForbids, MatchNotActive, NoSuchOffer, OfferPending)
def take_action(match_id: str) -> Response:
    """Carry out an action: resign, propose, answer, give time; what cannot be is said there."""
    matches, version = get_site().house.matches, read_decided_on("version")
    player = find_guest() or get_player()
    members: dict[str, Any] = {
        name: read_number(name) if name in NUMBERS else read_text(name) or None
        for name in NEEDS.values()
    }
    action = Action(read_text("action"), **members)
    path, then = (request.form.getlist(name) for name in ("path", "then"))
    try:
        return answer_command(
            lambda asked: matches.act(asked, match_id, action),
            lambda _: make_entry_url(match_id, version, path, then=then),
            version,
            player,
        )
    except StaleVersion:
        ask = action.name if action.name in SURE else None
        told: dict[str, Any] = {
            "match_id": match_id,
            "path": path,
            "then": then,
            "on": version,
            "ask": ask,
        }
        return lead_to(url_for("pages.match", **told, _anchor=ANCHOR))
