"""What differs between two JSON values, by paths."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cli.replay.differences import describe_change
from services.replays.replay import Difference, compare_values, write_path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=12,
)


def found(before: Any, after: Any) -> list[str]:  # noqa: ANN401 - any JSON
    return [describe_change(change) for change in compare_values(before, after)]


def test_a_changed_value_is_told_by_its_path() -> None:
    before = {"players": [{"node": 0}, {"node": 10}], "turn": 1}
    after = {"players": [{"node": 3}, {"node": 10}], "turn": 1}
    assert found(before, after) == ["players.0.node: 0 -> 3"]


def test_members_that_come_and_go_are_told() -> None:
    assert found({"a": 1}, {"b": None}) == ["a: 1 is gone", "b: null is new"]


def test_a_card_that_is_played_does_not_make_the_others_differ() -> None:
    assert found([1, 5, 6, 7], [1, 6, 7]) == ["1: 5 is gone"]
    assert found([1, 6, 7], [1, 5, 6, 7]) == ["1: 5 is new"]
    assert found([1, 2, 3], [9, 3]) == ["0: 1 -> 9", "1: 2 is gone"]


def test_places_of_lists_as_long_are_compared_one_by_one() -> None:
    assert found([1, 2], [2, 1]) == ["0: 1 -> 2", "1: 2 -> 1"]


def test_true_is_not_one_and_a_list_is_not_an_object() -> None:
    assert found({"a": True}, {"a": 1}) == ["a: true -> 1"]
    assert found([], {}) == ["the whole: [] -> {}"]
    assert found(None, {"a": 1}) == ['the whole: null -> {"a":1}']


@given(JSON)
def test_equal_values_do_not_differ(value: object) -> None:
    assert list(compare_values(value, value)) == []


@given(JSON, JSON)
def test_values_that_differ_are_told_apart_and_each_place_tells_the_truth(
    before: object, after: object
) -> None:
    differing = list(compare_values(before, after))
    assert (differing == []) == _same(before, after)
    for change in differing:
        if change.change != "removed":
            assert _same(_at(after, change), change.after)


def _same(one: object, other: object) -> bool:
    return repr(_sorted(one)) == repr(_sorted(other))


def _sorted(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list) else value


def _at(value: Any, change: Difference) -> Any:  # noqa: ANN401 - any JSON
    for step in change.path:
        value = value[step]
    return value


def test_a_path_is_written_as_conditions_read_it() -> None:
    assert write_path(("players", 1, "hand", 0)) == "players.1.hand.0"
