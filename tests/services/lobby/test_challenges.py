"""Challenges and invitations: what leads to a match, and what does not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from domain.errors import MatchNotOpen, NotYourSeat, OwnMatch, Refusal, SeatReserved
from domain.json_types import JsonObject
from services.container import Services
from services.errors import InvalidRequest, InvalidText, NotFound, TooManyInvitations
from services.lobby.challenges import MOST_INVITATIONS
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.settings import Settings
from services.store.log import events
from tests.services.conftest import Clock
from tests.services.matches.test_timeouts import MICROSECOND
from tests.services.people import Table
from tests.support.games import test_games


def challenge(there: Table, **more: object) -> str:
    new = NewMatch("path-capture", seat=1, opponent="brook", **more)  # type: ignore[arg-type]
    return there.house.matches.create(ChangeRequest(there.first), new).shown.view.id


def seek(there: Table, **more: object) -> str:
    new = NewMatch("path-capture", seat=1, **more)  # type: ignore[arg-type]
    return there.house.matches.create(ChangeRequest(there.first), new).shown.view.id


def result(house: Services, match: str) -> JsonObject | None:
    return house.queries.show(Asker(local=True), match).view.result


def test_a_challenge_is_declined_and_its_reason_stands_outside_of_the_events(
    house: Services, there: Table
) -> None:
    match = challenge(there)
    house.challenges.decline(ChangeRequest(there.second), match, "  No time before spring. ")
    assert result(house, match) == {"winner": None, "reason": "declined"}
    for player in (there.first, there.second):
        told = house.challenges.get_decline(player, match)
        assert (told.player, told.reason) == ("brook", "No time before spring.")
    with house.database.read() as connection:
        bodies = b"".join(event.body for event in events.load(connection, match))
    assert b"spring" not in bodies
    assert house.audits.verify(match).holds


def test_a_reason_is_not_for_others(house: Services, there: Table) -> None:
    match = challenge(there)
    house.challenges.decline(ChangeRequest(there.second), match, "You always win.")
    with pytest.raises(NotFound):
        house.challenges.get_decline(house.accounts.get_local_player("eve").id, match)


def test_a_challenge_is_declined_without_a_word_too(house: Services, there: Table) -> None:
    match = challenge(there)
    house.challenges.decline(ChangeRequest(there.second), match, None)
    with pytest.raises(NotFound):
        house.challenges.get_decline(there.first, match)


def test_a_reason_that_cannot_be_read_declines_nothing(house: Services, there: Table) -> None:
    match = challenge(there)
    with pytest.raises(InvalidText) as raised:
        house.challenges.decline(ChangeRequest(there.second), match, "\x07")
    assert raised.value.pointer == "/reason"
    assert result(house, match) is None


def test_only_the_one_who_is_challenged_declines(house: Services, there: Table) -> None:
    match = challenge(there)
    with pytest.raises(NotYourSeat):
        house.challenges.decline(ChangeRequest(there.first), match, None)


def test_a_withdrawn_challenge_cannot_start(house: Services, there: Table) -> None:
    match = challenge(there)
    there.match = match
    there.act(1, "abort")
    assert result(house, match) == {"winner": None, "reason": "withdrawn"}
    with pytest.raises(MatchNotOpen):
        house.matches.join(ChangeRequest(there.second), match)
    assert house.audits.verify(match).holds


def test_a_challenge_lapses_before_an_open_match_does(
    house: Services, there: Table, clock: Clock
) -> None:
    asked, anybody = challenge(there), seek(there)
    clock.advance(days=14)
    with pytest.raises(Refusal) as raised:
        house.matches.join(ChangeRequest(there.second), asked)
    assert raised.value.code in ("match-not-open", "match-not-active")
    assert result(house, asked) == {"winner": None, "reason": "lapsed"}
    clock.advance(days=45)
    house.matches.join(ChangeRequest(there.second), anybody)
    assert house.audits.verify(asked).holds


def by_another_setting(house: Services, clock: Clock, days: int) -> Services:
    """Return the same service after a restart with another time for challenges."""
    settings = Settings(database_url=house.settings.database_url, challenge_days=days)
    return Services(settings, games=test_games(), now=clock)


@pytest.mark.parametrize("days", [3, 40])
def test_how_long_a_challenge_waits_is_a_setting(
    house: Services, there: Table, clock: Clock, days: int
) -> None:
    other = by_another_setting(house, clock, days)
    asked = Table(other, there.first, there.second)
    late, timely = challenge(asked), challenge(asked)
    assert other.queries.show_events(Asker(local=True), late).events[-1]["kind"] == "seat-kept"
    clock.now += timedelta(days=days) - MICROSECOND
    other.matches.join(ChangeRequest(there.second), timely)
    clock.now += MICROSECOND
    assert [due.match for due in other.sweeping.iter_due()] == [late]
    with pytest.raises(Refusal):
        other.matches.join(ChangeRequest(there.second), late)
    assert result(house, late) == {"winner": None, "reason": "lapsed"}
    for one in (house, other):
        assert one.audits.verify(late).holds
        assert one.audits.verify(timely).holds
    other.close()


def test_a_challenge_keeps_the_time_that_it_was_made_with(
    house: Services, there: Table, clock: Clock
) -> None:
    usual = challenge(there)
    other = by_another_setting(house, clock, 3)
    short = challenge(Table(other, there.first, there.second))
    clock.advance(days=4)
    # Either process ends the one whose time is up, and not the other.
    assert house.matches.end_if_due(short) == "lapsed"
    assert other.matches.end_if_due(usual) is None
    clock.advance(days=10)
    assert other.matches.end_if_due(usual) == "lapsed"
    assert house.audits.verify(usual).holds
    other.close()


def test_an_invitation_keeps_the_seat_and_is_good_for_one(house: Services, there: Table) -> None:
    match = seek(there, visibility="unlisted")
    made, _ = house.challenges.invite(there.first, match)
    eve = house.accounts.get_local_player("eve").id
    with pytest.raises(SeatReserved):
        house.matches.join(ChangeRequest(eve), match)
    assert house.challenges.show_invited(made.token).shown.view.id == match
    house.challenges.accept(ChangeRequest(there.second), made.token)
    assert house.queries.show(Asker(), match).view.seats == (there.first, there.second)
    with pytest.raises(Refusal):
        house.challenges.accept(ChangeRequest(eve), made.token)
    with pytest.raises(NotFound):
        house.challenges.show_invited(made.token)
    (kept,) = house.challenges.list_invitations(there.first, match)
    assert (kept.state, kept.used_by) == ("used", "brook")


def test_an_invitation_lapses_and_then_the_seat_is_for_anybody(
    house: Services, there: Table, clock: Clock
) -> None:
    match = seek(there)
    made, _ = house.challenges.invite(there.first, match, days=2)
    clock.advance(days=2)
    with pytest.raises(NotFound):
        house.challenges.accept(ChangeRequest(there.second), made.token)
    assert [one.state for one in house.challenges.list_invitations(there.first, match)] == [
        "lapsed"
    ]
    house.matches.join(ChangeRequest(there.second), match)


def test_an_invitation_is_not_good_for_longer_than_the_match_waits(
    house: Services, there: Table, clock: Clock
) -> None:
    match = seek(there)
    clock.advance(days=50)
    made, _ = house.challenges.invite(there.first, match, days=30)
    assert made.expires_at == "2027-01-26T22:00:00.000000Z"


def test_a_revoked_invitation_lets_nobody_in(house: Services, there: Table) -> None:
    match = seek(there, visibility="private", invitation=True)
    made, _ = house.challenges.invite(there.first, match)
    house.challenges.revoke(there.first, match, made.id)
    for look in (
        house.challenges.show_invited,
        lambda token: house.challenges.accept(ChangeRequest(there.second), token),
    ):
        with pytest.raises(NotFound):
            look(made.token)
    with pytest.raises(NotFound):
        house.challenges.revoke(there.first, match, made.id)


def test_a_token_is_stored_nowhere(house: Services, there: Table) -> None:
    match = seek(there)
    made, _ = house.challenges.invite(there.first, match)
    with house.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM invitations").all()
    assert made.token not in str(rows)
    assert made.id in str(rows)


def test_only_the_creator_invites_and_only_to_a_free_seat(house: Services, there: Table) -> None:
    match = seek(there)
    with pytest.raises(NotYourSeat):
        house.challenges.invite(there.second, match)
    with pytest.raises(NotYourSeat):
        house.challenges.list_invitations(there.second, match)
    with pytest.raises(SeatReserved):
        house.challenges.invite(there.first, challenge(there))
    house.matches.join(ChangeRequest(there.second), match)
    with pytest.raises(MatchNotOpen):
        house.challenges.invite(there.first, match)


def test_nobody_accepts_their_own_invitation(house: Services, there: Table) -> None:
    made, _ = house.challenges.invite(there.first, seek(there))
    with pytest.raises(OwnMatch):
        house.challenges.accept(ChangeRequest(there.first), made.token)
    house.challenges.accept(ChangeRequest(there.second), made.token)


def test_there_are_only_so_many_invitations_at_a_time(house: Services, there: Table) -> None:
    match = seek(there)
    made = [house.challenges.invite(there.first, match)[0] for _ in range(MOST_INVITATIONS)]
    with pytest.raises(TooManyInvitations):
        house.challenges.invite(there.first, match)
    house.challenges.revoke(there.first, match, made[0].id)
    house.challenges.invite(there.first, match)


def test_a_private_match_is_seen_by_its_two_players_only(house: Services, there: Table) -> None:
    with pytest.raises(InvalidRequest):
        seek(there, visibility="private")
    match = seek(there, visibility="private", invitation=True)
    with pytest.raises(NotFound):
        house.queries.show(Asker(there.second), match)
    with pytest.raises(NotFound):
        house.matches.join(ChangeRequest(there.second), match)
    made, _ = house.challenges.invite(there.first, match)
    house.challenges.accept(ChangeRequest(there.second), made.token)
    assert house.queries.show(Asker(there.second), match).you == 2
    with pytest.raises(NotFound):
        house.queries.show(Asker(), match)
