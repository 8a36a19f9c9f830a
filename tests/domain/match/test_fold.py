"""What decisions and events add up to, and events that cannot be."""

from __future__ import annotations

from random import Random

import pytest

from domain.errors import Corruption, Refusal
from domain.game.game import Draw
from domain.game.registry import Games
from domain.json_types import Json
from domain.match.decisions.draft import draw_provably
from domain.match.events import Event, chain_events
from domain.match.fold import Fold, evolve, fold, remember_events
from domain.match.state import dump
from tests.support.games import MARATHON, WHISPER
from tests.support.scenario import MATCH, Table, given


def strides(number: int) -> Json:
    return {"strides": number}


def test_a_decision_is_a_function_of_state_and_command() -> None:
    whole = [Table.started(WHISPER).events for _ in range(2)]
    assert whole[0] == whole[1]


def test_the_numbers_of_draws_go_on_through_the_match() -> None:
    drawn: list[int] = []

    def listening(dice: Json, number: int, draw: Draw) -> Json:
        drawn.append(number)
        return draw_provably(dice, number, draw)

    table = Table.started(WHISPER, seat=None, chance=listening, options={"target": 60})
    random = Random(3)
    while not table.match.over:
        table.play(random.choice(table.legal_moves()))
    assert len(drawn) > 4
    assert drawn == list(range(len(drawn)))


def damaged(event: Event, **members: Json) -> Event:
    return event._replace(**members)


def test_events_that_cannot_be_are_corruption_and_not_a_refusal() -> None:
    table = given(MARATHON, strides(1), strides(2)).table
    events, games = table.events, table.games
    with pytest.raises(Corruption, match="without events"):
        fold([], games)
    with pytest.raises(Corruption, match="begins with"):
        evolve(None, damaged(events[1], version=1), games)
    with pytest.raises(Corruption, match="goes on with version"):
        fold([*events[:4], *events[5:]], games)
    with pytest.raises(Corruption, match="created twice"):
        evolve(table.match, damaged(events[0], version=len(events) + 1), games)
    with pytest.raises(Corruption, match="no position before its start"):
        _ = Table(MARATHON).match.started


def test_a_takeback_goes_as_far_back_as_the_events_at_hand_and_no_further() -> None:
    table = given(MARATHON, strides(1), strides(2), strides(3)).table
    back = table.match.version - 1
    table.take_back(1, back)
    start = fold(table.events[:back], table.games)
    assert dump(fold(table.events[back:], table.games, start)) == dump(table.match)
    later = fold(table.events[: back + 1], table.games)
    with pytest.raises(Corruption, match="before the events at hand"):
        fold(table.events[back + 1 :], table.games, later)
    with pytest.raises(Corruption, match="which there is not"):
        remember_events(table.events, table.games)(table.match.version + 1)


def test_takebacks_one_after_the_other_fold_what_is_before_them_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, added = given(MARATHON).table, list[int]()
    for _ in range(12):
        table.play(*map(strides, (1, 2, 1, 2)))
        table.take_back(1, table.match.version - 2)
    add = Fold.add

    def counted(folding: Fold, event: Event) -> None:
        added.append(event.version)
        add(folding, event)

    monkeypatch.setattr(Fold, "add", counted)
    assert dump(fold(table.events, table.games)) == dump(table.match)
    assert len(added) <= 2 * len(table.events)


def test_a_game_that_is_not_there_is_not_found() -> None:
    with pytest.raises(Refusal) as raised:
        fold(Table(MARATHON).events, Games([WHISPER]))
    assert raised.value.code == "not-found"


def test_events_go_on_from_the_version_and_hash_before_them() -> None:
    table = given(MARATHON, strides(1)).table
    assert [event.version for event in table.events] == [1, 2, 3, 4, 5]
    assert [event.previous for event in table.events[1:]] == [
        event.hash for event in table.events[:-1]
    ]
    assert {event.match for event in table.events} == {MATCH}
    assert chain_events([], match=MATCH, version=5, previous="", at="", salt=lambda: "") == []
