"""Series in the store: with the end of a match, however it comes, the next one begins, once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from domain.errors import InvalidSeries, MatchNotActive, NoRematch, NoSeries, SeriesOver
from domain.json_types import Json, JsonObject
from services.container import Services
from services.errors import InvalidRequest, NotFound
from services.lobby.practice import NewPractice
from services.lobby.series import SeriesFilter, series_json
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.services.conftest import Clock
from tests.services.matches.lines import keep, line
from tests.services.people import Table, table, together
from tests.services.racing import Clocks, at_once

ROOT = Path(__file__).parents[3]
BEST: JsonObject = {"length": 3}
ALL: JsonObject = {"length": 2, "decided": "played-out"}
LOCAL = Asker(local=True)
MOVES = ({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})


@pytest.fixture
def there(house: Services) -> Table:
    return table(house).start(series=BEST)


def shown(there: Table, series: str = "") -> JsonObject:
    return series_json(there.house.series.show(LOCAL, series or there.match))


def points(there: Table, series: str) -> list[int]:
    return [one["half_points"] for one in shown(there, series)["players"]]


def on(there: Table) -> Table:
    """Go on to the last match of the series; seats are swapped in every second one."""
    view = there.shown().view
    assert view.series is not None
    last = shown(there, view.series["id"])["matches"][-1]
    swapped = there.house.queries.show(LOCAL, last["match"]).view.seats
    first, second = (one or "" for one in swapped)
    return Table(there.house, first, second, last["match"])


def statuses(there: Table, series: str) -> list[str]:
    return [one["status"] for one in shown(there, series)["matches"]]


def agreed(there: Table) -> None:
    there.act(1, "offer_draw")
    there.act(2, "accept_draw")


def taken_back_and_ended(there: Table) -> None:
    there.play({"steps": 1})
    there.act(1, "offer_takeback", to_version=there.version - 1)
    there.act(2, "accept_takeback")
    there.play(*MOVES)


def by_a_line(there: Table) -> None:
    there.play(*MOVES[:2])
    keep(there, 2, line({"steps": 2}, {"steps": 3}))
    there.play({"steps": 2})


WAYS: dict[str, Callable[[Table], object]] = {
    "moves": lambda there: there.play(*MOVES),
    "takeback and end": taken_back_and_ended,
    "conditional moves": by_a_line,
    "resignation": lambda there: there.act(1, "resign"),
    "draw": agreed,
}


@pytest.mark.parametrize("way", WAYS)
def test_the_next_match_is_there_with_the_end_however_that_comes(there: Table, way: str) -> None:
    WAYS[way](there)
    assert statuses(there, there.match) == ["finished", "active"]
    following = on(there)
    assert (following.first, following.second) == (there.second, there.first)
    view = following.shown().view
    assert view.created_at == there.shown().view.updated_at
    assert view.series == {
        "length": 3, "decided": "early", "tie": "shared", "id": there.match, "number": 2,
        "previous": {"match": there.match, "head": head(there)},
    }  # fmt: skip
    for one in (there, following):
        assert there.house.audits.verify(one.match).holds
    following.play({"steps": 1})


def head(there: Table) -> str:
    with there.house.database.read() as connection:
        match = there.house.matches.repository.load(connection, there.match)
    assert match is not None
    return match.head


def test_a_clock_that_runs_out_after_a_move_ends_the_match_alone(
    house: Services, clock: Clock
) -> None:
    there = table(house).start(pace={"days_per_move": 1}, series=BEST)
    there.play({"steps": 1}, {"steps": 1})
    clock.advance(days=2)
    assert house.sweeping.sweep().timeouts == 1
    assert statuses(there, there.match) == ["finished", "active"]
    assert points(there, there.match) == [0, 2]
    following = on(there).shown().view
    assert following.deadline is not None
    assert house.audits.verify(following.id).holds


def test_who_lets_time_run_out_without_a_move_forfeits_the_rest(
    house: Services, clock: Clock
) -> None:
    there = table(house).start(pace={"days_per_move": 1}, series=BEST)
    clock.advance(days=2)
    house.sweeping.sweep()
    told = shown(there)
    assert (told["status"], told["champion"]) == ("finished", "brook")
    assert points(there, there.match) == [0, 6]


def test_an_abort_ends_the_series_undecided(there: Table) -> None:
    there.act(1, "resign")
    second = on(there)
    second.act(1, "offer_abort")
    second.act(2, "accept_abort")
    told = shown(there)
    assert (told["status"], told["champion"]) == ("aborted", None)
    assert statuses(there, there.match) == ["finished", "aborted"]


def timed_out(there: Table, clock: Clock) -> None:
    there.play({"steps": 1}, {"steps": 1})
    clock.advance(days=2)
    there.house.sweeping.sweep()


def aborted(there: Table, _: Clock) -> None:
    there.act(1, "offer_abort")
    there.act(2, "accept_abort")


LAST: dict[str, tuple[Callable[[Table, Clock], object], str | None]] = {
    "time": (timed_out, "brook"),
    "takeback and end": (lambda there, _: taken_back_and_ended(there), "brook"),
    "abort": (aborted, None),
}


@pytest.mark.parametrize("way", LAST)
def test_the_last_match_ends_the_series_however_it_ends(
    house: Services, clock: Clock, way: str
) -> None:
    first = table(house).start(pace={"days_per_move": 1}, series=BEST)
    first.act(1, "resign")
    second = on(first)
    second.act(1, "resign")
    third = on(second)
    end, champion = LAST[way]
    end(third, clock)
    status = "aborted" if champion is None else "finished"
    told = shown(first)
    assert (told["status"], told["champion"]) == (status, champion)
    assert statuses(first, first.match) == ["finished", "finished", status]
    assert points(first, first.match) == [2, 2 if champion is None else 4]
    assert house.audits.verify(third.match).holds
    with pytest.raises(SeriesOver):
        third.act(1, "leave_series")
    assert shown(first) == told


def test_a_series_has_a_champion_as_soon_as_nobody_can_catch_up(there: Table) -> None:
    there.act(1, "resign")
    on(there).act(2, "resign")
    told = shown(there)
    assert (told["status"], told["champion"]) == ("finished", "brook")
    assert told["players"] == [
        {"player": "ada", "half_points": 0}, {"player": "brook", "half_points": 4},
    ]  # fmt: skip
    assert [one["number"] for one in told["matches"]] == [1, 2]
    assert [one["result"]["winner"] for one in told["matches"]] == [2, 1]


def test_matches_that_are_all_played_out_may_share_the_first_place(house: Services) -> None:
    there = table(house).start(series=ALL)
    there.act(1, "resign")
    on(there).act(1, "resign")
    told = shown(there)
    assert (told["status"], told["champion"]) == ("finished", None)
    assert points(there, there.match) == [2, 2]


def test_who_leaves_gives_up_the_rest(there: Table) -> None:
    there.act(1, "resign")
    second = on(there)
    done = second.act(1, "leave_series")
    assert done.events[-1]["data"] == {"winner": 2, "reason": "resignation", "forfeits": True}
    assert shown(there)["champion"] == "ada"
    with pytest.raises(SeriesOver):
        second.act(2, "leave_series")
    assert there.house.audits.verify(second.match).holds


def test_leaving_in_a_match_that_is_over_says_where_the_series_goes_on(there: Table) -> None:
    there.act(1, "resign")
    with pytest.raises(MatchNotActive, match=on(there).match):
        there.act(1, "leave_series")
    with pytest.raises(NoSeries):
        table(there.house).start().act(1, "leave_series")


def test_closing_an_account_leaves_its_series(there: Table) -> None:
    there.act(2, "resign")
    there.house.closing.close("ada")
    told = shown(there)
    assert (told["status"], statuses(there, there.match)) == ("finished", ["finished", "finished"])
    assert points(there, there.match) == [2, 4]


def test_closing_an_account_whose_time_is_up_leaves_what_would_follow(
    house: Services, clock: Clock
) -> None:
    there = table(house).start(pace={"days_per_move": 1}, series=BEST)
    there.play({"steps": 1}, {"steps": 1})
    clock.advance(days=2)
    house.closing.close("ada")
    assert statuses(there, there.match) == ["finished", "finished"]
    assert points(there, there.match) == [0, 6]
    for one in (there, on(there)):
        assert house.audits.verify(one.match).holds


@pytest.mark.parametrize(
    "terms", [{"length": 0}, {"length": 10**9}, {"length": 4, "decided": "early"}, 3]
)
def test_terms_that_cannot_be_make_no_match(house: Services, terms: Json) -> None:
    with pytest.raises(InvalidSeries):
        table(house).start(series=terms)
    with house.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == 0


# --- together, and killed -------------------------------------------------------------------------


def test_two_processes_that_end_a_match_at_once_begin_one_match(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    here, other = houses
    for _ in range(5):
        there = table(here).start(series=BEST)
        ends = [
            partial(house.matches.act, ChangeRequest(player, any_version=True), there.match,
                    Action("resign"))
            for house, player in ((here, there.first), (other, there.second))
        ]  # fmt: skip
        at_once(clocks, *((clocks.start, end) for end in ends))
        assert statuses(there, there.match) == ["finished", "active"]
        assert here.audits.verify(on(there).match).holds


def test_a_sweep_of_two_processes_begins_one_match(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    here, other = houses
    there = table(here).start(pace={"days_per_move": 1}, series=BEST)
    there.play({"steps": 1}, {"steps": 1})
    late = clocks.start + timedelta(days=2)
    at_once(clocks, (late, here.sweeping.sweep), (late, other.sweeping.sweep))
    assert statuses(there, there.match) == ["finished", "active"]


def test_one_who_ends_a_match_and_one_who_closes_leave_nobody_waiting(house: Services) -> None:
    for number in range(4):
        names = (f"one{number}", f"two{number}")
        players = [house.accounts.get_local_player(name).id for name in names]
        there = Table(house, *players).start(series=BEST)
        resign = partial(house.matches.act, ChangeRequest(there.second, any_version=True),
                         there.match, Action("resign"))  # fmt: skip
        together(resign, partial(house.closing.close, names[0]))
        assert shown(there)["status"] == "finished"


def test_killed_between_the_end_and_what_follows_there_is_neither(
    there: Table, migrated_url: str
) -> None:
    version = there.version
    words = [sys.executable, "-m", "tests.services.matches.killed", migrated_url, there.match]
    ran = subprocess.run([*words, there.first], cwd=ROOT, capture_output=True, check=False)
    assert ran.returncode == -9, ran.stderr
    assert (there.version, statuses(there, there.match)) == (version, ["active"])
    there.act(1, "resign")
    assert statuses(there, there.match) == ["finished", "active"]


def test_every_way_into_the_log_begins_what_follows() -> None:
    """Whatever writes a decision does it by ``series.write``."""
    found = {
        path.name: path.read_text().count("repository.write(")
        for path in (ROOT / "services").rglob("*.py")
        if "repository.write(" in path.read_text()
    }
    assert found == {"series.py": 1}


# --- ways to begin one ----------------------------------------------------------------------------


def test_a_challenge_and_a_link_begin_one_too(house: Services) -> None:
    there = table(house)
    base = NewMatch("path-capture", seat=1, series=BEST)
    link = base._replace(visibility="private", invitation=True)
    for new in (base._replace(opponent="brook"), link):
        there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
        assert shown(there)["status"] == "open"
        if new.opponent is not None:
            house.matches.join(ChangeRequest(there.second), there.match)
        else:
            made, _ = house.challenges.invite(there.first, there.match)
            house.challenges.accept(ChangeRequest(there.second), made.token, {}, None)
        there.act(1, "resign")
        assert statuses(there, there.match) == ["finished", "active"]


def test_against_the_house_the_house_goes_on(house: Services) -> None:
    there = table(house)
    new = NewMatch("path-capture", seat=2, opponent="house:1", series=BEST)
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    there.second, there.first = there.first, there.second
    house.matches.act(ChangeRequest(there.second, any_version=True), there.match, Action("resign"))
    last = shown(there)["matches"][-1]["match"]
    assert house.audits.verify(last).holds
    house.matches.play(ChangeRequest(there.second, any_version=True), last, {"steps": 1})
    assert house.house_players.go_on(last)
    assert house.audits.verify(last).holds


def test_who_holds_a_practice_match_holds_what_follows(house: Services) -> None:
    new = NewPractice("path-capture", {}, ({}, {}), series=BEST)
    first = house.practice.begin("cookie", new).shown.view
    house.matches.act(ChangeRequest(first.seats[0] or "", any_version=True), first.id,
                      Action("resign"))  # fmt: skip
    held = [one.shown.view.id for one in house.practice.list_held("cookie")]
    assert len(held) == 2
    last = next(one for one in held if one != first.id)
    assert house.practice.find_acting("cookie", last) is not None


def test_a_rematch_of_a_series_is_a_series_and_waits_for_its_end(there: Table) -> None:
    house = there.house
    there.act(1, "resign")
    with pytest.raises(NoRematch, match=on(there).match):
        house.rematches.ask(ChangeRequest(there.first), there.match)
    last = on(there)
    last.act(2, "resign")
    asked = house.rematches.ask(ChangeRequest(there.first), last.match).shown.view
    assert asked.series is not None
    assert (asked.series["id"], asked.series["length"]) == (asked.id, 3)


def test_a_series_has_one_rematch_whichever_of_its_matches_asks(there: Table) -> None:
    house = there.house
    there.act(1, "resign")
    last = on(there)
    last.act(2, "resign")
    asked = [
        house.rematches.ask(ChangeRequest(there.first), match)
        for match in (there.match, last.match)
    ]
    (rematch,) = {one.shown.view.id for one in asked}
    assert [bool(one.events) for one in asked] == [True, False]
    for match in (there.match, last.match):
        shown_again = house.rematches.find(there.second, match)
        assert shown_again is not None
        assert shown_again.view.id == rematch
    taken = house.rematches.ask(ChangeRequest(there.second), there.match).shown.view
    assert (taken.id, taken.status) == (rematch, "active")


# --- looks ----------------------------------------------------------------------------------------


def test_a_private_series_is_its_players_own(house: Services) -> None:
    there = table(house)
    new = NewMatch("path-capture", seat=1, opponent="brook", visibility="private", series=BEST)
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    house.matches.join(ChangeRequest(there.second), there.match)
    there.act(1, "resign")
    eve = house.accounts.get_local_player("eve").id
    for look in (Asker(), Asker(eve)):
        with pytest.raises(NotFound):
            house.series.show(look, there.match)
    for player in (there.first, there.second):
        assert len(house.series.list_match_ids(Asker(player), there.match)) == 2
        [own] = house.series.list_series(Asker(player), SeriesFilter(mine=True)).listed
        assert own.id == there.match
    lists: list[SeriesFilter] = [
        SeriesFilter(),
        SeriesFilter(mine=True),
        SeriesFilter(player="ada"),
        SeriesFilter(player="ada", mine=True),
    ]
    assert [house.series.list_series(Asker(eve), one).listed for one in lists] == [[]] * 4
    for public in (SeriesFilter(), SeriesFilter(player="ada"), SeriesFilter(status="active")):
        assert house.series.list_series(Asker(there.first), public).listed == []
    with pytest.raises(InvalidRequest, match="say who you are"):
        house.series.list_series(Asker(), SeriesFilter(mine=True))


def test_there_is_no_series_of_another_id(there: Table) -> None:
    there.act(1, "resign")
    for other in ("0000000000000000", on(there).match, table(there.house).start().match):
        with pytest.raises(NotFound):
            there.house.series.show(LOCAL, other)


def test_lists_of_series_go_by_what_they_are_up_to(house: Services, clock: Clock) -> None:
    made: dict[str, str] = {}
    for status in ("finished", "aborted", "active", "open"):
        clock.advance(seconds=1)
        there = table(house)
        if status == "open":
            new = NewMatch("path-capture", series=BEST)
            there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
        else:
            there.start(series=BEST)
            there.act(1, "resign")
        if status == "finished":
            on(there).act(2, "resign")
        if status == "aborted":
            last = on(there)
            last.act(1, "offer_abort")
            last.act(2, "accept_abort")
        made[status] = there.match
    table(house).start()

    def ids(
        game: str | None = None, status: str | None = None, player: str | None = None
    ) -> list[str]:
        filters = SeriesFilter(game, status, player)
        return [one.id for one in house.series.list_series(Asker(), filters).listed]

    newest = [*made.values()][::-1]
    assert ids() == ids(game="path-capture") == newest
    assert ids(player="ada") == newest
    assert ids(player="brook") == newest[1:]
    assert ids(player="nobody") == ids(game="grid-power") == []
    assert {status: ids(status=status) for status in made} == {
        status: [series] for status, series in made.items()
    }
    first = house.series.list_series(Asker(), SeriesFilter(), limit=3)
    second = house.series.list_series(Asker(), SeriesFilter(), limit=3, cursor=first.next_cursor)
    assert [one.id for one in (*first.listed, *second.listed)] == newest
    assert second.next_cursor is None


@pytest.mark.parametrize(
    "change",
    [
        "series = NULL, number = NULL",
        "series_status = 'finished' WHERE number = 1",
        "series_status = NULL",
    ],
)
def test_a_rebuild_finds_what_series_there_are(there: Table, change: str) -> None:
    there.act(1, "resign")
    before = shown(there)
    with there.house.database.write() as connection:
        connection.exec_driver_sql(f"UPDATE matches SET {change}")
    assert list(there.house.rebuilding.iter_differences())
    assert sum(part.changed for part in there.house.rebuilding.run()) >= 1
    assert shown(there) == before
    assert list(there.house.rebuilding.iter_differences()) == []
    listed = there.house.series.list_series(Asker(), SeriesFilter(status="active")).listed
    assert [one.id for one in listed] == [there.match]
