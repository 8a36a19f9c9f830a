"""Scenes as JSON and back: what there is to draw, for front ends that hold no game.

Every member of ``domain.game.scene`` is there under its own name; marks and shapes are their words.
Reading skips what it does not know, so that an older program draws what it can of a newer service.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any

from domain.game.scene import Link, Mark, Meter, Note, Scene, Shape, Space, Token, Trail, Zone
from domain.json_types import Json, JsonObject

_PARTS: dict[str, type] = {
    "zones": Zone,
    "links": Link,
    "trails": Trail,
    "meters": Meter,
    "notes": Note,
    "tokens": Token,
}
_KNOWN_MARKS = frozenset(Mark)


def scene_json(scene: Scene) -> JsonObject:
    """Return a scene as JSON."""
    written: JsonObject = _dump(scene)
    return written


def read_scene(json: JsonObject) -> Scene:
    """Return the scene that ``scene_json`` wrote. Raises ``ValueError`` for what is none."""
    try:
        scene: Scene = _read(Scene, json)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"This is no scene: {error}.") from error
    return scene


def _dump(value: Any) -> Json:  # noqa: ANN401 - whatever stands in a scene
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(_dump(one) for one in value)
    if isinstance(value, tuple):
        return [_dump(one) for one in value]
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _dump(getattr(value, field.name)) for field in fields(value)}
    return value


def _read(kind: type, json: JsonObject) -> Any:  # noqa: ANN401 - one of the records
    known = [field.name for field in fields(kind) if field.name in json]
    return kind(**{name: _read_member(kind, name, json[name]) for name in known})


def _read_member(kind: type, name: str, value: Json) -> Any:  # noqa: ANN401 - a member of a record
    if name == "marks":
        return frozenset(Mark(one) for one in value if one in _KNOWN_MARKS)
    if name == "shape":
        return Shape(value)
    if name == "spaces" and kind is Zone:
        return tuple(_read(Space, one) for one in value)
    part = _PARTS.get(name)
    if part is not None:
        return tuple(_read(part, one) for one in value)
    return tuple(value) if isinstance(value, list) else value
