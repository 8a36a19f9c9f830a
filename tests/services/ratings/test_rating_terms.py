"""What can be rated, and who may join: refused where it is asked, shown where it is looked at."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from domain.errors import CannotBeRated
from domain.rating.glicko2 import INITIAL
from services.container import Services
from services.errors import InvalidRequest, OutsideRange
from services.matches.match_json import match_json
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store.ratings import Range
from tests.services.ratings.test_rated_matches import GAME, grow, now, person, played, rate


def asked(house: Services, **more: object) -> str:
    new = NewMatch(GAME, seat=1, **more)  # type: ignore[arg-type]
    return house.matches.create(ChangeRequest(person(house, "ada")), new).shown.view.id


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"visibility": "unlisted"}, "Only public matches can be rated"),
        ({"visibility": "private", "opponent": "brook"}, "Only public matches can be rated"),
        ({"options": {"length": 21}}, "this is another length"),
    ],
)
def test_what_cannot_be_rated_is_refused_where_it_is_asked(
    house: Services, more: dict[str, object], why: str
) -> None:
    person(house, "brook")
    with pytest.raises(CannotBeRated, match=why) as refused:
        asked(house, rated=True, **more)
    assert refused.value.pointer == "/rated"
    assert asked(house, **more)


def test_a_house_that_was_not_measured_is_played_unrated(house: Services) -> None:
    new = NewMatch("marathon", opponent="house:1", rated=True)
    with pytest.raises(CannotBeRated, match="has not been measured"):
        house.matches.create(ChangeRequest(person(house, "ada")), new)


def test_usual_options_that_are_written_out_are_usual(house: Services) -> None:
    assert asked(house, rated=True, options={"length": 11})


def test_who_lies_outside_of_the_range_cannot_join(house: Services) -> None:
    match = asked(house, rating_range=Range(100_000, 149_999))
    brook = person(house, "brook")
    with pytest.raises(OutsideRange, match="up to 1499, and yours is 1500"):
        house.matches.join(ChangeRequest(brook), match)
    above = asked(house, rating_range=Range(150_001, 2**31 - 1))
    with pytest.raises(OutsideRange, match="from 1501 on, and yours is 1500"):
        house.matches.join(ChangeRequest(brook), above)
    shown = house.queries.show(Asker(brook), match)
    assert shown.view.status == "open"
    assert match_json(shown)["rating_range"] == {"min": 100_000, "max": 149_999}
    played(house, "ada", "brook")
    rate(house)
    lost = now(house, "brook")
    assert lost is not None
    assert lost.rating < 149_999
    joined = house.matches.join(ChangeRequest(brook), match).shown
    assert joined.view.status == "active"
    assert "rating_range" not in match_json(joined)


def test_the_bounds_belong_to_a_range(house: Services) -> None:
    match = asked(house, rating_range=Range(INITIAL.rating, INITIAL.rating))
    done = house.matches.join(ChangeRequest(person(house, "brook")), match)
    assert done.shown.view.status == "active"


@pytest.mark.parametrize(
    "more",
    [
        {"rating_range": Range(2, 1)},
        {"rating_range": Range(1, 2), "opponent": "house:1"},
        {"rating_range": Range(1, 2), "opponent": "brook"},
    ],
)
def test_a_range_that_cannot_be_is_refused(house: Services, more: dict[str, object]) -> None:
    person(house, "brook")
    with pytest.raises(InvalidRequest) as refused:
        asked(house, **more)
    assert refused.value.pointer == "/rating_range"


def test_a_rated_match_shows_ratings_before_and_once_it_is_rated_after(house: Services) -> None:
    match = asked(house, rated=True)
    assert match_json(house.queries.show(Asker(), match))["ratings"] == [
        {"seat": 1, "before": INITIAL._asdict(), "after": None}
    ]
    match = played(house, "ada", "brook")
    assert "ratings" not in match_json(house.queries.show(Asker(), match))
    rate(house)
    won, lost = now(house, "ada"), now(house, "brook")
    assert won is not None
    assert lost is not None
    told = [
        {"seat": 1, "before": INITIAL._asdict(), "after": won._asdict()},
        {"seat": 2, "before": INITIAL._asdict(), "after": lost._asdict()},
    ]
    assert match_json(house.queries.show(Asker(), match))["ratings"] == told
    played(house, "brook", "ada")
    rate(house)
    assert match_json(house.queries.show(Asker(), match))["ratings"] == told


def test_a_match_that_is_not_rated_shows_nothing_of_ratings(house: Services) -> None:
    match = played(house, "ada", "brook", rated=False)
    rate(house)
    assert not {"ratings", "rating_range"} & match_json(house.queries.show(Asker(), match)).keys()


def test_a_rematch_of_what_cannot_be_rated_any_more_is_unrated(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("services.matches.commands.check_ratable", lambda *_: None)
        match = played(house, "ada", "brook", options={"length": 21})
    grow(house)
    assert house.rated_matches.rate() == 0
    again = house.rematches.ask(ChangeRequest(person(house, "ada")), match).shown
    assert not again.view.rated
    rated = played(house, "ada", "brook")
    assert house.rematches.ask(ChangeRequest(person(house, "ada")), rated).shown.view.rated


def test_a_rematch_holds_nobody_to_the_range_of_before(house: Services) -> None:
    """For what the match did to a rating it might refuse the one whom it asks."""
    match = played(house, "ada", "brook", rating_range=Range(INITIAL.rating, INITIAL.rating))
    rate(house)
    brook = person(house, "brook")
    asked_for = house.rematches.ask(ChangeRequest(person(house, "ada")), match).shown
    assert "rating_range" not in match_json(asked_for)
    assert now(house, "brook") != INITIAL
    joined = house.rematches.ask(ChangeRequest(brook), match).shown
    assert joined.view.status == "active"


def board(house: Services, **more: object) -> list[tuple[int, str]]:
    page = house.leaderboards.list_ranked(GAME, **more)  # type: ignore[arg-type]
    return [(one.rank, one.name) for one in page.listed]


def test_a_leaderboard_has_who_has_played_enough_of_late(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        played(house, "ada", "brook")
    played(house, "cora", "dan")
    rate(house)
    assert board(house) == [(1, "ada"), (2, "brook")]
    monkeypatch.setattr("services.ratings.leaderboards.LEAST_MATCHES", 1)
    assert board(house) == [(1, "ada"), (2, "cora"), (3, "dan"), (4, "brook")]
    house.closing.close("cora")
    assert board(house) == [(1, "ada"), (2, "dan"), (3, "brook")]
    with house.database.write() as connection:
        connection.execute(text("UPDATE ratings SET last_at = '2026-08-01T00:00:00.000000Z'"))
    assert board(house) == []


def test_a_leaderboard_comes_in_pages(house: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.ratings.leaderboards.LEAST_MATCHES", 1)
    for winner, loser in (("ada", "brook"), ("cora", "dan"), ("ada", "cora")):
        played(house, winner, loser)
    rate(house)
    whole, cursor, found = board(house), None, []
    while True:
        page = house.leaderboards.list_ranked(GAME, limit=1, cursor=cursor)
        found += [(one.rank, one.name) for one in page.listed]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == whole
    assert len(found) == 4
    with pytest.raises(InvalidRequest):
        house.leaderboards.list_ranked(
            "grid-power", cursor=house.leaderboards.list_ranked(GAME, limit=1).next_cursor
        )


def test_a_history_has_a_row_a_match_in_pages(house: Services) -> None:
    matches = [played(house, "ada", "brook") for _ in range(3)]
    rate(house)
    ada = person(house, "ada")
    whole = house.leaderboards.list_history(ada, GAME).listed
    assert [one.match for one in whole] == matches
    assert [(one.opponent, one.points) for one in whole] == [("brook", 2)] * 3
    assert [one.after for one in whole[:-1]] == [one.before for one in whole[1:]]
    first = house.leaderboards.list_history(ada, GAME, limit=2)
    rest = house.leaderboards.list_history(ada, GAME, limit=2, cursor=first.next_cursor)
    assert [*first.listed, *rest.listed] == whole
    assert rest.next_cursor is None
