"""What records are made of: the names and types of their fields, all the way down.

Stored states name the shape that they were written in. It follows from the classes themselves, so
that nobody has to remember to say that a field was added.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from domain.json_types import Json


def shape(kind: Any, within: tuple[object, ...] = ()) -> Json:  # noqa: ANN401 - any type there is
    """Return the shape of a type as JSON; two types whose values differ in form differ in it.

    A record is a list of its fields in their order, by which many are stored; ``within`` are the
    records that it is a part of.

    >>> from domain.match.state import Offer
    >>> shape(tuple[Offer | None, ...])
    ['tuple', ['union', 'NoneType', [['seat', 'int'], ['about', 'int']]], '...']
    """
    if isinstance(kind, NewType):
        return shape(kind.__supertype__, within)
    if kind in within:
        return _name(kind)
    if _is_record(kind):
        return [[name, shape(hint, (*within, kind))] for name, hint in get_type_hints(kind).items()]
    origin = get_origin(kind)
    if origin is None:
        return "..." if kind is Ellipsis else _name(kind)
    parts = [shape(part, within) for part in get_args(kind)]
    if origin in (Union, UnionType):
        return ["union", *sorted(parts, key=str)]
    return [_name(origin), *parts]


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def _name(kind: object) -> str:
    return str(getattr(kind, "__name__", kind))
