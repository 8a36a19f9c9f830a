"""The OpenAPI document as a page for people: HTML alone, with nothing from outside."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import orjson
from flask import Blueprint, Response, make_response, render_template, request
from markupsafe import Markup, escape

from domain.json_types import JsonObject
from web.api.openapi import build_document
from web.api.operations import BASE
from web.http.answers import OWN
from web.http.requests import add_root

reference = Blueprint("reference", __name__, url_prefix="/api/docs")

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_CODE = re.compile(r"`([^`]+)`")


class Described(NamedTuple):
    """An operation: how it is asked for, and what the document says of it."""

    method: str
    path: str
    told: JsonObject


@reference.get("")
def show_reference() -> Response:
    """Show what the document says, an operation below the other."""
    found = build_document()
    page = render_template(
        "api/reference.html",
        info=found["info"],
        base=add_root(BASE),
        groups=_group_operations(),
        schemas=found["components"]["schemas"],
        coded=_mark_code,
        written=_dump_schema,
        named=_find_name,
    )
    answer = make_response(page)
    answer.headers["Content-Security-Policy"] = POLICY
    # It comes in the colours that its reader has chosen.
    answer.headers["Cache-Control"] = OWN
    answer.vary.add("Cookie")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@cache
def _group_operations() -> dict[str, list[Described]]:
    """Return the operations by what they are about, in the order of the document."""
    groups: dict[str, list[Described]] = {}
    for path, operations in build_document()["paths"].items():
        for method, told in operations.items():
            described = Described(method.upper(), path, told)
            groups.setdefault(told["tags"][0], []).append(described)
    return groups


def _mark_code(text: str) -> Markup:
    """Return a text of the document, what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def _dump_schema(schema: object) -> str:
    return orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()


def _find_name(schema: Any) -> str | None:  # noqa: ANN401 - whatever a document holds
    """Return the name of the schema that a reference leads to, None for one that stands there."""
    found = schema.get("$ref", "") if isinstance(schema, dict) else ""
    return found.rpartition("/")[2] or None
