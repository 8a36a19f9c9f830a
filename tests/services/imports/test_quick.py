"""What an import lets pass by its bytes is what it lets pass after reading every line."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import orjson
import pytest

from domain.json_types import JsonObject
from services.exchange.checking import Verified, verified
from services.exchange.quick import quickly
from services.exchange.reading import Block, Unreadable, blocks, unread
from tests.services.planting import honest, planted, rechained, written
from tests.support.games import test_games

LATEST = "2100-01-01T00:00:00.000000Z"
FINISHED = [name for name in honest() if name not in {"aborted", "running"}]
ONE_OF_EACH = list({name.split()[0]: name for name in reversed(FINISHED)}.values())
"""A match of each game, and those with dice of the players and with a takeback."""


def by_bytes(file: bytes) -> list[Verified | None]:
    """Return what verifying each block by its bytes gives."""
    games = test_games()
    return [
        None if block.fault is not None else quickly(block, games, LATEST)
        for block in unread(BytesIO(file))
    ]


def by_lines(file: bytes) -> list[Verified | None]:
    """Return what verifying each block after reading all of it gives."""
    return [_after_reading(block) for block in blocks(BytesIO(file))]


def _after_reading(block: Block) -> Verified | None:
    try:
        return None if block.fault is not None else verified(block, test_games(), LATEST)
    except (Unreadable, ValueError, TypeError, LookupError, AttributeError):
        return None


@pytest.mark.parametrize("name", FINISHED)
def test_what_holds_is_told_by_its_bytes(name: str) -> None:
    [quick], [slow] = by_bytes(honest()[name]), by_lines(honest()[name])
    assert quick is not None
    assert slow is not None
    assert quick.match == slow.match
    assert list(quick.events) == list(slow.events)
    assert quick.names == slow.names


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_what_is_planted_is_not_told_to_hold_by_its_bytes(name: str) -> None:
    for what in planted(name):
        for quick, slow in zip(by_bytes(what.file), by_lines(what.file), strict=True):
            assert quick is None or (slow is not None and quick.match == slow.match), what


def lines_of(name: str) -> list[JsonObject]:
    lines: list[JsonObject] = orjson.loads(b"[" + b",".join(honest()[name].splitlines()) + b"]")
    return lines


DAYS = "2026-02-30T00:00:00.000000Z", "2026-12-40T00:00:00.000000Z", "2199-01-01T00:00:00.000000Z"
ODD: tuple[Any, ...] = ("x", 1.5, True, None, [], {}, -1, 2**53, "p_ada", *DAYS)
"""What may stand in place of any member."""


def test_no_odd_member_of_an_event_is_told_to_hold_by_its_bytes() -> None:
    lines = lines_of("path-capture capture")
    for at in (1, 2, 3, 4, len(lines) // 2, len(lines) - 1):
        for member in [*lines[at], *lines[at]["data"]]:
            if member in {"hash", "previous", "match"}:
                continue
            for odd in ODD:
                made = orjson.loads(orjson.dumps(lines))
                place = made[at] if member in made[at] else made[at]["data"]
                if place[member] == odd and type(place[member]) is type(odd):
                    continue
                place[member] = odd
                try:
                    file = written(rechained(made))
                except (TypeError, KeyError, AttributeError):
                    continue
                [quick], [slow] = by_bytes(file), by_lines(file)
                assert (quick is None) >= (slow is None), (at, member, odd)


@pytest.mark.parametrize("day", [*DAYS, "2026-12-30 00:00:00.000000Z"])
def test_a_last_move_at_no_instant_is_not_told_to_hold_by_its_bytes(day: str) -> None:
    lines = lines_of("path-capture capture")
    assert lines[-2]["kind"] == "move-made"
    made = [*lines[:-2], *({**event, "at": day} for event in lines[-2:])]
    file = written(rechained(made))
    assert [*by_bytes(file), *by_lines(file)] == [None, None]
