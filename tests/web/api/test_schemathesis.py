"""A machine that reads the OpenAPI document looks for answers that it does not describe.

It is asked once for requests that fit the document and once for such as do not, operation by
operation. (Its plugin for pytest is left out: it does not get on with the release in use.)
"""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.openapi import from_wsgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.web.people import Person, play_out
from web.api.operations import OPERATIONS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

EXAMPLES = 25

ASKED = [
    pytest.param(name, mode, id=f"{name}-{word}")
    for name, operation in OPERATIONS.items()
    for mode, word in ((GenerationMode.POSITIVE, "fitting"), (GenerationMode.NEGATIVE, "unfitting"))
    # Where nothing can be given, nothing can be wrong.
    if mode is GenerationMode.POSITIVE or operation.query or operation.body
]


@pytest.fixture
def document(make_app: Callable[..., Flask]) -> OpenApiSchema:
    return from_wsgi("/api/v1/openapi.json", make_app(stream_seconds=0))


@pytest.fixture
def matches(ada: Person, bob: Person) -> Iterator[str]:
    """Give ids of matches in every status, and some that are none."""
    opened, running, finished = ada.create(), ada.start(bob), ada.start(bob)
    play_out(finished, ada, bob)
    return cycle([opened["id"], running["id"], finished["id"], "0000000000000000"])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), ASKED)
def test_every_answer_is_one_that_the_document_describes(
    name: str, mode: GenerationMode, document: OpenApiSchema, matches: Iterator[str], ada: Person
) -> None:
    operation = document.find_operation_by_id(name)

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def ask(case: "Case[Any]") -> None:
        if "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = next(matches)
        case.call_and_validate(headers={"Authorization": f"Bearer {ada.token}"}, checks=CHECKS)

    ask()
