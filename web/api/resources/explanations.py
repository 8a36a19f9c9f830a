"""What the codes of problems mean: where their ``type`` leads to."""

from __future__ import annotations

from flask import Response

from domain.json_types import JsonObject
from services.errors import NotFound
from web.api.operations import Call, gives, refuses, route
from web.api.resources import problems
from web.http.answers import SHARED, json_answer
from web.http.problems_of_web import PROBLEMS

TAG = "Problems"


@route("GET", "/problems", TAG)
@gives(200, problems.Explanations(), "All codes.")
def list_problems(call: Call) -> Response:
    """List the codes of problems."""
    del call
    return json_answer({"problems": [_explained(code) for code in PROBLEMS]}, cache=SHARED)


@route("GET", "/problems/<code>", TAG)
@gives(200, problems.Explanation(), "What the code means.")
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
