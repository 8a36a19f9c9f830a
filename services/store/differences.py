"""What sets a database's schema apart from the models, in words.

Alembic finds the differences and tells them as what would have to be done to the database;
here they are told as what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

_PARTS = {"fk": "foreign key"}
"""Alembic's short names of what belongs to a table."""


def told(found: Iterable[Any]) -> Iterator[str]:
    """Tell Alembic's differences, a sentence each.

    An entry is ``(operation, part)`` or, for a column, ``(operation, schema, table, column)``;
    the changes of one column come as a list of ``(operation, schema, table, column, more, has,
    should)``.
    """
    for entry in found:
        if isinstance(entry, list):
            yield from (_changed(*change) for change in entry)
        else:
            yield _lacking(*entry)


def _lacking(operation: str, *parts: Any) -> str:  # noqa: ANN401 - parts of a schema
    verb, _, kind = operation.partition("_")
    what = parts[-1]
    if kind == "table":
        told = f"The table {what.name}"
    elif kind == "column":
        told = f"The column {parts[1]}.{what.name}"
    else:
        columns = ", ".join(column.name for column in what.columns)
        named = f" {what.name}" if what.name else ""
        told = f"The {_PARTS.get(kind, kind)}{named} over {columns} of the table {what.table.name}"
    return f"{told} is missing." if verb == "add" else f"{told} should not be there."


def _changed(
    operation: str, _: object, table: str, column: str, __: object, has: object, should: object
) -> str:
    aspect = operation.removeprefix("modify_")
    return (
        f"The column {table}.{column} should have {aspect} {_written(should)}, "
        f"and has {_written(has)}."
    )


def _written(value: object) -> str:
    """Write a type, a truth or a default, whatever SQLAlchemy and SQLite put around it."""
    text = "none" if value is None else str(getattr(value, "arg", value)).lower()
    return text[1:-1] if text.startswith("(") else text
