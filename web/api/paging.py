"""Lists that come in pages: how one asks for a page, its schema, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response
from marshmallow import Schema
from marshmallow.fields import Field

from domain.json_types import Json
from services.lobby.lists import LIMIT, MOST
from services.store.cursors import Page
from web.api import fields
from web.http.answers import answer_json, format_next_link
from web.http.inputs import QuerySchema

CURSOR = "next_cursor"

T = TypeVar("T")


class PageQuerySchema(QuerySchema):
    """Which page of a list."""

    limit = fields.WholeParameter("", 1, MOST, load_default=LIMIT)
    cursor: Field[Any] = fields.Text("`next_cursor` of a page.", 1, 4000)


class NumberedPageQuerySchema(PageQuerySchema):
    """Which page of a list whose cursors are numbers."""

    cursor = fields.WholeParameter("`next_cursor` of a page.", 1)


def make_list_schema(member: type[Schema], name: str, title: str | None = None) -> Schema:
    """Return the schema of a whole list, called ``title`` in the document."""
    return _make_schema({name: fields.many(member)}, title or name.capitalize())


def make_page_schema(
    member: type[Schema],
    name: str,
    title: str | None = None,
    following: str = "For the next page; null: this is the last.",
) -> Schema:
    """Return the schema of a page of a list, called ``title`` in the document."""
    members = {name: fields.many(member), CURSOR: fields.text(following, null=True)}
    return _make_schema(members, title or name.capitalize())


def _make_schema(members: dict[str, Any], title: str) -> Schema:
    return Schema.from_dict(members, name=f"{title}Schema")()


def answer_json_page(
    name: str,
    page: Page[T, Any],
    shown: Callable[[T], Json],
    by: str = "cursor",
    **others: Any,  # noqa: ANN401 - as json_answer takes them
) -> Response:
    """Answer with a page and where the next one begins, as parameter ``by`` takes it."""
    following = None if page.next_cursor is None else str(page.next_cursor)
    answer = answer_json({name: [*map(shown, page.listed)], CURSOR: following}, **others)
    if following is not None:
        answer.headers["Link"] = format_next_link(**{by: following})
    return answer
