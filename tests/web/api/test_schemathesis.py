"""A machine that reads the OpenAPI document looks for answers that it does not describe.

It is asked once for requests that fit the document and once for such as do not, operation by
operation, with every check that it has. (Its plugin for pytest is left out: it does not get on
with the release in use.)
"""

import re
import shutil
from collections.abc import Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.openapi import from_wsgi
from schemathesis.python._constants import orchestrator
from schemathesis.python._constants.pool import ConstantsPool
from schemathesis.specs.openapi.schemas import OpenApiSchema

from services.container import Services
from services.matches.actions import NEEDS
from services.runtime.settings import Settings
from tests.support.games import test_games
from tests.web.people import Person
from web.api.operations import OPERATIONS
from web.app import create_app

EXAMPLES = 20

_numbers = count(1)

# A request that fits the document is never malformed (400). What it asks for may be against the
# rules, out of date, or gone.
TAKEN = ["2xx", "401", "403", "404", "409", "410", "412", "422", "428"]

ASKED = [
    pytest.param(name, mode, id=f"{name}-{word}")
    for name, operation in OPERATIONS.items()
    for mode, word in ((GenerationMode.POSITIVE, "fitting"), (GenerationMode.NEGATIVE, "unfitting"))
    # Where nothing can be given, nothing can be wrong.
    if mode is GenerationMode.POSITIVE or operation.query or operation.body
]


@pytest.fixture(autouse=True, scope="module")
def _literals_are_read_once() -> Iterator[None]:
    """Keep what it finds in our source to ask with: a sixth of the time, for each document anew."""
    extract = orchestrator.extract_all
    found = list[ConstantsPool]()

    def once(**how: Any) -> ConstantsPool:  # noqa: ANN401 - its own
        if not found:
            found.append(extract(**how))
        return found[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orchestrator, "extract_all", once)
        yield


@pytest.fixture(scope="module")
def service(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Give one application for all operations: each is asked by players of its own."""
    path = str(shutil.copy(sqlite_template, tmp_path_factory.mktemp("asked") / "asked.sqlite"))
    settings = Settings(database_url=path, rate_limit=0, stream_seconds=0)
    house = Services(settings, games=test_games())
    yield create_app(house)
    house.close()


@pytest.fixture(scope="module")
def document(service: Flask) -> OpenApiSchema:
    accepted = {"positive_data_acceptance": {"expected-statuses": TAKEN}}
    config = SchemathesisConfig.from_dict({"checks": accepted})
    return from_wsgi("/api/v1/openapi.json", service, config=config)


@pytest.fixture
def pair(service: Flask) -> tuple[Person, Person]:
    """Give two players: whatever an operation does to the first one's tokens ends with it."""
    anyone, number = Person(service.test_client()), next(_numbers)
    return anyone.sign_up(f"ada{number}"), anyone.sign_up(f"bob{number}")


@pytest.fixture
def matches(pair: tuple[Person, Person]) -> Iterator[str]:
    """Give ids of matches in every status, and some that are none."""
    ada, bob = pair
    opened, running, finished = ada.create(), ada.start(bob), ada.start(bob)
    for mover in (ada, bob, ada):
        mover.move(finished)
    assert bob.act(finished, "resign").status_code == 201
    return cycle([opened["id"], running["id"], finished["id"], "0000000000000000"])


def whole(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Write 25.0 as 25, which JSON Schema holds to be the same and the contract does not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(one) for one in value]
    return {name: whole(one) for name, one in value.items()} if isinstance(value, dict) else value


def keep_to_what_is_said_in_words(name: str, case: Any) -> None:  # noqa: ANN401 - of many kinds
    """Mend what no schema of single members can say: which of them go together."""
    query, headers = case.query or {}, case.headers or {}
    # Cursors and ids are for coming back with: nobody can make them up.
    query.pop("cursor", None)
    if name == "stream_own_matches":
        query.pop("after", None)
        headers.pop("Last-Event-ID", None)
    if name == "replay_match" and {"from", "to"} <= query.keys():
        query["to"] = query["from"]
    if name.startswith("export_match"):
        keep_to_the_format(query)
    # A body that may be left out and is, is not set anew: the machine would hold it to be wrong.
    if isinstance(case.body, dict):
        case.body = whole(case.body)
        keep_together(name, case.body, named="If-Match" in headers)


def keep_to_the_format(query: dict[str, Any]) -> None:
    if query.get("format") not in {None, "ndjson", "json"}:
        query.pop("proof", None)
    if query.get("proof") not in {"true", True}:
        query.pop("link", None)
    if query.get("format") not in {"text", "svg", "png"}:
        query.pop("at", None)


def keep_together(name: str, body: dict[str, Any], *, named: bool) -> None:
    if named:
        body.pop("expected_version", None)
    if name == "issue_token" and not body.get("label", "").isprintable():
        body["label"] = "a label"
    if name == "take_action":
        needed = NEEDS.get(body["action"])
        for member in GOOD:
            body.pop(member, None)
        if needed is not None:
            body[needed] = GOOD[needed]


GOOD: dict[str, str | int] = {"contribution": "00" * 32, "to_version": 1, "days": 1, "hours": 1}
"""Values that an action takes, by the member that it needs."""


def test_a_good_value_is_known_of_each_member_that_an_action_needs() -> None:
    assert GOOD.keys() == {*NEEDS.values()}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), ASKED)
def test_every_answer_is_one_that_the_document_describes(
    name: str,
    mode: GenerationMode,
    document: OpenApiSchema,
    matches: Iterator[str],
    pair: tuple[Person, Person],
) -> None:
    ada, _ = pair
    operation = document.find_operation_by_id(name)

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def ask(case: "Case[Any]") -> None:
        if mode is GenerationMode.POSITIVE:
            keep_to_what_is_said_in_words(name, case)
        # What is no id is to be told so; what is one is to be one of a match, now and then.
        if re.fullmatch("[0-9a-z]{16}", str(case.path_parameters.get("match_id"))):
            case.path_parameters["match_id"] = next(matches)
        checks: Any = CHECKS.get_all()
        # The client of the tests unpacks nothing.
        headers = {"Authorization": f"Bearer {ada.token}", "Accept-Encoding": "identity"}
        case.call_and_validate(headers=headers, checks=checks)

    ask()


def test_every_check_there_is_is_made() -> None:
    names = set(CHECKS.get_all_names())
    assert {"positive_data_acceptance", "negative_data_rejection", "ignored_auth"} <= names
    assert {"unsupported_method", "missing_required_header", "not_a_server_error"} <= names
