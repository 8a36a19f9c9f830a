"""What all schemas of bodies and queries have in common."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

ERRORS = {
    "unknown": "There is no such member.",
    "type": "This must be a JSON object.",
}


class Body(Schema):
    """A JSON object whose members are all known."""

    error_messages = ERRORS


class Query(Schema):
    """Query parameters, all of them known."""

    error_messages = {"unknown": "There is no such parameter."}  # noqa: RUF012


class Shown(Schema):
    """Part of an answer: every member is always there."""


INSTANT_FORM = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"


def text(meaning: str, *, null: bool = False, example: str | None = None) -> fields.String:
    """Return a text of an answer."""
    metadata: dict[str, object] = {"description": meaning}
    if example is not None:
        metadata["example"] = example
    return fields.String(required=True, allow_none=null, metadata=metadata)


def whole(meaning: str, *, null: bool = False) -> fields.Integer:
    """Return a whole number of an answer."""
    return fields.Integer(
        required=True, allow_none=null, strict=True, metadata={"description": meaning}
    )


def flag(meaning: str) -> fields.Boolean:
    """Return a truth value of an answer."""
    return fields.Boolean(required=True, metadata={"description": meaning})


def seat(meaning: str, *, null: bool = False) -> fields.Integer:
    """Return a seat of an answer."""
    values = (1, 2, None) if null else (1, 2)
    return fields.Integer(
        required=True,
        strict=True,
        allow_none=null,
        validate=validate.OneOf(values),
        metadata={"description": meaning},
    )


def instant(meaning: str) -> fields.String:
    """Return an instant of an answer."""
    return fields.String(
        required=True,
        validate=validate.Regexp(INSTANT_FORM),
        metadata={"description": meaning, "example": "2026-11-27T22:00:00.000000Z"},
    )


def optional_instant(meaning: str) -> fields.String:
    """Return an instant of an answer, or null."""
    return fields.String(
        required=True,
        allow_none=True,
        validate=validate.Regexp(INSTANT_FORM),
        metadata={"description": meaning},
    )


def words(meaning: str, *values: str) -> fields.String:
    """Return a text of an answer that is one of a few."""
    return fields.String(
        required=True, validate=validate.OneOf(values), metadata={"description": meaning}
    )


def anything(meaning: str, **form: object) -> fields.Raw:
    """Return a member whose form is given as JSON Schema."""
    return fields.Raw(required=True, metadata={"description": meaning, **form})
