"""Problems and their explanations."""

from __future__ import annotations

from marshmallow import fields

from web.http.base import Shown, text, whole, words
from web.http.problems_of_web import PROBLEMS


class Fault(Shown):
    """Where the request is at fault: one of the three, and a sentence."""

    pointer = fields.String(metadata={"description": "JSON Pointer into the body."})
    parameter = fields.String(metadata={"description": "A query parameter."})
    header = fields.String(metadata={"description": "A header."})
    detail = text("What is wrong there.")


class ProblemAnswer(Shown):
    """A failure, as RFC 9457 has it."""

    type = text("An address that explains the code.")
    title = text("The code in a few words.")
    status = whole("The HTTP status.")
    detail = text("What happened, in a sentence for a person.")
    code = words("The code; more may come, so fall back on the status.", *PROBLEMS)
    request_id = text("What the service's log calls this request.")
    errors = fields.List(fields.Nested(Fault))
    version = fields.Integer(
        strict=True,
        metadata={"description": "Of stale-version and unknown-version: the present version."},
    )


class Explanation(Shown):
    """What a code means."""

    code = words("The code.", *PROBLEMS)
    title = text("The code in a few words.")
    status = whole("The HTTP status that it travels under.")
    meaning = text("What it means, and what to do.")


class Explanations(Shown):
    """All codes."""

    problems = fields.List(fields.Nested(Explanation), required=True)
