"""What is exported is what the published schemas say."""

import json
from pathlib import Path

import orjson
import pytest
from jsonschema import Draft202012Validator

from domain.json_types import JsonObject
from services.looking import Look
from services.wiring import House
from tests.services.exports.matches import LOCAL, exported, finished, lines
from tests.services.people import table

SCHEMAS = Path(__file__).resolve().parents[3] / "docs" / "schemas"


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Keep to SQLite: the forms are those of no database."""
    return migrated_sqlite_url


def validator(name: str) -> Draft202012Validator:
    schema: JsonObject = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("game", ["path-capture", "whisper"])
@pytest.mark.parametrize("over", [True, False])
def test_an_export_is_what_its_schemas_say(house: House, game: str, *, over: bool) -> None:
    there = finished(house, game) if over else table(house).start(game)
    for look in (LOCAL, Look(there.first)):
        header, *events = lines(exported(house, there.match, look=look))
        validator("export-header").validate(header)
        for event in events:
            validator("export-event").validate(event)
        validator("replay").validate(orjson.loads(exported(house, there.match, "json", look)))


def test_the_schemas_refuse_what_is_none(house: House) -> None:
    header, event, *_ = lines(exported(house, finished(house).match))
    assert not validator("export-header").is_valid({**header, "more": 1})
    assert not validator("export-header").is_valid({**header, "head": "0"})
    assert not validator("export-event").is_valid({**event, "at": "yesterday"})
