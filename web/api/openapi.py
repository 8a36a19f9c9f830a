"""The OpenAPI 3.1 document, made from the operations and their schemas."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Response
from marshmallow import Schema, fields

from domain.json_types import JsonObject
from services.talk.chat import ROOMS
from web.api.operations import BASE, OPEN, OPERATIONS, Access, Given, Operation, api
from web.api.resources.problems import ProblemSchema
from web.http.answers import EVENT_STREAM, JSON, NDJSON, SHARED, answer_bytes
from web.http.inputs import LARGEST
from web.http.problems import PROBLEM_JSON, PROBLEMS
from web.http.requests import CALLER, add_root

ALWAYS = ("rate-limited", "unavailable", "not-acceptable", "malformed-request")
"""Codes that every operation may answer with."""

HEADERS = {
    "ETag": 'Validator; of a match `"<version>.<digest>"`; weak (`W/`) where an encoding is taken.',
    "Location": "The address of the match.",
    "Content-Disposition": "`attachment`, with a name for the file.",
    "Plybook-Imported": "When it came in from elsewhere, of such a match.",
    "Link": "The next page, where there is one.",
    CALLER: "Your id, once your token has been read.",
}
"""What headers of answers mean."""

_WHOLE: JsonObject = {"type": "integer", "minimum": 0, "maximum": LARGEST}


def _make_pattern(pattern: str) -> JsonObject:
    return {"type": "string", "pattern": pattern}


PLACES: dict[str, JsonObject] = {
    "match_id": _make_pattern("^[0-9a-z]{16}$"),
    "puzzle_id": _make_pattern("^[0-9a-z]{16}$"),
    "series_id": _make_pattern("^[0-9a-z]{16}$"),
    "name": _make_pattern("^([A-Za-z0-9_-]{2,24}|house:[1-5])$"),
    "slug": _make_pattern("^[a-z][a-z0-9-]*$"),
    "game": _make_pattern("^[a-z][a-z0-9-]*$"),
    "code": _make_pattern("^[a-z][a-z-]*$"),
    "size": {**_WHOLE, "minimum": 1},
    "version": _WHOLE,
    "number": _WHOLE,
    "room": {"type": "string", "enum": list(ROOMS)},
    "line": _make_pattern("^[1-9][0-9]*([.][1-9][0-9]*)*$"),
    "token_id": _make_pattern("^[0-9A-Za-z_-]+$"),
    "invitation_id": _make_pattern("^[0-9A-Za-z_-]+$"),
    "token": _make_pattern("^[0-9A-Za-z_-]+$"),
    "webhook_id": _make_pattern("^w_[0-9a-z]{16}$"),
    "delivery": {"type": "integer", "minimum": 0, "maximum": 2**52 - 1},
}
"""What may stand in the places of paths."""

NOTICE: JsonObject = {
    "type": "object",
    "description": "Of a message that has an `event`, such as `reset`: what became of the stream.",
    "not": {"required": ["hash"]},
}

INTRODUCTION = """
Correspondence games whose every move is an event.

Sign up (`POST /players`), get a token (`POST /tokens`), create a match or join one, and play:
say with `If-Match` or `expected_version` which version of the match you decided on. With an
`Idempotency-Key` any such request may be repeated safely.
""".strip()


@cache
def build_document() -> JsonObject:
    """Return the document; the same object every time, so treat it as frozen."""
    plugin = MarshmallowPlugin(schema_name_resolver=_name_schema)
    spec = APISpec(
        title="Plybook",
        version=version("plybook"),
        openapi_version="3.1.0",
        plugins=[plugin],
        info={"description": INTRODUCTION, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": BASE}],
    )
    converter = plugin.converter
    if converter is None:
        raise TypeError("apispec has made no converter for marshmallow")
    converter.add_attribute_function(_form_of_field)  # type: ignore[no-untyped-call]
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for operation in OPERATIONS.values():
        described = _describe(operation, converter)
        path = operation.rule.replace("<", "{").replace(">", "}")
        spec.path(path=path, operations={operation.method.lower(): described})
    made: JsonObject = spec.to_dict()
    return made


@api.get("/openapi.json")
def openapi_json() -> Response:
    """Answer with the document."""
    return answer_bytes(_dump_document(add_root(BASE)), kind=JSON, cache=SHARED)


@lru_cache(maxsize=8)
def _dump_document(base: str) -> bytes:
    served = {**build_document(), "servers": [{"url": base}]}
    return orjson.dumps(served, option=orjson.OPT_NON_STR_KEYS)


def _form_of_field(_: object, field: fields.Field[Any], **__: object) -> JsonObject:
    """Describe what marshmallow's kinds of fields do not say enough about."""
    return dict(field.metadata.get("form", {}))


