"""The pages as one blueprint, with what all their templates need."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, request, url_for

from services.accounts.sessions import Session
from services.errors import Unavailable
from services.matches.answers import Replayed
from services.replays.replays import without_time
from web.http.addresses import here, rooted
from web.http.answers import stored_answer
from web.pages import showcase
from web.pages.common import confirming, looks
from web.pages.common.answers import lead_to
from web.pages.common.failures import answer_failure
from web.pages.common.forms import refuse_forged
from web.pages.common.visitors import (
    LogInFirst,
    form_token,
    hand_out_cookies,
    made_for,
    show_caller,
    tell_caller,
    visitor,
)
from web.pages.common.words import (
    clock,
    ending,
    moves,
    option,
    option_name,
    pace_of,
    player_mark,
    unusual,
)
from web.pages.lobby_routes import ROUTES
from web.pages.matches import commands as playing
from web.pages.matches import conditional_moves as lines
from web.pages.matches import match, vacations
from web.pages.matches import talk as talking
from web.pages.replays import following, frames
from web.pages.replays import what_if as whatif
from web.pages.replays.timeline import draw_lines
from web.script_words import script_words
from web.site import this_site
from web.texts import _

pages = Blueprint("pages", __name__)
pages.before_request(refuse_forged)
pages.after_request(hand_out_cookies)
pages.after_request(tell_caller)

for rule, endpoint, view, method in (
    *ROUTES,
    ("/m/<match_id>", "match", match.show_match, "GET"),
    ("/m/<match_id>/frames", "frames", frames.show_frames, "GET"),
    ("/m/<match_id>/events", "events", frames.show_events, "GET"),
    ("/m/<match_id>/stream", "stream", following.follow_match, "GET"),
    ("/m/<match_id>/embed", "embed", match.show_embed, "GET"),
    ("/m/<match_id>/line", "line", whatif.show_line, "GET"),
    ("/m/<match_id>/join", "join", playing.join_match, "POST"),
    ("/m/<match_id>/moves", "play", playing.play_move, "POST"),
    ("/m/<match_id>/actions", "act", playing.take_action, "POST"),
    ("/m/<match_id>/vacation", "vacation", vacations.change_vacation, "POST"),
    ("/m/<match_id>/chat", "say", talking.say, "POST"),
    ("/m/<match_id>/chat/deletions", "unsay", talking.unsay, "POST"),
    ("/m/<match_id>/notes", "note", talking.note, "POST"),
    ("/m/<match_id>/lines", "add_line", lines.add_line, "POST"),
    ("/m/<match_id>/lines/deletions", "remove_line", lines.remove_line, "POST"),
    ("/look", "choose_look", looks.choose_look, "POST"),
    ("/confirm", "choose_confirming", confirming.choose_confirming, "POST"),
    ("/style", "style", showcase.show_style, "GET"),
    ("/caller", "caller", show_caller, "GET"),
):
    pages.add_url_rule(rule, endpoint, view, methods=[method])

for helper in (clock, ending, moves, option, option_name, pace_of, player_mark, unusual):
    pages.add_app_template_filter(helper)
pages.add_app_template_global(form_token)
pages.add_app_template_filter(draw_lines, "graph_lines")
pages.add_app_template_filter(without_time)
pages.add_app_template_filter(_, "translated")


def _replayed(replayed: Replayed) -> Response:
    """A form that was sent twice leads where it led the first time."""
    return stored_answer(replayed.answer)


def _log_in_first(_: LogInFirst) -> Response:
    """Lead to the log-in, and from there back to what was asked for."""
    match_id = (request.view_args or {}).get("match_id")
    if request.method != "POST":
        following = rooted(request.full_path.rstrip("?"))
    elif match_id is not None:
        following = url_for("pages.match", match_id=match_id)
    else:
        following = here()
    ended = "1" if request.method == "POST" and made_for() else None
    return lead_to(url_for("pages.show_log_in", next=following, ended=ended))


pages.register_error_handler(Replayed, _replayed)
pages.register_error_handler(LogInFirst, _log_in_first)
pages.register_error_handler(Exception, answer_failure)


@pages.app_context_processor
def _everywhere() -> dict[str, Any]:
    """Give every template the games, whose rule books every page links to, and who looks."""
    found: Session | None = None
    with suppress(Unavailable):
        found = visitor()
    return {
        "games": list(this_site().house.games),
        "script_words": script_words(),
        "visitor": found,
        "look": looks.chosen_look(),
        "looks": looks.LOOKS,
        "present_address": looks.present_address(),
    }
