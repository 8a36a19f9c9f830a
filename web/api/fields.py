"""Fields of bodies, queries and answers, each with what it means.

Those of requests bend no type into another, and say in words what they take: marshmallow's own
take ``"1"`` for 1 and ``"yes"`` for true; here a text is no number and a number no boolean. Query
parameters are texts, and so have a kind of integer of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from marshmallow import Schema, ValidationError, fields, validate
from typing_extensions import override

from domain.json_types import JsonObject
from services.matches.event_ids import FORM, read_event_id
from web.http.inputs import LARGEST, read_whole

NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"

INSTANT_FORM = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"


class _Asked(fields.Field[Any]):
    """Part of a request. It may be left out, and is None then, unless it is ``required``."""

    default_error_messages = {"required": "This is missing."}  # noqa: RUF012 - marshmallow's way

    def __init__(self, meaning: str = "", **others: Any) -> None:  # noqa: ANN401
        """Take ``example``, ``default`` and ``form`` (JSON Schema) for the document alone."""
        said = {"description": meaning} if meaning else {}
        said |= {
            name: others.pop(name) for name in ("example", "default", "form") if name in others
        }
        if not others.get("required"):
            others.setdefault("load_default", None)
        super().__init__(metadata=said, **others)


class Prose(_Asked, fields.String):
    """A text that people write; what may stand in it the service judges (422)."""

    default_error_messages = {  # noqa: RUF012
        "null": "This must be a text, not null.",
        "invalid": "This must be a text.",
    }


class Text(Prose):
    """A text of so many characters, without control characters."""

    def __init__(self, meaning: str = "", least: int = 1, most: int = 100, **others: Any) -> None:  # noqa: ANN401
        checks: list[Callable[[str], object]] = [
            validate.Length(least, most, error=f"This must have {least} to {most} characters."),
            validate.Regexp(NO_CONTROLS, error="This must not have control characters."),
        ]
        super().__init__(meaning, validate=checks, **others)


class Word(_Asked, fields.String):
    """One of a few words."""

    def __init__(self, words: tuple[str, ...], meaning: str = "", **others: Any) -> None:  # noqa: ANN401
        self.sentence = f"This must be one of: {', '.join(words)}."
        check = validate.OneOf(words, error=self.sentence)
        super().__init__(meaning, validate=check, **others)

    @override
    def _deserialize(self, value: Any, *where: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(self.sentence)
        return value


class WholeNumber(_Asked, fields.Integer):
    """A whole number of a body."""

    def __init__(
        self,
        meaning: str = "",
        least: int = 0,
        most: int = LARGEST,
        **others: Any,  # noqa: ANN401
    ) -> None:
        self.sentence = f"This must be a whole number from {least} to {most}."
        beyond = f"This is out of range: it goes from {least} to {most}."
        check = validate.Range(least, most, error=beyond)
        super().__init__(meaning, strict=True, validate=check, **others)

    @override
    def _deserialize(self, value: Any, *where: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError(self.sentence)
        return value


class WholeParameter(WholeNumber):
    """A whole number of a query: decimal digits and nothing else."""

    @override
    def _deserialize(self, value: Any, *where: Any, **kwargs: Any) -> int:
        if re.fullmatch(r"-?[0-9]+", value, re.ASCII) is None:
            raise ValidationError(self.sentence)
        return read_whole(value)


class EventIdParameter(_Asked, fields.String):
    """The id of an event, or its version, in a query; loads as ``EventId``."""

    def __init__(self, meaning: str) -> None:
        sentence = "This must be the id or the version of an event."
        super().__init__(meaning, validate=validate.Regexp(rf"^{FORM}$", error=sentence))

    @override
    def deserialize(self, value: Any, *where: Any, **kwargs: Any) -> Any:
        written = super().deserialize(value, *where, **kwargs)
        return read_event_id(written) if isinstance(written, str) else written


class Flag(_Asked, fields.Boolean):
    """True or false."""

    @override
    def _deserialize(self, value: Any, *where: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("This must be true or false.")
        return value


class FlagParameter(_Asked, fields.Boolean):
    """True or false as a query writes them."""

    truthy, falsy = {"true"}, {"false"}
    default_error_messages = {"invalid": "This must be true or false."}  # noqa: RUF012


class Forwarded(_Asked, fields.Raw):
    """What the domain judges, by default an object; whether it is one, too."""

    def __init__(self, meaning: str, form: JsonObject | None = None, **others: Any) -> None:  # noqa: ANN401
        super().__init__(meaning, form=form or {"type": "object"}, **others)


class Many(_Asked, fields.List[Any]):
    """A list."""

    def __init__(self, one: fields.Field[Any], meaning: str, **others: Any) -> None:  # noqa: ANN401
        super().__init__(meaning, cls_or_instance=one, **others)


class Part(_Asked, fields.Nested):
    """An object whose members are read by a schema of their own."""

    def __init__(self, schema: type[Schema], meaning: str, **others: Any) -> None:  # noqa: ANN401
        super().__init__(meaning, nested=schema, **others)


class Seat(Forwarded):
    """Seat 1 or 2, or ``random``; loads as 1, 2 or None."""

    def __init__(self, meaning: str) -> None:
        # A list of numbers and words together is nothing that generators of clients take.
        form = {
            "oneOf": [{"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["random"]}]
        }
        super().__init__(meaning, form, allow_none=False, default="random")

    @override
    def _deserialize(self, value: Any, *where: Any, **kwargs: Any) -> int | None:
        if value == "random":
            return None
        if type(value) is not int or value not in (1, 2):
            raise ValidationError('This must be 1, 2 or "random".')
        return value


K = TypeVar("K", bound=fields.Field[Any])


def _given(
    kind: Callable[..., K],
    meaning: str,
    *,
    always: bool = True,
    null: bool = False,
    **others: Any,  # noqa: ANN401
) -> K:
    """Return a member of an answer; unless ``always``, it may be left out."""
    said = {"description": meaning} if meaning else {}
    said |= {name: others.pop(name) for name in ("example", "form") if name in others}
    return kind(required=always, allow_none=null, metadata=said, **others)


def text(meaning: str = "", *, like: str | None = None, **others: Any) -> fields.String:  # noqa: ANN401
    """Return a text of an answer; ``like`` is its pattern."""
    check = None if like is None else validate.Regexp(like)
    return _given(fields.String, meaning, validate=check, **others)


def digest(meaning: str = "", **others: Any) -> fields.String:  # noqa: ANN401
    """Return a hash of an answer."""
    return text(meaning, like=r"^[0-9a-f]{64}$", **others)


def instant(meaning: str, *, null: bool = False, **others: Any) -> fields.String:  # noqa: ANN401
    """Return an instant of an answer."""
    example = {} if null else {"example": "2026-11-27T22:00:00.000000Z"}
    return text(meaning, null=null, like=INSTANT_FORM, **{**example, **others})


def words(meaning: str, *values: str) -> fields.String:
    """Return a text of an answer that is one of a few."""
    return _given(fields.String, meaning, validate=validate.OneOf(values))


def whole(meaning: str = "", **others: Any) -> fields.Integer:  # noqa: ANN401
    """Return a whole number of an answer."""
    return _given(fields.Integer, meaning, strict=True, **others)


def seat(meaning: str, *, null: bool = False, **others: Any) -> fields.Integer:  # noqa: ANN401
    """Return a seat of an answer."""
    values = (1, 2, None) if null else (1, 2)
    return whole(meaning, null=null, validate=validate.OneOf(values), **others)


def flag(meaning: str) -> fields.Boolean:
    """Return a truth value of an answer."""
    return _given(fields.Boolean, meaning)


def anything(**others: Any) -> fields.Raw:  # noqa: ANN401
    """Return a member of an answer that may be any JSON."""
    return _given(fields.Raw, "", **others)


def an_object(meaning: str = "", *, null: bool = False, **others: Any) -> fields.Raw:  # noqa: ANN401
    """Return an object of an answer whose members the document does not list."""
    form = {"type": ["object", "null"] if null else "object"}
    return _given(fields.Raw, meaning, form=form, **others)


def part(schema: type[Schema] | str, meaning: str = "", **others: Any) -> fields.Nested:  # noqa: ANN401
    """Return an object of an answer."""
    return _given(partial(fields.Nested, schema), meaning, **others)


def many(
    of: type[Schema] | fields.Field[Any] | str,
    meaning: str = "",
    **others: Any,  # noqa: ANN401
) -> fields.List[Any]:
    """Return a list of an answer; of objects by their schema, or its name."""
    one = of if isinstance(of, fields.Field) else fields.Nested(of)
    return _given(partial(fields.List, one), meaning, **others)
