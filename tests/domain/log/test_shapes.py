"""Named tuples as JSON and back: whatever stands in which others."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from domain.log import shapes


class Inner(NamedTuple):
    """What stands in another."""

    seat: int
    about: str | None


class Outer(NamedTuple):
    """One of each: plain values, one record or none, as many as there are, a pair of two kinds."""

    plain: int
    one: Inner | None
    many: tuple[Inner, ...]
    numbers: tuple[int, ...]
    pair: tuple[Inner, int]
    pairs: tuple[tuple[int, str], ...]


FIRST, SECOND = Inner(1, None), Inner(2, "a draw")


@pytest.mark.parametrize(
    "value",
    [
        Outer(7, None, (), (), (FIRST, 3), ()),
        Outer(7, SECOND, (FIRST, SECOND, FIRST), (1, 2, 3), (SECOND, 4), ((1, "a"), (2, "b"))),
    ],
)
def test_what_was_dumped_is_loaded_as_it_was(value: Outer) -> None:
    loaded = shapes.make_loader(Outer)(shapes.dump(value))
    assert repr(loaded) == repr(value)
    assert loaded == value
    assert isinstance(shapes.make_loader(Outer)(shapes.dump(value)).pair[0], Inner)


def test_a_shape_says_what_may_be_missing_and_how_often_something_is_there() -> None:
    inner = [["seat", "int"], ["about", ["union", "NoneType", "str"]]]
    assert shapes.derive_shape(Outer) == [
        ["plain", "int"],
        ["one", ["union", "NoneType", inner]],
        ["many", ["tuple", inner, "..."]],
        ["numbers", ["tuple", "int", "..."]],
        ["pair", ["tuple", inner, "int"]],
        ["pairs", ["tuple", ["tuple", "int", "str"], "..."]],
    ]
