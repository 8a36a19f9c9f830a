"""The pages as one blueprint: their addresses, and what all their templates need."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, request, url_for

from services.accounts.sessions import Session
from services.errors import Unavailable
from services.matches.requests import AlreadyAnswered
from services.replays.replay import without_time
from web.http.addresses import here, rooted
from web.http.answers import stored_answer
from web.i18n import _, script_words
from web.pages import games
from web.pages.accounts import account, profiles
from web.pages.accounts import sessions as people
from web.pages.common import preferences
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
from web.pages.lobby import agenda as home
from web.pages.lobby import challenges, invitations, practice
from web.pages.lobby import lists as matches
from web.pages.matches import commands as playing
from web.pages.matches import conditional_moves as lines
from web.pages.matches import match, vacations
from web.pages.matches import talk as talking
from web.pages.replays import frames
from web.pages.replays import frames as following
from web.pages.replays import what_if as whatif
from web.pages.replays.timeline import draw_lines
from web.site import this_site

ROUTES = (
    ("/", "home", home.show_home, "GET"),
    ("/matches", "matches", matches.show_matches, "GET"),
    ("/p/<name>", "player", profiles.show_player, "GET"),
    ("/i/<token>", "invitation", invitations.show_invitation, "GET"),
    ("/i/<token>", "accept_invitation", invitations.accept_invitation, "POST"),
    ("/m/<match_id>/invitations", "invitations", invitations.show_invitations, "GET"),
    ("/m/<match_id>/invitations", "make_invitation", invitations.make_invitation, "POST"),
    (
        "/m/<match_id>/invitations/revoked",
        "revoke_invitation",
        invitations.revoke_invitation,
        "POST",
    ),
    ("/m/<match_id>/decline", "decline", challenges.decline_challenge, "POST"),
    ("/m/<match_id>/rematch", "rematch", challenges.ask_for_rematch, "POST"),
    ("/practice", "practice", practice.show_practice, "GET"),
    ("/practice", "begin_practice", practice.begin_practice, "POST"),
    ("/m/<match_id>/take-back", "take_back", practice.take_back, "POST"),
    ("/m/<match_id>/end-practice", "end_practice", practice.end_practice, "POST"),
    ("/new", "new_match", challenges.show_new_match, "GET"),
    ("/new", "create_match", challenges.create_match, "POST"),
    ("/games/<slug>", "game", games.show_game, "GET"),
    ("/sign-up", "show_sign_up", people.show_sign_up, "GET"),
    ("/sign-up", "sign_up", people.sign_up, "POST"),
    ("/log-in", "show_log_in", people.show_log_in, "GET"),
    ("/log-in", "log_in", people.log_in, "POST"),
    ("/log-out", "log_out", people.log_out, "POST"),
    ("/account", "account", account.show_account, "GET"),
    ("/account/password", "change_password", account.change_password, "POST"),
    ("/account/sessions", "end_session", account.end_session, "POST"),
    ("/account/tokens", "issue_token", account.issue_token, "POST"),
    ("/account/tokens/revoked", "revoke_token", account.revoke_token, "POST"),
    ("/account/vacation", "account_vacation", account.change_vacation, "POST"),
    ("/account/close", "close_account", account.close_account, "POST"),
    ("/account/closed", "closed", account.show_closed, "GET"),
)
"""Rule, endpoint, view, method."""


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
    ("/look", "choose_look", preferences.choose_look, "POST"),
    ("/confirm", "choose_confirming", preferences.choose_confirming, "POST"),
    ("/caller", "caller", show_caller, "GET"),
):
    pages.add_url_rule(rule, endpoint, view, methods=[method])

for helper in (clock, ending, moves, option, option_name, pace_of, player_mark, unusual):
    pages.add_app_template_filter(helper)
pages.add_app_template_global(form_token)
pages.add_app_template_filter(draw_lines, "graph_lines")
pages.add_app_template_filter(without_time)
pages.add_app_template_filter(_, "translated")


def _replayed(replayed: AlreadyAnswered) -> Response:
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


pages.register_error_handler(AlreadyAnswered, _replayed)
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
        "look": preferences.chosen_look(),
        "looks": preferences.LOOKS,
        "present_address": preferences.present_address(),
    }
