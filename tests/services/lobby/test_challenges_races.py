"""Two people at once around a match that waits for its second player: one of them comes first."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import Connection

from domain.errors import MatchNotOpen, OwnMatch, Refusal, SeatReserved
from services.container import Services
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store import accounts, matches
from services.store.log import events
from services.store.matches import MatchRow
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.lobby.test_challenges import challenge, result, seek
from tests.services.matches.test_timeouts import MICROSECOND
from tests.services.people import Table, table, together
from tests.services.racing import Clocks, at_once

ROUNDS = 6


def test_two_accepts_of_one_challenge_make_one_match(house: Services, there: Table) -> None:
    for _ in range(ROUNDS):
        match = challenge(there)
        accept = lambda match=match: house.matches.join(ChangeRequest(there.second), match)  # noqa: E731
        got = together(accept, accept)
        refused = [one for one in got if isinstance(one, Refusal)]
        assert [type(one) for one in refused] == [OwnMatch]
        with house.database.read() as connection:
            kinds = [event.kind for event in events.load(connection, match)]
        assert kinds.count("match-started") == 1


def test_a_challenge_is_either_withdrawn_or_accepted(house: Services, there: Table) -> None:
    for _ in range(ROUNDS):
        match = challenge(there)
        got = together(
            lambda match=match: house.matches.join(ChangeRequest(there.second), match),
            lambda match=match: house.matches.act(
                ChangeRequest(there.first, any_version=True), match, Action("abort")
            ),
        )
        with house.database.read() as connection:
            kinds = [event.kind for event in events.load(connection, match)]
        started, aborted = "match-started" in kinds, "match-aborted" in kinds
        # Who withdraws second aborts a match that has begun, which is allowed before any move.
        assert started == (not isinstance(got[0], Refusal))
        assert aborted
        assert house.audits.verify(match).holds


@pytest.mark.parametrize("join", [-MICROSECOND, 0 * MICROSECOND, MICROSECOND])
@pytest.mark.parametrize("sweep", [-MICROSECOND, 0 * MICROSECOND, MICROSECOND])
def test_a_challenge_is_either_accepted_or_lapses_around_the_very_instant(
    houses: tuple[Services, Services], clocks: Clocks, join: timedelta, sweep: timedelta
) -> None:
    there = table(houses[0])
    lapses = clocks.start + timedelta(days=14)
    for _ in range(2):
        match = challenge(there)
        joined, swept = at_once(
            clocks,
            (lapses + join, partial(houses[0].matches.join, ChangeRequest(there.second), match)),
            (lapses + sweep, partial(houses[1].matches.end_if_due, match)),
        )
        with houses[0].database.read() as connection:
            kinds = [event.kind for event in events.load(connection, match)]
        started = "match-started" in kinds
        assert kinds.count("match-aborted") == (0 if started else 1)
        assert started == (not isinstance(joined, str))
        if join >= timedelta(0):
            assert not started
        elif sweep < timedelta(0):
            assert started
        else:
            assert started == (swept is None)
        assert houses[0].audits.verify(match).holds


@pytest.mark.parametrize("answer", ["join", "decline"])
def test_a_withdrawn_challenge_takes_no_answer_that_was_on_its_way(
    houses: tuple[Services, Services], answer: str
) -> None:
    """Another process still remembers it as open."""
    there = table(houses[0])
    match = challenge(there)
    houses[1].queries.show(Asker(there.second), match)
    there.match = match
    there.act(1, "abort")
    other, request = houses[1], ChangeRequest(there.second)
    answers = {
        "join": partial(other.matches.join, request, match),
        "decline": partial(other.challenges.decline, request, match, None),
    }
    with pytest.raises(MatchNotOpen):
        answers[answer]()
    assert result(houses[0], match) == {"winner": None, "reason": "withdrawn"}


def test_of_two_who_come_with_one_invitation_one_plays(house: Services, there: Table) -> None:
    eve = house.accounts.get_local_player("eve").id
    for _ in range(ROUNDS):
        match = seek(there)
        token = house.challenges.invite(there.first, match)[0].token
        got = together(
            *(
                lambda who=who, token=token: house.challenges.accept(ChangeRequest(who), token)
                for who in (there.second, eve)
            ),
        )
        assert sum(isinstance(one, Refusal) for one in got) == 1
        assert house.audits.verify(match).holds


def test_nobody_slips_in_while_an_invitation_is_made(house: Services, there: Table) -> None:
    for _ in range(ROUNDS):
        match = seek(there)
        invited, joined = together(
            lambda match=match: house.challenges.invite(there.first, match),
            lambda match=match: house.matches.join(ChangeRequest(there.second), match),
        )
        # One of them came first, and the other was told so.
        assert isinstance(invited, MatchNotOpen) != isinstance(joined, SeatReserved)


@ON_SQLITE_ALONE
def test_players_are_held_in_one_order_and_before_their_match(
    house: Services, there: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or two who begin matches, block or go on vacation would wait for each other."""
    held, hold, find = list[str](), accounts.hold_open, matches.find

    def note_player(connection: Connection, player: str) -> bool:
        held.append(player)
        return hold(connection, player)

    def note_match(connection: Connection, match: str, *, lock: bool = False) -> MatchRow | None:
        held.extend([match] * lock)
        return find(connection, match, lock=lock)

    monkeypatch.setattr(accounts, "hold_open", note_player)
    monkeypatch.setattr(matches, "find", note_match)
    one, other = sorted((there.first, there.second))
    names = {there.first: "ada", there.second: "brook"}
    new = NewMatch("path-capture", opponent=names[one])
    house.matches.create(ChangeRequest(other), new)
    assert held[:2] == [one, other]
    held.clear()
    match = house.matches.create(ChangeRequest(one), NewMatch("path-capture")).shown.view.id
    held.clear()
    house.matches.join(ChangeRequest(other), match)
    assert held[:2] == [one, other]
    assert held[-1] == match
