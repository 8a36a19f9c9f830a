"""Rematches: the same again, with seats swapped, once however often and by whom it is asked for."""

from __future__ import annotations

import pytest

from domain.errors import NoRematch, NotYourSeat
from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import Table, together

ROUNDS = 6


def challenge(there: Table) -> str:
    new = NewMatch("path-capture", seat=1, opponent="brook")
    return there.house.matches.create(ChangeRequest(there.first), new).shown.view.id


def ended(there: Table, options: JsonObject | None = None) -> str:
    there.start(options=options)
    there.act(1, "resign")
    return there.match


def test_a_rematch_challenges_the_same_player_with_seats_swapped(
    house: Services, there: Table
) -> None:
    match = ended(there, {"length": 9})
    asked = house.rematches.ask(ChangeRequest(there.first), match)
    view = asked.shown.view
    assert asked.events[0]["kind"] == "match-created"
    assert view.seats == (None, there.first)
    assert (view.opponent, view.status, view.options) == (there.second, "open", {"length": 9})
    again = house.rematches.ask(ChangeRequest(there.first), match)
    assert (again.shown.view.id, again.events) == (view.id, [])
    accepted = house.rematches.ask(ChangeRequest(there.second), match)
    assert accepted.shown.view.id == view.id
    assert accepted.shown.view.status == "active"
    assert accepted.shown.view.seats == (there.second, there.first)


def test_a_rematch_that_was_declined_may_be_asked_for_anew(house: Services, there: Table) -> None:
    match = ended(there)
    first = house.rematches.ask(ChangeRequest(there.first), match).shown.view.id
    house.challenges.decline(ChangeRequest(there.second), first, None)
    second = house.rematches.ask(ChangeRequest(there.second), match)
    assert second.events[0]["kind"] == "match-created"
    assert second.shown.view.id != first
    assert second.shown.view.opponent == there.first


@pytest.mark.parametrize("seat", [1, 2])
def test_a_rematch_that_nobody_answered_in_time_may_be_asked_for_anew(
    house: Services, there: Table, clock: Clock, seat: int
) -> None:
    """Though no sweep has come by yet."""
    match = ended(there)
    first = house.rematches.ask(ChangeRequest(there.first), match).shown.view.id
    clock.advance(days=15)
    second = house.rematches.ask(ChangeRequest(there.player(seat)), match)
    assert second.events[0]["kind"] == "match-created"
    assert second.shown.view.id != first
    assert second.shown.view.opponent == there.player(3 - seat)
    assert house.queries.show(Asker(local=True), first).view.result == {
        "winner": None,
        "reason": "lapsed",
    }


def test_two_who_ask_at_once_get_one_rematch(house: Services, there: Table) -> None:
    for _ in range(ROUNDS):
        match = ended(there)
        got = together(
            *(
                lambda who=who, match=match: house.rematches.ask(ChangeRequest(who), match)
                for who in (there.first, there.second)
            ),
        )
        assert len({one.shown.view.id for one in got}) == 1  # type: ignore[attr-defined]
        (rematch,) = {one.shown.view.id for one in got}  # type: ignore[attr-defined]
        assert house.queries.show(Asker(local=True), rematch).view.status == "active"


@ON_SQLITE_ALONE
def test_there_is_no_rematch_of_what_was_not_played(house: Services, there: Table) -> None:
    there.start()
    with pytest.raises(NoRematch):
        house.rematches.ask(ChangeRequest(there.first), there.match)
    match = challenge(there)
    house.challenges.decline(ChangeRequest(there.second), match, None)
    with pytest.raises(NoRematch):
        house.rematches.ask(ChangeRequest(there.first), match)
    with pytest.raises(NotYourSeat):
        house.rematches.ask(ChangeRequest(house.accounts.get_local_player("eve").id), ended(there))
