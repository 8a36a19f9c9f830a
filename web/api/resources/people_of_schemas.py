"""Players, tokens and the caller."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validate, validates

from services.accounts.accounts import DEFAULT_SCOPES, SCOPES
from web.api.fields import Text, Word
from web.http.base import Body, Shown, instant, text

SCOPE_LIST = {"type": "array", "items": {"type": "string", "enum": list(SCOPES)}}


class NewPlayer(Body):
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


class NewToken(Body):
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


class Player(Shown):
    """A player."""

    id = text("Opaque, and never reused.", example="p_7m2kq9x4tbw0ed5r")
    name = text("The name.", example="ada")
    created_at = instant("When the player signed up.")


class Me(Shown):
    """The caller."""

    id = text("Opaque, and never reused.")
    name = text("The name.")
    scopes = fields.List(Word(SCOPES), required=True)


class Token(Shown):
    """A token, without its secret."""

    id = text("To revoke it by.")
    label = text("What the player calls it.")
    scopes = fields.List(Word(SCOPES), required=True)
    created_at = instant("When it was issued.")
    expires_at = instant("When it ends to be good.")


class Tokens(Shown):
    """The caller's tokens."""

    tokens = fields.List(fields.Nested(Token), required=True)


class IssuedToken(Shown):
    """A new token."""

    id = text("To revoke it by.")
    token = text("The secret, shown this once.")
    label = text("What the player calls it.")
    scopes = fields.List(Word(SCOPES), required=True)
    expires_at = instant("When it ends to be good.")
