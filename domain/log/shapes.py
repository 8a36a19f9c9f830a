"""What records are made of: the names and types of their fields, all the way down.

Stored states name the shape that they were written in. It follows from the classes themselves, so
that nobody has to remember to say that a field was added. Tuples and named tuples are stored as
lists of what is in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from domain.json_types import Json

T = TypeVar("T")


def derive_shape(kind: Any, within: tuple[object, ...] = ()) -> Json:  # noqa: ANN401 - any type there is
    """Return the shape of a type as JSON; two types whose values differ in form differ in it.

    A record is a list of its fields in their order, by which many are stored; ``within`` are the
    records that it is a part of.

    >>> from domain.match.state import Offer
    >>> derive_shape(tuple[Offer | None, ...])
    ['tuple', ['union', 'NoneType', [['seat', 'int'], ['about', 'int']]], '...']
    """
    if isinstance(kind, NewType):
        return derive_shape(kind.__supertype__, within)
    if kind in within:
        return _get_name(kind)
    if _is_record(kind):
        return [
            [name, derive_shape(hint, (*within, kind))]
            for name, hint in get_type_hints(kind).items()
        ]
    origin = get_origin(kind)
    if origin is None:
        return "..." if kind is Ellipsis else _get_name(kind)
    parts = [derive_shape(part, within) for part in get_args(kind)]
    if origin in (Union, UnionType):
        return ["union", *sorted(parts, key=str)]
    return [_get_name(origin), *parts]


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def _get_name(kind: object) -> str:
    return str(getattr(kind, "__name__", kind))


def dump(value: Any) -> Json:  # noqa: ANN401 - a tuple, or what stands in one
    """Return a tuple as JSON."""
    if not isinstance(value, tuple):
        return value
    return [dump(one) for one in value]


def make_loader(kind: type[T]) -> Callable[[Json], T]:
    """Return what brings back a named tuple that ``dump`` wrote.

    >>> from domain.match.state import Offer
    >>> make_loader(Offer)(dump(Offer(1, 12)))
    Offer(seat=1, about=12)
    """
    read = _make_loader(kind)

    def load(json: Json) -> T:
        loaded: T = read(json)
        return loaded

    # The shape of what is loaded is read off its annotation.
    load.__annotations__["return"] = kind
    return load


def _make_loader(kind: Any) -> Callable[[Json], Any]:  # noqa: ANN401 - any type there is
    if hasattr(kind, "_fields"):
        return _make_parts_loader(list(get_type_hints(kind).values()), kind._make)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (part,) = map(_make_loader, set(parts) - {NoneType})
        return lambda json: None if json is None else part(json)
    if origin is not tuple:
        return _keep_as_is
    if parts[-1] is not Ellipsis:
        return _make_parts_loader(parts, tuple)
    each = _make_loader(parts[0])
    return tuple if each is _keep_as_is else lambda json: tuple([each(one) for one in json])


def _keep_as_is(json: Json) -> Json:
    return json


def _make_parts_loader(
    kinds: Iterable[object], make: Callable[[Iterable[object]], object]
) -> Callable[[Json], Any]:
    loaders = [_make_loader(one) for one in kinds]
    if all(load is _keep_as_is for load in loaders):
        return make
    return lambda json: make([load(one) for load, one in zip(loaders, json, strict=True)])
