"""What is proposed to house players: draws, takebacks, pauses, an end, another match."""

from __future__ import annotations

import pytest

from domain.match.house_players import PLAYERS
from services.container import Services
from services.matches import house_players
from services.matches.actions import Action
from services.matches.requests import ChangeRequest
from tests.services.matches.test_house_players import (
    LEVEL,
    against_the_house,
    any_move,
    play_on,
    stream,
)
from tests.services.people import Table


def answer(there: Table, seat: int, action: Action) -> str:
    """Return the kind of the event by which a house player answers."""
    request = ChangeRequest(there.player(seat), there.version)
    there.house.matches.act(request, there.match, action)
    version = there.version
    assert there.house.house_players.go_on(there.match)
    return stream(there.house, there.match)[version].kind


def test_a_takeback_is_always_accepted_but_in_a_rated_match(house: Services) -> None:
    for rated, told in ((False, "takeback-accepted"), (True, "takeback-declined")):
        there = play_on(against_the_house(house, "grid-power", rated=rated), 1, 8)
        while there.shown().view.to_act != 1:
            house.house_players.go_on(there.match)
        assert answer(there, 1, Action("offer_takeback", to_version=there.version - 2)) == told


def test_to_abort_is_always_accepted_but_in_a_rated_match(house: Services) -> None:
    for rated, told in ((False, "match-aborted"), (True, "abort-declined")):
        there = against_the_house(house, rated=rated)
        there.play({"steps": 1})
        assert answer(there, 1, Action("offer_abort")) == told


def test_a_pause_and_its_end_are_accepted(house: Services) -> None:
    there = against_the_house(house, pace={"days_per_move": 3})
    assert answer(there, 1, Action("offer_pause", days=2)) == "clock-paused"
    assert answer(there, 1, Action("offer_resume")) == "clock-resumed"


@pytest.mark.parametrize(
    ("plies", "rated", "told"),
    [(3, False, "draw-declined"), (4, False, "match-ended"), (4, True, "draw-declined")],
)
def test_a_draw_is_accepted_once_many_moves_stand_but_in_a_rated_match(
    house: Services,
    plies: int,
    rated: bool,  # noqa: FBT001 - a parameter of the test
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(house_players, "DRAW_FROM", 4)
    there = against_the_house(house, "grid-power", rated=rated)
    play_on(there, 1, ply=plies)
    assert answer(there, 1, Action("offer_draw")) == told


@pytest.mark.parametrize(("plies", "told"), [(2, "draw-declined"), (4, "match-ended")])
def test_a_draw_is_accepted_once_nothing_can_be_decided(
    house: Services, plies: int, told: str
) -> None:
    there = against_the_house(house, "path-capture")
    # After the fourth the pieces have passed each other.
    there.play(*({"steps": 3} for _ in range(plies)))
    assert answer(there, 1, Action("offer_draw")) == told


def test_it_answers_before_it_moves(house: Services) -> None:
    there = against_the_house(house, "grid-power")
    there.act(1, "offer_draw")
    there.play(any_move(there))
    version = there.version
    assert house.house_players.go_on(there.match)
    assert house.house_players.go_on(there.match)
    kinds = [event.kind for event in stream(house, there.match)[version:]]
    assert kinds[:2] == ["draw-declined", "move-made"]


def test_a_rematch_begins_at_once_with_the_seats_swapped(house: Services) -> None:
    there = against_the_house(house)
    there.act(1, "resign")
    again = house.rematches.ask(ChangeRequest(there.first), there.match)
    view = again.shown.view
    assert (again.events[0]["kind"], view.status) == ("match-created", "active")
    assert view.seats == (PLAYERS[LEVEL], there.first)
