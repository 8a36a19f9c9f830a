"""What differs between two JSON values, told by paths: between two states of any game."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from domain.json_types import Json, JsonObject
from domain.log.event_format import canonical

Path: TypeAlias = tuple[str | int, ...]
"""Members and indexes (the first is 0) that lead to a place in a JSON value."""

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


class Change(NamedTuple):
    """One place that differs. ``before`` is None of what was added, ``after`` of what is gone.

    The index of a thing that was removed from a list is that of the list before; all others
    are those of the list afterwards.
    """

    path: Path
    change: str
    before: Json
    after: Json


def change_json(change: Change) -> JsonObject:
    """Return a change as a JSON object."""
    return {**change._asdict(), "path": list(change.path)}


def changes(before: Json, after: Json, path: Path = ()) -> Iterator[Change]:
    """Yield what differs, in the order of the values; nothing of equal ones.

    Lists of equal length are compared place by place; of others, what came and what went is
    told, since a card that is played makes all that follow it move up.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield Change(path, CHANGED, before, after)


def _members(before: JsonObject, after: JsonObject, path: Path) -> Iterator[Change]:
    for name in [*before, *(name for name in after if name not in before)]:
        place = (*path, name)
        if name not in after:
            yield Change(place, REMOVED, before[name], None)
        elif name not in before:
            yield Change(place, ADDED, None, after[name])
        else:
            yield from changes(before[name], after[name], place)


def _items(before: list[Json], after: list[Json], path: Path) -> Iterator[Change]:
    if len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from changes(old, new, (*path, index))
        return
    old_keys, new_keys = [canonical(one) for one in before], [canonical(one) for one in after]
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    for what, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if what == "equal":
            continue
        paired = min(old_to - old_from, new_to - new_from)
        for step in range(paired):
            place = (*path, new_from + step)
            yield from changes(before[old_from + step], after[new_from + step], place)
        for index in range(old_from + paired, old_to):
            yield Change((*path, index), REMOVED, before[index], None)
        for index in range(new_from + paired, new_to):
            yield Change((*path, index), ADDED, None, after[index])


def written(path: Path) -> str:
    """Write a path as ``plybook find --where`` reads it.

    >>> written(("players", 0, "node"))
    'players.0.node'
    """
    return ".".join(map(str, path))


def told(change: Change) -> str:
    """Tell a change in a line.

    >>> told(Change(("players", 0, "node"), "changed", 0, 3))
    'players.0.node: 0 -> 3'
    """
    place = written(change.path) or "the whole"
    if change.change == ADDED:
        return f"{place}: {_json(change.after)} is new"
    if change.change == REMOVED:
        return f"{place}: {_json(change.before)} is gone"
    return f"{place}: {_json(change.before)} -> {_json(change.after)}"


def _json(value: Json) -> str:
    return canonical(value).decode()