def _name_schema(schema: type[Schema] | Schema) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Schema")


def _describe(operation: Operation, converter: OpenAPIConverter) -> JsonObject:
    summary, _, more = (operation.view.__doc__ or "").strip().partition("\n")
    described: JsonObject = {
        "operationId": operation.view.__name__,
        "tags": [operation.tag],
        "summary": summary.rstrip("."),
        "parameters": _describe_parameters(operation, converter),
        "responses": _describe_responses(operation, converter),
        "security": _describe_security(operation),
    }
    if more.strip():
        described["description"] = " ".join(more.split())
    if operation.body is not None:
        described["requestBody"] = {
            "required": operation.body_required,
            "content": {JSON: {"schema": operation.body}},
        }
    return described


def _describe_parameters(operation: Operation, converter: OpenAPIConverter) -> list[JsonObject]:
    parameters: list[JsonObject] = [
        {"in": "path", "name": name, "required": True, "schema": dict(PLACES[name])}
        for name in operation.places
    ]
    if operation.query is not None:
        found = converter.schema2parameters(operation.query, location="query")
        parameters += map(_remove_null, found)
    for header in operation.headers:
        form = {"type": "string", "pattern": header.pattern}
        told = {"name": header.name, "description": header.meaning, "schema": form}
        parameters.append({"in": "header", **told})
    return parameters


def _remove_null(parameter: JsonObject) -> JsonObject:
    """Return a parameter of a query as it is: in an address there is no null."""
    form: JsonObject = dict(parameter["schema"])
    if isinstance(form.get("type"), list):
        form["type"] = form["type"][0]
    if "enum" in form:
        form["enum"] = [value for value in form["enum"] if value is not None]
    if form.get("default", ...) is None:
        del form["default"]
    return {**parameter, "schema": form}


def _describe_security(operation: Operation) -> list[JsonObject]:
    if operation.access is Access.ANYONE:
        return []
    token: JsonObject = {"token": [] if operation.scope is None else [operation.scope]}
    return [{}, token] if operation.access is OPEN else [token]


def _describe_responses(operation: Operation, converter: OpenAPIConverter) -> JsonObject:
    called = () if operation.access is Access.ANYONE else (CALLER,)
    responses = {
        str(given.status): _describe_success(given, called, converter) for given in operation.given
    }
    if operation.method == "GET":
        responses["304"] = {"description": "You have this answer already (`If-None-Match`)."}
    for status, codes in _list_failures(operation).items():
        responses[str(status)] = {
            "description": ", ".join(f"`{code}`" for code in codes),
            "content": {PROBLEM_JSON: {"schema": ProblemSchema}},
        }
    return responses


def _describe_success(
    given: Given, called: tuple[str, ...], converter: OpenAPIConverter
) -> JsonObject:
    answer: JsonObject = {"description": given.meaning}
    if given.schema is not None or given.kinds != (JSON,):
        answer["content"] = {
            kind: {"schema": _choose_schema(given, kind, converter)} for kind in given.kinds
        }
    names = (*given.named_headers, *called)
    if names:
        answer["headers"] = {
            name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in names
        }
    return answer


def _choose_schema(
    given: Given, kind: str, converter: OpenAPIConverter
) -> Schema | JsonObject | None:
    """Return the schema of an answer as one media type has it; of lines and messages, of one."""
    if kind == EVENT_STREAM and given.line is not None:
        data = converter.resolve_nested_schema(given.line)  # type: ignore[no-untyped-call]
        said: JsonObject = {"anyOf": [data, NOTICE]}
        text: JsonObject = {"type": "string", "contentMediaType": JSON, "contentSchema": said}
        return {"type": "object", "properties": {"id": {"type": "string"}, "data": text}}
    if kind == NDJSON and given.line is not None:
        return given.line
    if given.schema is None:
        return {"type": "object" if kind == JSON else "string"}
    return given.schema


def _list_failures(operation: Operation) -> dict[int, list[str]]:
    codes = {*ALWAYS, *operation.refusals}
    if operation.access is not Access.ANYONE:
        codes.add("unauthenticated")
    if operation.scope is not None:
        codes.add("missing-scope")
    if operation.body is not None:
        codes |= {"payload-too-large", "unsupported-media-type"}
    if operation.places:
        codes.add("not-found")
    for header in operation.headers:
        codes |= {*header.codes}
    by_status: dict[int, list[str]] = {}
    for code in PROBLEMS:
        if code in codes:
            by_status.setdefault(PROBLEMS[code].status, []).append(code)
    return by_status
