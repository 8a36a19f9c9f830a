"""Who is blocked is not played with or written to; whose matches one follows are listed."""

from __future__ import annotations

import pytest

from services.container import Services
from services.errors import CannotBeChallenged, InvalidPlayer, InvalidRequest, NotFound, TooOften
from services.matches import seats
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store import matches
from services.store.people.relations import BLOCKS, FOLLOWS
from tests.services.conftest import Clock
from tests.services.people import Table, together


def create(there: Table, caller: str, **more: object) -> str:
    new = NewMatch("path-capture", seat=1, **more)  # type: ignore[arg-type]
    return there.house.matches.create(ChangeRequest(caller), new).shown.view.id


def test_two_of_whom_one_has_blocked_the_other_have_no_match(house: Services, there: Table) -> None:
    seek = create(there, there.first)
    rated = create(there, there.second)
    house.relations.block(there.first, "brook")
    for caller, opponent, words in (
        (there.second, "ada", "This player cannot be challenged."),
        (there.first, "brook", "You have blocked this player"),
    ):
        with pytest.raises(CannotBeChallenged, match=words):
            create(there, caller, opponent=opponent)
    for caller, match in ((there.second, seek), (there.first, rated)):
        with pytest.raises(CannotBeChallenged):
            house.matches.join(ChangeRequest(caller), match)
    house.relations.end(there.first, BLOCKS, "brook")
    house.matches.join(ChangeRequest(there.second), seek)


def test_challenges_that_wait_end_with_a_block(house: Services, there: Table) -> None:
    eve = house.accounts.get_local_player("eve").id
    other = create(there, there.first, opponent="eve")
    series = {"length": 3}
    mine = create(there, there.first, opponent="brook", visibility="private", series=series)
    theirs = create(there, there.second, opponent="ada")
    house.relations.block(there.first, "brook")
    asked = {one: house.queries.show(Asker(local=True), one).view for one in (mine, theirs, other)}
    reasons = [(view.result or {}).get("reason") for view in asked.values()]
    assert reasons == ["withdrawn", "declined", None]
    for player in (there.first, there.second):
        waits = house.agenda.get_overview(player)
        offered = [one.view.id for one in waits.offered.matches]
        assert offered == ([other] if player == there.first else [])
        assert waits.challenges.matches == []
    house.relations.block(eve, "ada")
    assert house.queries.show(Asker(local=True), other).view.status == "aborted"


def test_of_a_block_and_a_challenge_at_once_nothing_waits(house: Services, there: Table) -> None:
    for _ in range(5):
        done = together(
            lambda: house.relations.block(there.first, "brook"),
            lambda: house.relations.block(there.second, "ada"),
            lambda: create(there, there.second, opponent="ada"),
        )
        assert done[:2] == [None, None]
        with house.database.read() as connection:
            assert matches.list_challenges_between(connection, there.first, there.second) == []
        for player, name in ((there.first, "brook"), (there.second, "ada")):
            house.relations.end(player, BLOCKS, name)


def test_an_invitation_and_a_rematch_are_no_way_around(house: Services, there: Table) -> None:
    over = there.start().match
    there.act(1, "resign")
    match = create(there, there.first)
    made, _ = house.challenges.invite(there.first, match)
    house.relations.block(there.second, "ada")
    with pytest.raises(CannotBeChallenged):
        house.challenges.accept(ChangeRequest(there.second), made.token)
    for caller in (there.first, there.second):
        with pytest.raises(CannotBeChallenged):
            house.rematches.ask(ChangeRequest(caller), over)


def test_a_running_match_goes_on_without_a_word(house: Services, there: Table) -> None:
    there.start()
    house.chat.say(there.first, there.match, "players", "Hello!")
    house.relations.block(there.second, "ada")
    for caller in (there.first, there.second):
        with pytest.raises(CannotBeChallenged):
            house.chat.say(caller, there.match, "players", "Hello?")
    there.play({"steps": 1})


def test_what_spectators_say_is_no_way_around(house: Services, there: Table) -> None:
    there.start()
    third = house.accounts.get_local_player("cora").id
    house.relations.block(there.second, "ada")
    house.relations.block(there.second, "cora")
    with pytest.raises(CannotBeChallenged):
        house.chat.say(third, there.match, "spectators", "I am still here.")
    there.act(1, "resign")
    for caller in (there.first, there.second, third):
        with pytest.raises(CannotBeChallenged):
            house.chat.say(caller, there.match, "spectators", "And here.")


def test_what_cannot_be_is_refused(house: Services, there: Table) -> None:
    for change in (house.relations.block, house.relations.follow):
        with pytest.raises(InvalidRequest):
            change(there.first, "ada")
        with pytest.raises(NotFound):
            change(there.first, "nobody")
        with pytest.raises(InvalidPlayer):
            change(there.first, "house:3")
    house.relations.end(there.first, BLOCKS, "brook")
    assert house.relations.get_related(there.first) == ([], [])


def test_followed_players_matches_are_listed_if_they_are_public(
    house: Services, there: Table
) -> None:
    eve = house.accounts.get_local_player("eve").id
    assert house.agenda.list_followed(eve) == []
    house.relations.follow(eve, "ada")
    house.relations.follow(eve, "brook")
    there.start()
    private = create(there, there.first, opponent="brook", visibility="private")
    house.matches.join(ChangeRequest(there.second), private)
    assert [one.view.id for one in house.agenda.list_followed(eve)] == [there.match]
    there.act(1, "resign")
    assert [one.view.id for one in house.agenda.list_followed(eve)] == [there.match]
    for name in ("ada", "brook"):
        house.relations.end(eve, FOLLOWS, name)
    assert house.agenda.list_followed(eve) == []


def test_who_blocks_ends_following_both_ways(house: Services, there: Table) -> None:
    house.relations.follow(there.first, "brook")
    house.relations.follow(there.second, "ada")
    house.relations.block(there.first, "brook")
    assert house.relations.get_related(there.first) == (["brook"], [])
    assert house.relations.get_related(there.second) == ([], [])
    for caller, name in ((there.first, "brook"), (there.second, "ada")):
        with pytest.raises(CannotBeChallenged):
            house.relations.follow(caller, name)


def test_nobody_is_challenged_by_the_same_player_again_and_again(
    house: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even by one who withdraws each challenge: the other one is told of all of that."""
    monkeypatch.setattr(seats, "MOST_CHALLENGES", 3)
    ada, brook, cora = (
        house.accounts.get_local_player(name).id for name in ("ada", "brook", "cora")
    )

    def challenge(caller: str) -> None:
        new = NewMatch("path-capture", opponent="brook", visibility="private")
        match = house.matches.create(ChangeRequest(caller), new).shown.view
        house.matches.act(ChangeRequest(caller, match.version), match.id, Action("abort"))

    for _ in range(3):
        challenge(ada)
    with pytest.raises(TooOften):
        challenge(ada)
    challenge(cora)
    with house.database.read() as connection:
        assert matches.count_challenges(connection, ada, brook, "") == 3
        assert matches.count_challenges(connection, cora, brook, "") == 1
    clock.advance(hours=1)
    challenge(ada)
