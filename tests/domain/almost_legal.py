"""Moves that are almost legal: what a careless or hostile client would send."""

from __future__ import annotations

from collections.abc import Iterator

from domain.json_types import Json, JsonObject

HUGE = (2**31, 2**53, -(2**63), 10**30)
NO_OBJECTS: tuple[Json, ...] = (None, True, 0, 1.5, "", "move", [], [{}])


def malformed(move: JsonObject) -> Iterator[Json]:
    """Yield values that are no move of any form, made from a legal one."""
    yield from NO_OBJECTS
    yield [move]
    yield {}
    yield from _malformed_objects(move)


def _malformed_objects(move: JsonObject) -> Iterator[JsonObject]:
    yield {**move, "surplus": 1}
    yield {**move, "a/b~c": None}
    for name, value in move.items():
        yield {other: move[other] for other in move if other != name}
        for wrong in _wrong_types(value):
            yield {**move, name: wrong}
    if "action" in move:
        yield {**move, "action": "no-such-action"}
        yield {**move, "action": move["action"].upper()}


def _wrong_types(value: Json) -> Iterator[Json]:
    """Yield values whose JSON type is not that of ``value``."""
    yield None
    match value:
        case int():
            yield from (True, False, float(value), value + 0.5, str(value), [value], {})
        case str():
            yield from (0, True, [value], {})
        case list():
            yield from (0, "", {}, True)
            yield from ([wrong, *value[1:]] for wrong in _wrong_types(value[0] if value else 0))
        case dict():
            yield from (0, "", [], [value])
            yield from _malformed_objects(value)
        case _:
            raise TypeError(value)


def neighbours(move: JsonObject, others: list[JsonObject]) -> Iterator[JsonObject]:
    """Yield well-formed moves near a legal one; some of them are legal too.

    ``others`` are further legal moves, whose members are mixed in.
    """
    yield move
    for name, value in move.items():
        for near in _near(value):
            yield {**move, name: near}
        for other in others:
            if other.keys() == move.keys() and other.get("action") == move.get("action"):
                yield {**move, name: other[name]}


def _near(value: Json) -> Iterator[Json]:
    """Yield other values of the same JSON type."""
    match value:
        case int():
            yield from (value - 1, value + 1, 0, 1, -1, -value, 11, 99, *HUGE)
        case list():
            yield from ([], value + value, value[1:], value[::-1], [*value, 0])
            for place, one in enumerate(value):
                yield from ([*value[:place], near, *value[place + 1 :]] for near in _near(one))
        case dict():
            for name, one in value.items():
                yield from ({**value, name: near} for near in _near(one))
        case _:
            return
