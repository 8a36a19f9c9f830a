"""The short way of loading a move agrees with the long one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some
from marshmallow import Schema, ValidationError

from domain.json_types import Json
from web.api.schemas.moves import PlayedMove

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=3),
    lambda inner: some.lists(inner, max_size=2) | some.dictionaries(some.text(max_size=3), inner),
    max_leaves=4,
)
NAMES = some.sampled_from(["move", "expected_version", "x"])
BODIES = JSON | some.dictionaries(NAMES, JSON | some.just({"steps": 1}), max_size=3)


def loaded(value: Json, load: object) -> Json:
    try:
        return load(PlayedMove(), value)  # type: ignore[operator]
    except ValidationError:
        return "refused"


@given(BODIES)
def test_the_short_way_loads_what_the_long_way_loads(body: Json) -> None:
    assert loaded(body, PlayedMove.load) == loaded(body, Schema.load)
