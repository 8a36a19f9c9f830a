"""Names for JSON values, as events, options and states carry them, and pointers into them."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""Any JSON value without fractions: null, booleans, integers, strings, lists, objects."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object. Treat it as frozen: whoever changes one copies it first."""


def make_pointer(*names: str) -> str:
    """Return the JSON Pointer (RFC 6901) of a member, by the names on the way to it.

    >>> make_pointer("options", "a/b")
    '/options/a~1b'
    """
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)
