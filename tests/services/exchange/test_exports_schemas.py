"""What is exported is what the published schemas say."""

import csv
import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree as ET

import orjson
import pytest
from jsonschema import Draft202012Validator

from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from tests.services.exchange.matches import LOCAL, exported, finished, lines
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
def test_an_export_is_what_its_schemas_say(house: Services, game: str, *, over: bool) -> None:
    there = finished(house, game) if over else table(house).start(game)
    for look in (LOCAL, Asker(there.first)):
        header, *events = lines(exported(house, there.match, look=look))
        validator("export-header").validate(header)
        for event in events:
            validator("export-event").validate(event)
        validator("replay").validate(orjson.loads(exported(house, there.match, "json", look)))


@pytest.mark.parametrize("game", ["path-capture", "whisper"])
@pytest.mark.parametrize("over", [True, False])
def test_rows_and_pictures_are_what_their_schemas_say(
    house: Services, game: str, *, over: bool
) -> None:
    there = finished(house, game) if over else table(house).start(game)
    text = exported(house, there.match, "csv").decode()
    rows = list(csv.DictReader(StringIO(text, newline="")))
    assert len(rows) == there.version
    for row in rows:
        validator("export-row").validate(row)
    root = ET.fromstring(exported(house, there.match, "svg"))
    facts = root.find("{http://www.w3.org/2000/svg}metadata")
    assert facts is not None
    validator("picture").validate(json.loads(facts.text or ""))


def test_every_published_schema_is_a_schema() -> None:
    for path in SCHEMAS.iterdir():
        validator(path.name.removesuffix(".schema.json"))


def test_the_schemas_refuse_what_is_none(house: Services) -> None:
    header, event, *_ = lines(exported(house, finished(house).match))
    assert not validator("export-header").is_valid({**header, "more": 1})
    assert not validator("export-header").is_valid({**header, "head": "0"})
    assert not validator("export-event").is_valid({**event, "at": "yesterday"})
    assert not validator("export-row").is_valid({**event, "version": 1})
    assert not validator("picture").is_valid({**header, "more": 1})
