"""The pages as one blueprint: their addresses, and what all their templates need."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, has_request_context, request, url_for

from services.accounts.sessions import Session
from services.errors import Unavailable
from services.matches.requests import AlreadyAnswered
from services.store.people.profiles import show_name
from web.http.answers import answer_stored
from web.http.requests import add_root
from web.i18n import _, find_script_words
from web.pages import games, moderation, ratings
from web.pages.accounts import (
    account,
    browsers,
    emails,
    forgotten_passwords,
    notices,
    passkeys,
    profiles,
    recovery,
    sessions,
    settings,
    subscriptions,
    webhooks,
)
from web.pages.boards.boards import holder, read_flip
from web.pages.common import badge, preferences, words
from web.pages.common import ratings as rating_words
from web.pages.common.answers import lead_to
from web.pages.common.assets import address_of
from web.pages.common.forms import refuse_forged
from web.pages.common.visitors import (
    LogInFirst,
    count_turns,
    find_form_player,
    find_visitor,
    form_token,
    hand_out_cookies,
    show_caller,
    tell_caller,
)
from web.pages.lobby import agenda, challenges, invitations, lists, practice
from web.pages.lobby import series as all_series
from web.pages.matches import analysis, commands, conditional_moves, match, series, talk, vacations
from web.pages.puzzles import lists as puzzle_lists
from web.pages.puzzles import puzzles
from web.pages.replays import frames, what_if
from web.site import get_site

ROUTES = (
    ("/", "home", agenda.show_home, "GET"),
    ("/matches", "matches", lists.show_matches, "GET"),
    ("/players", "players", profiles.show_players, "GET"),
    ("/turns", "turns", badge.follow_turns, "GET"),
    ("/players/names", "names", profiles.show_names, "GET"),
    ("/p/<name>", "player", profiles.show_player, "GET"),
    ("/p/<name>/card", "card", profiles.show_card, "GET"),
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
    ("/m/<match_id>/hint", "hint", practice.show_hint, "GET"),
    ("/m/<match_id>/take-back", "take_back", practice.take_back, "POST"),
    ("/m/<match_id>/end-practice", "end_practice", practice.end_practice, "POST"),
    ("/puzzles", "puzzles", puzzle_lists.show_puzzles, "GET"),
    ("/puzzles/<puzzle_id>", "puzzle", puzzles.show_puzzle, "GET"),
    ("/puzzles/<puzzle_id>", "try_puzzle", puzzles.try_puzzle, "POST"),
    ("/puzzles/<puzzle_id>/solution", "solution", puzzles.show_solution, "GET"),
    ("/puzzles/<puzzle_id>/solution", "give_up_puzzle", puzzles.give_up_puzzle, "POST"),
    ("/new", "new_match", challenges.show_new_match, "GET"),
    ("/new", "create_match", challenges.create_match, "POST"),
    ("/games/<slug>", "game", games.show_game, "GET"),
    ("/games/<slug>/ratings", "ratings", ratings.show_ratings, "GET"),
    ("/sign-up", "show_sign_up", sessions.show_sign_up, "GET"),
    ("/sign-up", "sign_up", sessions.sign_up, "POST"),
    ("/log-in", "show_log_in", sessions.show_log_in, "GET"),
    ("/log-in", "log_in", sessions.log_in, "POST"),
    ("/log-out", "log_out", sessions.log_out, "POST"),
    ("/recover", "show_recover", recovery.show_recover, "GET"),
    ("/recover", "recover", recovery.recover, "POST"),
    ("/moderation", "moderation", moderation.show_moderation, "GET"),
    ("/moderation", "moderate", moderation.moderate, "POST"),
    ("/account", "account", account.show_account, "GET"),
    ("/account/password", "change_password", account.change_password, "POST"),
    ("/account/recovery-codes", "make_recovery_codes", recovery.make_recovery_codes, "POST"),
    ("/account/sessions", "end_session", account.end_session, "POST"),
    ("/account/tokens", "issue_token", account.issue_token, "POST"),
    ("/account/tokens/revoked", "revoke_token", account.revoke_token, "POST"),
    ("/p/<name>/relation", "relate", profiles.relate, "POST"),
    ("/account/people", "people", profiles.show_people, "GET"),
    ("/account/profile", "settings", settings.show_settings, "GET"),
    ("/account/profile", "change_settings", settings.change_settings, "POST"),
    ("/account/vacation", "account_vacation", account.change_vacation, "POST"),
    ("/account/notices", "notices", notices.show_notices, "GET"),
    ("/account/webhooks", "webhooks", webhooks.show_webhooks, "GET"),
    ("/account/webhooks", "make_webhook", webhooks.make_webhook, "POST"),
    ("/account/webhooks/<webhook_id>", "webhook", webhooks.show_webhook, "GET"),
    ("/account/webhooks/<webhook_id>", "act_on_webhook", webhooks.act_on_webhook, "POST"),
    ("/account/subscriptions", "subscriptions", subscriptions.show_subscriptions, "GET"),
    ("/account/subscriptions", "change_subscription", subscriptions.change_subscription, "POST"),
    ("/feeds/<secret>", "feed", subscriptions.show_feed, "GET"),
    ("/calendars/<secret>", "calendar", subscriptions.show_calendar, "GET"),
    ("/account/passkeys/asked", "ask_to_add_passkey", passkeys.ask_to_add_passkey, "POST"),
    ("/account/passkeys", "add_passkey", passkeys.add_passkey, "POST"),
    ("/account/passkeys/removed", "remove_passkey", passkeys.remove_passkey, "POST"),
    ("/log-in/passkey/asked", "ask_for_passkey", passkeys.ask_for_passkey, "POST"),
    ("/log-in/passkey", "log_in_by_passkey", passkeys.log_in_by_passkey, "POST"),
    ("/account/browsers", "browsers", browsers.show_browsers, "GET"),
    ("/account/browsers", "act_on_browser", browsers.act_on_browser, "POST"),
    ("/account/data", "own_data", account.download_own_data, "POST"),
    ("/account/email", "email", emails.show_email, "GET"),
    ("/account/email", "act_on_email", emails.act_on_email, "POST"),
    ("/account/email/address", "give_address", emails.give_address, "POST"),
    ("/mail/<secret>", "confirmation", emails.show_confirmation, "GET"),
    ("/mail/<secret>", "confirm_address", emails.confirm_address, "POST"),
    ("/unsubscribe/<key>", "unsubscribe", emails.show_unsubscribe, "GET"),
    ("/unsubscribe/<key>", "stop_mails", emails.stop_mails, "POST"),
    ("/demo/mails", "demo_mails", emails.show_demo_mails, "GET"),
    ("/forgot", "forgot", forgotten_passwords.show_forgot, "GET"),
    ("/forgot", "ask_for_password", forgotten_passwords.ask_for_password, "POST"),
    ("/password/<secret>", "new_password", forgotten_passwords.show_new_password, "GET"),
    ("/password/<secret>", "set_new_password", forgotten_passwords.set_new_password, "POST"),
    ("/account/close", "close_account", account.close_account, "POST"),
    ("/account/closed", "closed", account.show_closed, "GET"),
    ("/m/<match_id>", "match", match.show_match, "GET"),
    ("/series", "all_series", all_series.show_all_series, "GET"),
    ("/series/<series_id>", "series", series.show_series, "GET"),
    ("/m/<match_id>/frames", "frames", frames.show_frames, "GET"),
    ("/m/<match_id>/events", "events", frames.show_events, "GET"),
    ("/m/<match_id>/stream", "stream", frames.follow_match, "GET"),
    ("/m/<match_id>/embed", "embed", match.show_embed, "GET"),
    ("/m/<match_id>/line", "line", what_if.show_line, "GET"),
    ("/m/<match_id>/join", "join", commands.join_match, "POST"),
    ("/m/<match_id>/moves", "play", commands.play_move, "POST"),
    ("/m/<match_id>/actions", "act", commands.take_action, "POST"),
    ("/m/<match_id>/analysis", "analysis_progress", analysis.show_progress, "GET"),
    ("/m/<match_id>/analysis", "ask_for_analysis", analysis.ask_for_analysis, "POST"),
    ("/m/<match_id>/vacation", "vacation", vacations.change_vacation, "POST"),
    ("/m/<match_id>/chat", "say", talk.say, "POST"),
    ("/m/<match_id>/chat/deletions", "unsay", talk.unsay, "POST"),
    ("/m/<match_id>/chat/reports", "report", talk.report, "POST"),
    ("/m/<match_id>/notes", "note", talk.note, "POST"),
    ("/m/<match_id>/lines", "add_line", conditional_moves.add_line, "POST"),
    ("/m/<match_id>/lines/deletions", "remove_line", conditional_moves.remove_line, "POST"),
    ("/look", "choose_look", preferences.choose_look, "POST"),
    ("/confirm", "choose_confirming", preferences.choose_confirming, "POST"),
    ("/caller", "caller", show_caller, "GET"),
)
"""Rule, endpoint, view, method."""


NO_BOARDS = frozenset({"pages.frames", "pages.events", "pages.stream"})
"""Endpoints with a match that show no board, or take its side from a script."""

pages = Blueprint("pages", __name__)
pages.before_request(refuse_forged)
pages.after_request(hand_out_cookies)
pages.after_request(tell_caller)

for rule, endpoint, view, method in ROUTES:
    pages.add_url_rule(rule, endpoint, view, methods=[method])

for helper in (
    *(words.clock, words.counted, words.ending, words.moves, words.list_unusual),
    *(words.letter, words.pace_of, words.player_mark, words.profile_named, words.profile_of),
    *(words.series_terms, words.tale, holder),
    *(rating_words.in_points, rating_words.in_range, rating_words.seat_rating),
):
    pages.add_app_template_filter(helper)
pages.add_app_template_global(form_token)
pages.add_app_template_global(address_of, "asset")
pages.add_app_template_global(games.rules_url)
pages.add_app_template_global(words.list_options)
pages.add_app_template_filter(_, "translated")
pages.add_app_template_filter(show_name, "shown")


@pages.url_defaults
def _keep_the_side(endpoint: str, values: dict[str, Any]) -> None:
    """Let all that leads on to the match of this page keep the side that its board is seen from.

    What a script reads by itself asks for a side of its own; ``flip=None`` leads to the usual one.
    """
    shown = (request.view_args or {}).get("match_id") if has_request_context() else None
    if shown and values.get("match_id") == shown and endpoint not in NO_BOARDS:
        side = read_flip()
        if side is not None:
            values.setdefault("flip", side)


def _log_in_first(_: LogInFirst) -> Response:
    """Lead to the log-in, and from there back to what was asked for."""
    match_id = (request.view_args or {}).get("match_id")
    if request.method != "POST":
        back = add_root(request.full_path.rstrip("?"))
    elif match_id is not None:
        back = url_for("pages.match", match_id=match_id)
    else:
        back = add_root(request.path)
    ended = "1" if request.method == "POST" and find_form_player() else None
    return lead_to(url_for("pages.show_log_in", next=back, ended=ended))


# A form that was sent twice leads where it led the first time.
pages.register_error_handler(AlreadyAnswered, lambda replayed: answer_stored(replayed.answer))
pages.register_error_handler(LogInFirst, _log_in_first)


@pages.app_context_processor
def _make_context() -> dict[str, Any]:
    """Give every template the games, whose rule books every page links to, and who looks."""
    found: Session | None = None
    with suppress(Unavailable):
        found = find_visitor()
    return {
        "games": list(get_site().house.games),
        "script_words": find_script_words(),
        "visitor": found,
        "turns": count_turns,
        "look": preferences.find_look(),
        "looks": preferences.LOOKS,
        "present_address": preferences.get_present_address(),
    }
