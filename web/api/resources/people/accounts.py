"""Players, tokens, and who one is."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema, validate

from services.accounts.tokens import DEFAULT_SCOPES, SCOPES
from web.api import fields
from web.api.operations import ANY_TOKEN, Call, gives, refuses, route, takes
from web.api.paging import make_list_schema
from web.http.answers import NO_STORE, answer_json, answer_no_content
from web.http.inputs import BodySchema


def _make_password_field(meaning: str = "", **form: object) -> fields.Prose:
    check = validate.Length(0, 1000)
    return fields.Prose(meaning, required=True, validate=check, form={"format": "password", **form})


class NewPlayerSchema(BodySchema):
    """A player to sign up."""

    name = fields.Text(
        "2 to 24 characters out of A-Z, a-z, 0-9, _ and -.",
        0,
        200,
        required=True,
        form={"minLength": 2, "maxLength": 24, "pattern": "^[A-Za-z0-9_-]+$"},
        example="ada",
    )
    password = _make_password_field("10 to 256 characters.", minLength=10, maxLength=256)


class NewTokenSchema(BodySchema):
    """A token to issue."""

    name = fields.Text("The player's name.", 0, 200, required=True)
    password = _make_password_field()
    label = fields.Text(
        "What the token is for, for you: printable characters.", 1, 80, load_default="token"
    )
    scopes = fields.Many(
        fields.Word(SCOPES, required=True),
        "How far the token reaches.",
        load_default=lambda: list(DEFAULT_SCOPES),
        default=list(DEFAULT_SCOPES),
        validate=validate.Length(min=1, error="Name at least one scope, or leave them out."),
    )


class PlayerSchema(Schema):
    """A player."""

    id = fields.text("Opaque, and never reused.", example="p_7m2kq9x4tbw0ed5r")
    name = fields.text("The name.", example="ada")
    created_at = fields.instant("When the player signed up.")


class MeSchema(Schema):
    """The caller."""

    id = fields.text("Opaque, and never reused.")
    name = fields.text("The name.")
    display_name = fields.text("What people read in its place; null: nothing else.", null=True)
    scopes = fields.many(fields.words("", *SCOPES))


class _AnyTokenSchema(Schema):
    id = fields.text("To revoke it by.")
    label = fields.text("What the player calls it.")
    scopes = fields.many(fields.words("", *SCOPES))
    expires_at = fields.instant("When it ends to be good.")


class TokenSchema(_AnyTokenSchema):
    """A token, without its secret."""

    created_at = fields.instant("When it was issued.")


class IssuedTokenSchema(_AnyTokenSchema):
    """A new token."""

    token = fields.text("The secret, shown this once.")


TAG = "Players and tokens"


@route("POST", "/players", TAG)
@takes(NewPlayerSchema())
@gives(201, PlayerSchema(), "The new player.", cache=NO_STORE)
@refuses("name-taken", "invalid-player")
def sign_up(call: Call) -> Response:
    """Sign up.

    Creates a player. A name once used is never given out again, whatever its case, nor one that
    looks like it.
    """
    player = call.house.accounts.sign_up(call.body["name"], call.body["password"])
    return answer_json(player._asdict(), 201, cache=NO_STORE)


@route("POST", "/tokens", TAG)
@takes(NewTokenSchema())
@gives(201, IssuedTokenSchema(), "Its secret is shown this once.", cache=NO_STORE)
@refuses("unauthenticated", "suspended", "missing-scope")
def issue_token(call: Call) -> Response:
    """Issue a token.

    Exchanges a name and a password for a token with some scopes.
    """
    body = call.body
    token = call.house.accounts.issue_token(
        body["name"], body["password"], body["label"], body["scopes"]
    )
    call.house.addresses.remember(body["name"], call.client)
    return answer_json(token._asdict(), 201, cache=NO_STORE)


@route("GET", "/tokens", TAG, ANY_TOKEN)
@gives(200, make_list_schema(TokenSchema, "tokens"), "The caller's tokens, without their secrets.")
def list_tokens(call: Call) -> Response:
    """List your tokens.

    A token lists itself, and of the others those whose scopes it has.
    """
    tokens = call.house.accounts.list_tokens(call.player, call.bearer)
    return answer_json({"tokens": [token._asdict() for token in tokens]})


@route("DELETE", "/tokens/<token_id>", TAG, ANY_TOKEN)
@gives(204, None, "The token is good for nothing any more.")
@refuses("missing-scope")
def revoke_token(call: Call, token_id: str) -> Response:
    """Revoke a token of yours.

    A token revokes itself, and of the others those whose scopes it has.
    """
    call.house.accounts.revoke(call.player, token_id, call.bearer)
    return answer_no_content()


@route("GET", "/me", TAG, ANY_TOKEN)
@gives(200, MeSchema(), "The caller.")
def who_am_i(call: Call) -> Response:
    """Say who you are, and how far your token reaches."""
    caller = call.bearer
    shown = {
        "id": caller.player,
        "name": caller.name,
        "display_name": call.house.profile_settings.get(caller.player).display_name,
        "scopes": sorted(caller.scopes),
    }
    return answer_json(shown)
