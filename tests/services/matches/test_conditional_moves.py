"""Conditional moves are stored by their author alone, and refused where they cannot be."""

from __future__ import annotations

import pytest

from domain.errors import InvalidConditionalMoves, NotYourSeat
from domain.json_types import Json, JsonObject
from services.errors import NotFound, PreconditionRequired, StaleVersion
from services.matches.conditional_moves.plans import ConditionalMovesChange
from tests.services.matches.lines import ONE, TWO, keep, kept, labels, line, told
from tests.services.people import Table

NOT_FIRST: list[tuple[int, Json, list[JsonObject], str]] = [
    (2, [ONE], [line(ONE, ONE)], "/after"),
    (1, [{"steps": 9}], [line(ONE, ONE)], "/after/0"),
    (1, [ONE, ONE], [line(ONE, ONE)], "/after/1"),
    (1, [ONE], [], "/after"),
    (1, {}, [line(ONE, ONE)], "/after"),
    (1, [ONE], [line(ONE, {"steps": 9})], "/lines/0/then/0"),
]


def test_moves_that_cannot_come_first_are_refused(long: Table) -> None:
    for seat, after, lines, pointer in NOT_FIRST:
        with pytest.raises(InvalidConditionalMoves) as refused:
            keep(long, seat, *lines, after=after)
        assert refused.value.pointer == pointer, after


IMPOSSIBLE: list[tuple[Json, str]] = [
    ({}, "/lines"),
    ([1], "/lines/0"),
    ([{"if": ONE}], "/lines/0"),
    ([{**line(ONE, ONE), "else": 1}], "/lines/0"),
    ([line({"steps": "1"}, ONE)], "/lines/0/if/steps"),
    ([line(ONE, {"steps": "1"})], "/lines/0/then/0/steps"),
    ([line({"steps": 9}, ONE)], "/lines/0/if"),
    ([line(ONE, {"steps": 9})], "/lines/0/then/0"),
    ([line(ONE)], "/lines/0/then"),
    ([line(ONE, ONE, TWO)], "/lines/0/then/1"),
    ([line(ONE, following=[line(ONE, ONE)])], "/lines/0/next/0/if"),
    ([line(ONE, ONE), line(TWO, ONE), line(ONE, TWO)], "/lines/2/if"),
    ([line(ONE, *[ONE] * 9)], "/lines/0/then"),
]


def test_lines_that_cannot_be_are_refused(long: Table) -> None:
    change = ConditionalMovesChange(long.second, 0, long.version)
    for lines, pointer in IMPOSSIBLE:
        with pytest.raises(InvalidConditionalMoves) as refused:
            long.house.conditional_moves.replace(change, long.match, lines)
        assert refused.value.pointer == pointer, lines
        assert kept(long, 2).kept.version == 0, lines


def test_too_many_and_too_deep_lines_are_refused(long: Table) -> None:
    deep = line(ONE, ONE)
    for _ in range(20):
        deep = line(ONE, ONE, following=[deep])
    with pytest.raises(InvalidConditionalMoves, match="one on the other"):
        keep(long, 2, deep)
    wide = [line({"steps": steps}, ONE) for steps in (1, 2, 3)]
    for _ in range(4):
        wide = [line({"steps": steps}, ONE, following=wide) for steps in (1, 2, 3)]
    with pytest.raises(InvalidConditionalMoves, match="100 lines"):
        keep(long, 2, *wide)


def test_versions_are_minded(long: Table) -> None:
    lines = [line(ONE, ONE)]
    conditionals = long.house.conditional_moves
    with pytest.raises(PreconditionRequired):
        conditionals.replace(
            ConditionalMovesChange(long.second, None, long.version), long.match, lines
        )
    with pytest.raises(StaleVersion) as stale:
        conditionals.replace(
            ConditionalMovesChange(long.second, 1, long.version), long.match, lines
        )
    assert stale.value.version == 0
    with pytest.raises(StaleVersion) as stale:
        conditionals.replace(
            ConditionalMovesChange(long.second, 0, long.version - 1), long.match, lines
        )
    assert stale.value.version == long.version
    assert keep(long, 2, *lines).kept.version == 1
    with pytest.raises(StaleVersion):
        conditionals.remove(ConditionalMovesChange(long.second, 0), long.match)
    assert conditionals.remove(ConditionalMovesChange(long.second, 1), long.match).kept.version == 2
    assert len(long.play(ONE).events) == 1


def test_a_line_is_deleted_by_its_label(long: Table) -> None:
    keep(long, 2, line(ONE, ONE, following=[line(ONE, TWO), line(TWO, TWO)]), line(TWO, TWO))
    conditionals = long.house.conditional_moves
    for label in ("3", "0", "1.3", "1.1.1", "x", "1.", ""):
        with pytest.raises(NotFound):
            conditionals.remove(ConditionalMovesChange(long.second, 1), long.match, label)
    conditionals.remove(ConditionalMovesChange(long.second, 1), long.match, "1.1")
    (first, second) = labels(long, 2)
    assert [one["if"] for one in first["next"]] == [TWO]
    assert second["if"] == TWO
    conditionals.remove(ConditionalMovesChange(long.second, 2), long.match, "1")
    assert [one["if"] for one in labels(long, 2)] == [TWO]


def test_only_a_seat_has_lines_and_only_its_own(long: Table) -> None:
    keep(long, 2, line(ONE, ONE))
    assert labels(long, 1) == []
    assert told(long, 1) == []
    stranger = long.house.accounts.get_local_player("eve").id
    with pytest.raises(NotYourSeat):
        long.house.conditional_moves.show(stranger, long.match)
    with pytest.raises(NotYourSeat):
        long.house.conditional_moves.list_happenings(stranger, long.match, None, 10)
    with pytest.raises(NotYourSeat):
        long.house.conditional_moves.remove(ConditionalMovesChange(stranger, 1), long.match)


def test_a_refused_move_changes_no_lines(long: Table) -> None:
    keep(long, 2, line(ONE, ONE))
    from domain.errors import IllegalMove

    with pytest.raises(IllegalMove):
        long.play({"steps": 7})
    assert kept(long, 2).kept.version == 1
    assert len(long.play(ONE).events) == 2
