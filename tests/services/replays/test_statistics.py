"""Statistics: what is counted, for whom, and what is left out."""

from __future__ import annotations

import pytest

from services.container import Services
from services.errors import NotFound
from services.matches.requests import ChangeRequest, NewMatch
from services.replays.statistics import StatisticsRow
from services.store.lobby.statistics import StatisticsFilter
from tests.services.conftest import Clock
from tests.services.exchange.matches import call
from tests.services.people import Table, table


@pytest.fixture
def there(house: Services, clock: Clock) -> Table:
    """Give a match that P2 has won by capture in 4 moves, of 10, 20, 30 and 40 seconds."""
    seated = table(house).start()
    for steps, seconds in ((3, 10), (2, 20), (2, 30), (3, 40)):
        clock.advance(seconds=seconds)
        seated.play({"steps": steps})
    return seated


def line(house: Services, of: str, choice: StatisticsFilter | None = None) -> StatisticsRow:
    lines = house.statistics.list_rows(choice or StatisticsFilter())
    [found] = [one for one in lines if one.of == of]
    return found


def test_results_lengths_and_times_are_counted_by_game_seat_and_reason(
    house: Services, there: Table
) -> None:
    assert [one.of for one in house.statistics.list_rows(StatisticsFilter())] == [
        *("all", "seat-1", "seat-2", "capture")
    ]
    everything = line(house, "all")
    assert everything[2:7] == (1, 0, 1, 0, 0)
    assert (everything.moves_least, everything.moves_mean, everything.moves_most) == (4, 4.0, 4)
    assert everything.seconds_mean == 25.0
    assert line(house, "seat-1").seconds_mean == 20.0
    assert line(house, "seat-2").seconds_mean == 30.0
    assert line(house, "capture") == everything._replace(of="capture")
    assert there.match


def test_rated_matches_and_those_of_series_are_counted_on_lines_of_their_own(
    house: Services, there: Table
) -> None:
    first = there.start(series={"length": 3}, rated=True)
    first.act(1, "resign")
    table(house).start(rated=True).act(1, "resign")
    assert [(one.of, one.matches) for one in house.statistics.list_rows(StatisticsFilter())] == [
        ("all", 3), ("seat-1", 3), ("seat-2", 3), ("rated", 2), ("series", 1), ("capture", 1),
        ("resignation", 2),
    ]  # fmt: skip


def test_a_median_is_right_to_a_twelfth(house: Services, there: Table, clock: Clock) -> None:
    there.start()
    for steps in (3, 2, 2):
        clock.advance(seconds=1_000)
        there.play({"steps": steps})
    there.act(2, "resign")
    median = line(house, "all").seconds_median
    assert median == pytest.approx(40, rel=1 / 12)


def test_aborted_matches_are_not_won_and_not_drawn(house: Services) -> None:
    there = table(house).start()
    there.act(1, "abort")
    aborted = line(house, "all")
    assert (aborted.matches, aborted.aborted, aborted.drawn) == (1, 1, 0)
    assert (aborted.won_by_1, aborted.won_by_2) == (0, 0)
    assert (aborted.seconds_mean, aborted.seconds_median) == (None, None)


def test_of_a_player_a_seat_is_where_they_sat(house: Services, there: Table) -> None:
    other = Table(house, there.second, there.first).start()
    other.play({"steps": 3})
    other.act(2, "resign")
    ada = StatisticsFilter(player="ada")
    assert line(house, "all", ada).matches == 2
    assert line(house, "seat-1", ada)[2:5] == (1, 0, 1)
    assert line(house, "seat-2", ada)[2:5] == (1, 1, 0)
    assert house.statistics.list_rows(StatisticsFilter(game="grid-power")) == []
    with pytest.raises(NotFound, match="no player nobody"):
        house.statistics.list_rows(StatisticsFilter(player="nobody"))


def test_a_span_has_its_beginning_and_not_its_end(house: Services, there: Table) -> None:
    ended = there.shown().view.updated_at
    assert house.statistics.list_rows(StatisticsFilter(since=ended))
    assert not house.statistics.list_rows(StatisticsFilter(until=ended))
    assert house.statistics.list_rows(StatisticsFilter(until=ended[:-2] + "1Z"))
    assert not house.statistics.list_rows(StatisticsFilter(since=ended[:-2] + "1Z"))


def test_running_unlisted_and_private_matches_are_in_no_statistic(house: Services) -> None:
    there = table(house).start()
    there.play({"steps": 3})
    for visibility in ("unlisted", "private"):
        new = NewMatch("path-capture", seat=1, visibility=visibility, opponent="brook")
        match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
        house.matches.join(ChangeRequest(there.second), match)
        there.match = match
        there.play({"steps": 3})
        there.act(2, "resign")
    assert house.statistics.list_rows(StatisticsFilter()) == []


def test_pages_and_very_long_matches_do_not_change_the_counts(
    house: Services, there: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        there.start()
        there.play({"steps": 3})
        there.act(2, "resign")
    whole, told = house.statistics.list_rows(StatisticsFilter()), list[int]()
    assert whole[0].matches == 5
    for page, events in ((2, 20_000), (200, 1), (2, 12)):
        monkeypatch.setattr("services.replays.statistics.PAGE", page)
        monkeypatch.setattr("services.replays.statistics.EVENTS", events)
        told.clear()
        assert house.statistics.list_rows(StatisticsFilter(), told.append) == whole
        assert told[-1] == 5


def test_imported_matches_count_for_their_game_and_for_no_player(
    house: Services, there: Table
) -> None:
    call(house, there, "ada", "brook")
    assert line(house, "all").matches == 1
    assert house.statistics.list_rows(StatisticsFilter(player="ada")) == []
    there.start()
    there.act(1, "resign")
    assert line(house, "all").matches == 2
    assert line(house, "all", StatisticsFilter(player="ada")).matches == 1
