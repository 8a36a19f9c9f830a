"""What the codes of problems mean: where their ``type`` leads to."""

from __future__ import annotations

from flask import Response
from marshmallow import Schema

from domain.json_types import JsonObject
from services.errors import NotFound
from web.api import fields
from web.api.operations import Call, gives, route
from web.api.paging import make_list_schema
from web.http.answers import SHARED, answer_json
from web.http.problems import PROBLEMS


class FaultSchema(Schema):
    """Where the request is at fault: one of the three, and a sentence."""

    pointer = fields.text("JSON Pointer into the body.", always=False)
    parameter = fields.text("A query parameter.", always=False)
    header = fields.text("A header.", always=False)
    detail = fields.text("What is wrong there.")


class ProblemSchema(Schema):
    """A failure, as RFC 9457 has it."""

    type = fields.text("An address that explains the code.")
    title = fields.text("The code in a few words.")
    status = fields.whole("The HTTP status.")
    detail = fields.text("What happened, in a sentence for a person.")
    code = fields.words("The code; more may come, so fall back on the status.", *PROBLEMS)
    request_id = fields.text("What the service's log calls this request.")
    errors = fields.many(FaultSchema, always=False)
    version = fields.whole(
        "Of stale-version and unknown-version: the present version.", always=False
    )


class ExplanationSchema(Schema):
    """What a code means."""

    code = fields.words("The code.", *PROBLEMS)
    title = fields.text("The code in a few words.")
    status = fields.whole("The HTTP status that it travels under.")
    meaning = fields.text("What it means, and what to do.")


TAG = "Problems"


@route("GET", "/problems", TAG)
@gives(200, make_list_schema(ExplanationSchema, "problems", "Explanations"), "All codes.")
def list_problems(_: Call) -> Response:
    """List the codes of problems."""
    return answer_json({"problems": [_explain(code) for code in PROBLEMS]}, cache=SHARED)


@route("GET", "/problems/<code>", TAG)
@gives(200, ExplanationSchema(), "What the code means.")
def explain_problem(_: Call, code: str) -> Response:
    """Explain a code."""
    if code not in PROBLEMS:
        raise NotFound("There is no such code.")
    return answer_json(_explain(code), cache=SHARED)


def _explain(code: str) -> JsonObject:
    problem = PROBLEMS[code]
    told = {"title": problem.title, "status": problem.status, "meaning": problem.meaning}
    return {"code": code, **told}
