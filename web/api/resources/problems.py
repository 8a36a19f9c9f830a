"""What the codes of problems mean: where their ``type`` leads to."""

from __future__ import annotations

from flask import Response
from marshmallow import fields

from domain.json_types import JsonObject
from services.errors import NotFound
from web.api.operations import Call, gives, refuses, route
from web.http.answers import SHARED, json_answer
from web.http.inputs import AnswerSchema, text, whole_field, words
from web.http.problems import PROBLEMS


class FaultSchema(AnswerSchema):
    """Where the request is at fault: one of the three, and a sentence."""

    pointer = fields.String(metadata={"description": "JSON Pointer into the body."})
    parameter = fields.String(metadata={"description": "A query parameter."})
    header = fields.String(metadata={"description": "A header."})
    detail = text("What is wrong there.")


class ProblemAnswerSchema(AnswerSchema):
    """A failure, as RFC 9457 has it."""

    type = text("An address that explains the code.")
    title = text("The code in a few words.")
    status = whole_field("The HTTP status.")
    detail = text("What happened, in a sentence for a person.")
    code = words("The code; more may come, so fall back on the status.", *PROBLEMS)
    request_id = text("What the service's log calls this request.")
    errors = fields.List(fields.Nested(FaultSchema))
    version = fields.Integer(
        strict=True,
        metadata={"description": "Of stale-version and unknown-version: the present version."},
    )


class ExplanationSchema(AnswerSchema):
    """What a code means."""

    code = words("The code.", *PROBLEMS)
    title = text("The code in a few words.")
    status = whole_field("The HTTP status that it travels under.")
    meaning = text("What it means, and what to do.")


class ExplanationsSchema(AnswerSchema):
    """All codes."""

    problems = fields.List(fields.Nested(ExplanationSchema), required=True)


TAG = "Problems"


@route("GET", "/problems", TAG)
@gives(200, ExplanationsSchema(), "All codes.")
def list_problems(call: Call) -> Response:
    """List the codes of problems."""
    del call
    return json_answer({"problems": [_explained(code) for code in PROBLEMS]}, cache=SHARED)


@route("GET", "/problems/<code>", TAG)
@gives(200, ExplanationSchema(), "What the code means.")
@refuses("not-found")
def explain_problem(call: Call, code: str) -> Response:
    """Explain a code."""
    del call
    if code not in PROBLEMS:
        raise NotFound("There is no such code.")
    return json_answer(_explained(code), cache=SHARED)


def _explained(code: str) -> JsonObject:
    problem = PROBLEMS[code]
    return {
        "code": code,
        "title": problem.title,
        "status": problem.status,
        "meaning": problem.meaning,
    }
