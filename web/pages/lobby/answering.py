"""Answers of players to each other around a match: a challenge declined, a rematch asked for."""

from __future__ import annotations

from flask import Response, url_for

from domain.errors import MatchNotOpen, NoRematch
from services.errors import InvalidText, UnknownOpponent
from web.http.problems_of_web import PROBLEMS
from web.pages.common.forms import answer_command, text
from web.pages.common.visitors import the_player
from web.pages.matches.match import match_page
from web.site import this_site


def decline_challenge(match_id: str) -> Response:
    """Decline a challenge, with the reason that was typed, and lead to the first page."""
    starting, reason = this_site().house.starting, text("reason")
    the_player()
    try:
        return answer_command(
            lambda request: starting.decline(request, match_id, reason or None),
            lambda _: url_for("pages.home"),
        )
    except InvalidText as refusal:
        return match_page(match_id, PROBLEMS[refusal.code].status, {"reason": refusal.detail})


def ask_for_rematch(match_id: str) -> Response:
    """Ask for the same again with seats swapped, or take it up; lead to that match."""
    rematches = this_site().house.rematches
    the_player()
    try:
        return answer_command(
            lambda request: rematches.ask(request, match_id).done,
            lambda rematch: url_for("pages.match", match_id=rematch, _anchor="entry"),
        )
    except (MatchNotOpen, NoRematch, UnknownOpponent) as refusal:
        return match_page(match_id, PROBLEMS[refusal.code].status, {"action": refusal.detail})
