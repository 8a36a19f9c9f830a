"""Names for JSON values, as events, options and states carry them."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""Any JSON value without fractions: null, booleans, integers, strings, lists, objects."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object. Treat it as frozen: whoever changes one copies it first."""
