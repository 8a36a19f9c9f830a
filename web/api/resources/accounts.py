"""Players, tokens, and who one is."""

from __future__ import annotations

from flask import Response
from marshmallow import ValidationError, fields, validate, validates

from services.accounts.accounts import DEFAULT_SCOPES, PLAY, SCOPES
from web.api.fields import Text, Word
from web.api.operations import Call, gives, players_only, refuses, route, takes
from web.api.resources import challenges
from web.capacity.clients import client
from web.http.answers import NO_STORE, json_answer, no_content
from web.http.inputs import AnswerSchema, BodySchema, instant, text

SCOPE_LIST = {"type": "array", "items": {"type": "string", "enum": list(SCOPES)}}


class NewPlayerSchema(BodySchema):
    """A player to sign up."""

    name = Text(
        0,
        200,
        required=True,
        metadata={
            "description": "2 to 24 characters out of A-Z, a-z, 0-9, _ and -.",
            "form": {"minLength": 2, "maxLength": 24, "pattern": "^[A-Za-z0-9_-]+$"},
            "example": "ada",
        },
    )
    password = fields.String(
        required=True,
        validate=validate.Length(0, 1000),
        metadata={
            "description": "10 to 256 characters.",
            "format": "password",
            "form": {"minLength": 10, "maxLength": 256},
        },
    )


class NewTokenSchema(BodySchema):
    """A token to issue."""

    name = Text(0, 200, required=True, metadata={"description": "The player's name."})
    password = fields.String(
        required=True, validate=validate.Length(0, 1000), metadata={"format": "password"}
    )
    label = Text(
        1,
        80,
        load_default="token",
        metadata={"description": "What the token is for, for you: printable characters."},
    )
    scopes = fields.List(
        Word(SCOPES),
        load_default=lambda: list(DEFAULT_SCOPES),
        metadata={
            "description": "How far the token reaches.",
            "default": list(DEFAULT_SCOPES),
            "form": {"minItems": 1},
        },
    )

    @validates("scopes")
    def at_least_one(self, value: list[str], data_key: str) -> None:
        """Refuse a token that is good for nothing."""
        del data_key
        if not value:
            raise ValidationError("Name at least one scope, or leave them out.")


class PlayerSchema(AnswerSchema):
    """A player."""

    id = text("Opaque, and never reused.", example="p_7m2kq9x4tbw0ed5r")
    name = text("The name.", example="ada")
    created_at = instant("When the player signed up.")


class MeSchema(AnswerSchema):
    """The caller."""

    id = text("Opaque, and never reused.")
    name = text("The name.")
    scopes = fields.List(Word(SCOPES), required=True)


class TokenSchema(AnswerSchema):
    """A token, without its secret."""

    id = text("To revoke it by.")
    label = text("What the player calls it.")
    scopes = fields.List(Word(SCOPES), required=True)
    created_at = instant("When it was issued.")
    expires_at = instant("When it ends to be good.")


class TokensSchema(AnswerSchema):
    """The caller's tokens."""

    tokens = fields.List(fields.Nested(TokenSchema), required=True)


class IssuedTokenSchema(AnswerSchema):
    """A new token."""

    id = text("To revoke it by.")
    token = text("The secret, shown this once.")
    label = text("What the player calls it.")
    scopes = fields.List(Word(SCOPES), required=True)
    expires_at = instant("When it ends to be good.")


TAG = "Players and tokens"


@route("POST", "/players", TAG)
@takes(NewPlayerSchema())
@gives(201, PlayerSchema(), "The new player.")
@refuses("name-taken", "invalid-player")
def sign_up(call: Call) -> Response:
    """Sign up.

    Creates a player. A name once used is never given out again, whatever its case, nor one that
    looks like it.
    """
    player = call.house.accounts.sign_up(call.body["name"], call.body["password"])
    return json_answer(player._asdict(), 201, cache=NO_STORE)


@route("POST", "/tokens", TAG)
@takes(NewTokenSchema())
@gives(201, IssuedTokenSchema(), "The token; its secret is shown this once.")
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
@gives(200, TokensSchema(), "The caller's tokens, without their secrets.")
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
    return no_content()


@route("GET", "/me", TAG)
@players_only()
@gives(200, MeSchema(), "The caller.")
def who_am_i(call: Call) -> Response:
    """Say who you are, and how far your token reaches."""
    caller = call.player
    scopes = sorted(caller.scopes)
    return json_answer({"id": caller.player, "name": caller.name, "scopes": scopes})


@route("DELETE", "/me", TAG)
@players_only(PLAY)
@takes(challenges.LeavingSchema())
@gives(204, None, "The account is closed.")
@refuses("unauthenticated")
def close_account(call: Call) -> Response:
    """Close your account, for good.

    Your open matches and challenges are withdrawn, your running matches are resigned. Finished
    ones remain, under "closed account". Nobody gets your name again.
    """
    call.house.closing.close_own(call.player.player, call.body["password"])
    return no_content()
