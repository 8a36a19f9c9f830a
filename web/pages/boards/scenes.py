"""Scenes in the language of the present page, for everything that is drawn and read out of them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from domain.game.scene import Scene
from domain.i18n import Said
from web.texts import ENGLISH, language, told

T = TypeVar("T")


def in_language(scene: Scene) -> Scene:
    """Return a scene whose labels, titles and notes are translated; English is as it stands."""
    return scene if language() == ENGLISH else _translated(scene)


def _translated(value: T) -> T:
    if isinstance(value, Said):
        return cast("T", told(value))
    if isinstance(value, tuple):
        return cast("T", tuple(_translated(one) for one in value))
    if is_dataclass(value) and not isinstance(value, type):
        members = {one.name: _translated(getattr(value, one.name)) for one in fields(value)}
        return replace(value, **members)
    return value
