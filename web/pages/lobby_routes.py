"""The addresses of lobby and people: the first page, lists, starting a match, accounts."""

from __future__ import annotations

from web.pages import games
from web.pages.accounts import account, profiles
from web.pages.accounts import sessions as people
from web.pages.lobby import agenda as home
from web.pages.lobby import answering, creating, invitations, practice
from web.pages.lobby import lists as matches

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
    ("/m/<match_id>/decline", "decline", answering.decline_challenge, "POST"),
    ("/m/<match_id>/rematch", "rematch", answering.ask_for_rematch, "POST"),
    ("/practice", "practice", practice.show_practice, "GET"),
    ("/practice", "begin_practice", practice.begin_practice, "POST"),
    ("/m/<match_id>/take-back", "take_back", practice.take_back, "POST"),
    ("/m/<match_id>/end-practice", "end_practice", practice.end_practice, "POST"),
    ("/new", "new_match", creating.show_new_match, "GET"),
    ("/new", "create_match", creating.create_match, "POST"),
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
