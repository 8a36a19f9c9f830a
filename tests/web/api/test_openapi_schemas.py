"""What schemas say to those who read the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.json_types import Json, JsonObject
from web.api.openapi import build_document


def parts(form: Json) -> Iterator[JsonObject]:
    """Yield every schema in a part of the document."""
    if isinstance(form, dict):
        yield form
        for inner in form.values():
            yield from parts(inner)
    elif isinstance(form, list):
        for inner in form:
            yield from parts(inner)


def test_every_list_of_values_is_of_one_kind_as_generators_of_clients_need_it() -> None:
    for form in parts(build_document()):
        if isinstance(form.get("enum"), list):
            kinds = {type(value) for value in form["enum"] if value is not None}
            assert len(kinds) == 1, form
    seat = build_document()["components"]["schemas"]["NewMatch"]["properties"]["seat"]
    assert seat["oneOf"] == [
        {"type": "integer", "enum": [1, 2]},
        {"type": "string", "enum": ["random"]},
    ]
    assert seat["default"] == "random"


def test_members_are_called_in_the_document_as_they_are_in_answers() -> None:
    schemas = build_document()["components"]["schemas"]
    for name in ("ConditionalLine", "WrittenLine"):
        assert {"if", "then", "next"} <= schemas[name]["properties"].keys()
    for name, schema in schemas.items():
        assert not any(member.endswith("_") for member in schema.get("properties", ())), name


def test_lines_and_messages_have_schemas() -> None:
    def content(path: str, kind: str) -> Any:  # noqa: ANN401 - any JSON
        return build_document()["paths"][path]["get"]["responses"]["200"]["content"][kind]["schema"]

    line = content("/me/stream", "application/x-ndjson")
    assert line == {"$ref": "#/components/schemas/OwnLine"}
    own = build_document()["components"]["schemas"]["OwnLine"]
    assert {"id", "kind"} <= set(own["required"])
    event = {"$ref": "#/components/schemas/Event"}
    assert content("/matches/{match_id}/events", "application/x-ndjson") == event
    data = content("/matches/{match_id}/stream", "text/event-stream")["properties"]["data"]
    assert event in data["contentSchema"]["anyOf"]


def test_every_place_of_a_path_says_what_may_stand_there() -> None:
    for operations in build_document()["paths"].values():
        for operation in operations.values():
            for given_ in operation["parameters"]:
                form = given_["schema"]
                assert "null" not in str(form.get("type"))
                assert given_["in"] != "path" or {"pattern", "minimum", "enum"} & form.keys()


def test_what_signs_up_is_bounded_as_the_service_bounds_it() -> None:
    members = build_document()["components"]["schemas"]["NewPlayer"]["properties"]
    assert (members["name"]["minLength"], members["name"]["maxLength"]) == (2, 24)
    assert members["name"]["pattern"] == "^[A-Za-z0-9_-]+$"
    assert (members["password"]["minLength"], members["password"]["maxLength"]) == (10, 256)
