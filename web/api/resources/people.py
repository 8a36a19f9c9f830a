"""Players, tokens, and who one is."""

from __future__ import annotations

from flask import Response

from services.accounts.accounts import PLAY
from web.api.operations import Call, gives, players_only, refuses, route, takes
from web.api.resources import people_of_schemas as people
from web.api.resources import starting_of_schemas as starting
from web.capacity.clients import client
from web.http.answers import NO_STORE, json_answer

TAG = "Players and tokens"


@route("POST", "/players", TAG)
@takes(people.NewPlayer())
@gives(201, people.Player(), "The new player.")
@refuses("name-taken", "invalid-player")
def sign_up(call: Call) -> Response:
    """Sign up.

    Creates a player. A name once used is never given out again, whatever its case, nor one that
    looks like it.
    """
    player = call.house.accounts.sign_up(call.body["name"], call.body["password"])
    return json_answer(player._asdict(), 201, cache=NO_STORE)


@route("POST", "/tokens", TAG)
@takes(people.NewToken())
@gives(201, people.IssuedToken(), "The token; its secret is shown this once.")
@refuses("unauthenticated", "missing-scope")
def issue_token(call: Call) -> Response:
    """Issue a token.

    Exchanges a name and a password for a token with some scopes.
    """
    body = call.body
    token = call.house.accounts.issue_token(
        body["name"], body["password"], body["label"], body["scopes"]
    )
    call.house.addresses.remember(body["name"], client())
    return json_answer(token._asdict(), 201, cache=NO_STORE)


@route("GET", "/tokens", TAG)
@players_only()
@gives(200, people.Tokens(), "The caller's tokens, without their secrets.")
def list_tokens(call: Call) -> Response:
    """List your tokens.

    A token lists itself, and of the others those whose scopes it has.
    """
    tokens = call.house.accounts.tokens(call.player.player, call.player)
    return json_answer({"tokens": [token._asdict() for token in tokens]})


@route("DELETE", "/tokens/<token_id>", TAG)
@players_only()
@gives(204, None, "The token is good for nothing any more.")
@refuses("not-found", "missing-scope")
def revoke_token(call: Call, token_id: str) -> Response:
    """Revoke a token of yours.

    A token revokes itself, and of the others those whose scopes it has.
    """
    call.house.accounts.revoke(call.player.player, token_id, call.player)
    return Response(status=204)


@route("GET", "/me", TAG)
@players_only()
@gives(200, people.Me(), "The caller.")
def who_am_i(call: Call) -> Response:
    """Say who you are, and how far your token reaches."""
    caller = call.player
    scopes = sorted(caller.scopes)
    return json_answer({"id": caller.player, "name": caller.name, "scopes": scopes})


@route("DELETE", "/me", TAG)
@players_only(PLAY)
@takes(starting.Leaving())
@gives(204, None, "The account is closed.")
@refuses("unauthenticated")
def close_account(call: Call) -> Response:
    """Close your account, for good.

    Your open matches and challenges are withdrawn, your running matches are resigned. Finished
    ones remain, under "closed account". Nobody gets your name again.
    """
    call.house.closing.close_own(call.player.player, call.body["password"])
    return Response(status=204)
