"""Matches are rated once each, in the order of the tree's leaves, and always the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection, text

from domain.match.house_players import PLAYERS
from domain.rating.glicko2 import DRAW, INITIAL, LOSS, WIN, Against, Rating, rate_idle, rate_period
from domain.rating.house_levels import find_level_rating
from services.container import Services
from services.matches.actions import Action
from services.matches.requests import ChangeRequest, NewMatch
from services.store import ratings
from services.store.ratings import RatingChange, RatingNow
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import together

GAME = "path-capture"


def person(house: Services, name: str) -> str:
    found = house.accounts.find(name)
    return (found or house.accounts.get_local_player(name)).id


def played(
    house: Services, winner: str, loser: str, *, moves: int = 2, drawn: bool = False, **more: object
) -> str:
    """Play a rated match in which ``winner`` sits first; return its id."""
    new = NewMatch(GAME, seat=1, **{"rated": True, **more})  # type: ignore[arg-type]
    first, second = person(house, winner), person(house, loser)
    match = house.matches.create(ChangeRequest(first), new).shown.view.id
    house.matches.join(ChangeRequest(second), match)
    for number in range(moves):
        caller = (first, second)[number % 2]
        house.matches.play(ChangeRequest(caller, any_version=True), match, {"steps": 1})
    if drawn:
        house.matches.act(ChangeRequest(first, any_version=True), match, Action("offer_draw"))
        house.matches.act(ChangeRequest(second, any_version=True), match, Action("accept_draw"))
    else:
        house.matches.act(ChangeRequest(second, any_version=True), match, Action("resign"))
    return match


def grow(house: Services) -> None:
    """Let the tree grow, as the worker does where nothing is signed."""
    gathered = house.sequencer.start()
    house.sequencer.gather(gathered)
    house.sequencer.add(gathered)


def rate(house: Services) -> int:
    grow(house)
    return house.rated_matches.rate()


def now(house: Services, name: str, game: str = GAME) -> Rating | None:
    with house.database.read() as connection:
        found = ratings.find(connection, game, person(house, name))
    return None if found is None else found.rating


def everything(house: Services) -> tuple[dict[tuple[str, str], RatingNow], list[RatingChange]]:
    with house.database.read() as connection:
        found = ratings.list_all(connection)
        changes = [
            one for game, player in found for one in ratings.list_history(connection, player, game)
        ]
    return found, changes


def faults(house: Services) -> list[str]:
    return list(house.rebuilding.iter_differences())


def test_a_match_moves_both_players_and_the_next_rests_on_it(house: Services) -> None:
    played(house, "ada", "brook")
    assert rate(house) == 1
    won, lost = (
        rate_period(INITIAL, [Against(INITIAL, WIN)]),
        rate_period(INITIAL, [Against(INITIAL, LOSS)]),
    )
    assert (now(house, "ada"), now(house, "brook")) == (won, lost)
    played(house, "brook", "ada", drawn=True)
    assert rate(house) == 1
    assert now(house, "ada") == rate_period(won, [Against(lost, DRAW)])
    assert now(house, "brook") == rate_period(lost, [Against(won, DRAW)])


def test_matches_of_one_look_count_in_the_order_of_their_ends(house: Services) -> None:
    """A rating that is older than the match before would give other numbers."""
    for winner, loser in (("ada", "brook"), ("brook", "cora"), ("cora", "ada"), ("ada", "brook")):
        played(house, winner, loser)
    assert rate(house) == 4
    found, changes = everything(house)
    by_player: dict[str, Rating] = {}
    for one in sorted(changes, key=lambda change: (change.leaf, change.seat)):
        assert one.before == by_player.get(one.player, INITIAL)
        by_player[one.player] = one.after
    assert {player: one.rating for (_, player), one in found.items()} == by_player
    assert {one.matches for one in found.values()} == {2, 3}
    assert faults(house) == []


def test_a_match_is_rated_once_however_often_it_is_asked_for(house: Services) -> None:
    played(house, "ada", "brook")
    assert [rate(house) for _ in range(3)] == [1, 0, 0]
    _, before = everything(house)
    with (
        pytest.raises(Exception, match=r"(?i)unique|duplicate"),
        house.database.write() as connection,
    ):
        ratings.insert(connection, before[:1])


def test_two_processes_that_rate_at_once_rate_each_match_once(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    for _ in range(4):
        played(one, "ada", "brook")
    grow(one)
    done = together(*(house.rated_matches.rate for house in (one, other) * 2))
    assert sum(int(str(number)) for number in done) == 4
    found, changes = everything(one)
    assert {row.matches for row in found.values()} == {4}
    assert len(changes) == 8
    one.rated_matches.rate_anew()
    assert everything(one) == (found, changes)


@ON_SQLITE_ALONE
@pytest.mark.parametrize(
    "more",
    [{"rated": False}, {"moves": 1}, {"moves": 0}],
    ids=["not asked for", "one seat has moved", "nobody has moved"],
)
def test_what_does_not_count(house: Services, more: dict[str, object]) -> None:
    played(house, "ada", "brook", **more)  # type: ignore[arg-type]
    assert rate(house) == 0
    assert everything(house) == ({}, [])
    assert faults(house) == []


@ON_SQLITE_ALONE
def test_an_aborted_match_does_not_count(house: Services) -> None:
    new = NewMatch(GAME, seat=1, rated=True)
    ada, brook = person(house, "ada"), person(house, "brook")
    match = house.matches.create(ChangeRequest(ada), new).shown.view.id
    house.matches.join(ChangeRequest(brook), match)
    house.matches.act(ChangeRequest(ada, any_version=True), match, Action("abort"))
    assert rate(house) == 0


def test_what_was_created_before_there_were_ratings_does_not_count(
    house: Services, clock: Clock
) -> None:
    played(house, "ada", "brook")
    clock.advance(hours=1)
    with house.database.write() as connection:
        connection.execute(text("UPDATE rating_progress SET since = '2026-11-27T22:30:00.000000Z'"))
    played(house, "brook", "ada")
    assert rate(house) == 1
    assert now(house, "brook") == rate_period(INITIAL, [Against(INITIAL, WIN)])
    assert house.rated_matches.rate_anew() == 0


@ON_SQLITE_ALONE
def test_days_without_a_match_make_a_rating_less_sure(house: Services, clock: Clock) -> None:
    played(house, "ada", "brook")
    clock.advance(days=75)
    played(house, "ada", "cora")
    rate(house)
    left = rate_idle(rate_period(INITIAL, [Against(INITIAL, WIN)]), 2)
    assert left.deviation > rate_period(INITIAL, [Against(INITIAL, WIN)]).deviation
    assert now(house, "ada") == rate_period(left, [Against(INITIAL, WIN)])


@ON_SQLITE_ALONE
def test_against_the_house_the_person_alone_moves(house: Services) -> None:
    ada = person(house, "ada")
    new = NewMatch(GAME, seat=1, opponent="house:2", rated=True)
    match = house.matches.create(ChangeRequest(ada), new).shown.view.id
    house.matches.play(ChangeRequest(ada, any_version=True), match, {"steps": 1})
    assert house.house_players.go_on(match)
    house.matches.act(ChangeRequest(ada, any_version=True), match, Action("resign"))
    assert rate(house) == 1
    strong = find_level_rating(GAME, 2)
    assert strong is not None
    assert now(house, "ada") == rate_period(INITIAL, [Against(strong, LOSS)])
    found, _ = everything(house)
    assert PLAYERS[2] not in {player for _, player in found}
    assert faults(house) == []


def test_thrown_away_and_made_anew_they_are_the_same_integers(
    house: Services, clock: Clock
) -> None:
    for winner, loser in (("ada", "brook"), ("brook", "cora"), ("cora", "ada")) * 2:
        played(house, winner, loser)
        clock.advance(days=20)
        rate(house)
    before = everything(house)
    assert sum(part.changed for part in house.rebuilding.run(anew=True)) == 0
    assert everything(house) == before


TAMPERED: dict[str, Callable[[Connection], object]] = {
    "the leaderboard": lambda connection: connection.execute(
        text("UPDATE ratings SET rating = rating + 1")
    ),
    "a change": lambda connection: connection.execute(
        text("UPDATE rating_changes SET rating_after = rating_after + 1 WHERE seat = 1")
    ),
    "a change is missing": lambda connection: connection.execute(
        text("DELETE FROM rating_changes WHERE seat = 2")
    ),
    "a match is missing": lambda connection: connection.execute(text("DELETE FROM rating_changes")),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_leaderboard_that_disagrees_with_the_log_is_told_and_mended(
    house: Services, how: str
) -> None:
    played(house, "ada", "brook")
    rate(house)
    right = everything(house)
    with house.database.write() as connection:
        TAMPERED[how](connection)
    assert any("otherwise" in one for one in faults(house))
    for _ in house.rebuilding.run(anew=True):
        pass
    assert everything(house) == right
    assert faults(house) == []


def test_a_match_that_cannot_be_read_holds_up_no_other(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    from domain.errors import Corruption
    from domain.rating import rated_matches as judging
    from services.ratings import rated_matches

    broken = played(house, "ada", "brook")
    played(house, "brook", "cora")
    real = judging.find_result

    def read(events: object, games: object) -> object:
        if next(iter(stream := list(events))).match == broken:  # type: ignore[call-overload]
            raise Corruption("torn")
        return real(stream, games)  # type: ignore[arg-type]

    monkeypatch.setattr(rated_matches, "find_result", read)
    assert rate(house) == 1
    assert now(house, "ada") is None
