"""Fields that bend no type into another, and say in words what they take.

marshmallow's own take ``"1"`` for 1 and ``"yes"`` for true; here a text is no number and a
number no boolean. Query parameters are texts, and so have a kind of integer of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, validate
from typing_extensions import override

from domain.json_types import JsonObject
from domain.match.clock import pace_schema
from services.matches.event_ids import FORM, read_event_id
from web.http.inputs import LARGEST, read_whole

NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"


class Text(fields.String):
    """A text of so many characters, without control characters."""

    default_error_messages = {  # noqa: RUF012 - marshmallow's way to set them
        "required": "This is missing.",
        "null": "This must be a text, not null.",
        "invalid": "This must be a text.",
    }

    def __init__(self, least: int = 1, most: int = 100, **others: Any) -> None:  # noqa: ANN401
        checks: list[Callable[[str], object]] = [
            validate.Length(least, most, error=f"This must have {least} to {most} characters."),
            validate.Regexp(NO_CONTROLS, error="This must not have control characters."),
        ]
        super().__init__(validate=checks, **others)


class Word(fields.String):
    """One of a few words."""

    default_error_messages = {"required": "This is missing."}  # noqa: RUF012

    def __init__(self, words: tuple[str, ...], **others: Any) -> None:  # noqa: ANN401
        self.sentence = f"This must be one of: {', '.join(words)}."
        super().__init__(validate=validate.OneOf(words, error=self.sentence), **others)

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> str:
        if not isinstance(value, str):
            raise ValidationError(self.sentence)
        return value


class Whole(fields.Integer):
    """A whole number of a body."""

    def __init__(self, least: int = 0, most: int = LARGEST, **others: Any) -> None:  # noqa: ANN401
        self.sentence = f"This must be a whole number from {least} to {most}."
        beyond = f"This is out of range: it goes from {least} to {most}."
        check = validate.Range(least, most, error=beyond)
        super().__init__(strict=True, validate=check, **others)

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if type(value) is not int:
            raise ValidationError(self.sentence)
        return value


class WholeParameter(Whole):
    """A whole number of a query: decimal digits and nothing else."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if re.fullmatch(r"-?[0-9]+", value, re.ASCII) is None:
            raise ValidationError(self.sentence)
        return read_whole(value)


class EventIdParameter(fields.String):
    """The id of an event, or its version, in a query."""

    sentence = "This must be the id or the version of an event."

    def __init__(self, **others: Any) -> None:  # noqa: ANN401
        check = validate.Regexp(rf"^{FORM}$", error=self.sentence)
        super().__init__(validate=check, **others)

    @override
    def deserialize(
        self, value: Any, attr: str | None = None, data: Mapping[str, Any] | None = None, **_: Any
    ) -> Any:
        """Return the ``EventId``."""
        written = super().deserialize(value, attr, data)
        return read_event_id(written) if isinstance(written, str) else written


class Flag(fields.Boolean):
    """True or false."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if type(value) is not bool:
            raise ValidationError("This must be true or false.")
        return value


class FlagParameter(fields.Boolean):
    """True or false as a query writes them."""

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("This must be true or false.")
        return bool(value == "true")


class Seat(fields.Raw):
    """Seat 1 or 2, or ``random``; loads as 1, 2 or None."""

    # A list of numbers and words together is nothing that generators of clients take.
    FORM: ClassVar[JsonObject] = {
        "oneOf": [{"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["random"]}]
    }

    @override
    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int | None:
        if value == "random":
            return None
        if type(value) is not int or value not in (1, 2):
            raise ValidationError('This must be 1, 2 or "random".')
        return value


class Forwarded(fields.Raw):
    """A JSON object whose inside, and whether it is one, the domain judges (422)."""

    FORM: ClassVar[JsonObject] = {"type": "object"}

    default_error_messages = {"required": "This is missing."}  # noqa: RUF012


class PaceField(Forwarded):
    """A pace, which the domain judges as well, but as part of the envelope (400)."""

    FORM: ClassVar[JsonObject] = pace_schema()
