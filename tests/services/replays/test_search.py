"""Searches over replays: the right steps, in what the viewer may see, of public matches."""

from __future__ import annotations

import pytest

from services.container import Services
from services.errors import NotFound
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.replays.search import StepFilter, parse
from tests.services.people import Table, table

LOCAL = Asker(local=True)


@pytest.fixture
def there(house: Services) -> Table:
    seated = table(house).start()
    seated.play({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})
    return seated


def versions(house: Services, match: str, wanted: StepFilter, look: Asker = LOCAL) -> list[int]:
    return [found.frame.version for found in house.search.iter_steps(look, match, wanted)]


def test_steps_are_found_by_what_is_told_of_them(house: Services, there: Table) -> None:
    assert versions(house, there.match, StepFilter(text="CAPTURES")) == [8]
    assert versions(house, there.match, StepFilter(text="nothing like it")) == []


def test_steps_are_found_by_kind_and_by_who_did_them(house: Services, there: Table) -> None:
    assert versions(house, there.match, StepFilter(kind="match-ended")) == [9]
    assert versions(house, there.match, StepFilter(kind="move-made", player="BROOK")) == [6, 8]
    assert versions(house, there.match, StepFilter(player="nobody")) == []


def test_steps_are_found_by_their_state(house: Services, there: Table) -> None:
    held = StepFilter(where=parse("players.0.node >= 3 and to_act = 2"))
    assert versions(house, there.match, held) == [5, 7]
    before = StepFilter(where=parse("event = null"))
    assert versions(house, there.match, before) == [4]


def test_all_that_is_asked_for_must_hold(house: Services, there: Table) -> None:
    wanted = StepFilter(text="forward", kind="move-made", player="ada", where=parse("ply > 1"))
    assert versions(house, there.match, wanted) == [7]


def test_a_search_sees_no_more_than_its_viewer(house: Services) -> None:
    there = table(house).start("whisper")
    hand = StepFilter(where=parse("count(players.0.hand) > 0"))
    assert versions(house, there.match, hand, Asker(asked="seat-1", local=True))
    for asked in (None, "spectator", "seat-2"):
        assert versions(house, there.match, hand, Asker(asked=asked, local=True)) == []


def test_a_match_that_is_not_there_is_refused(house: Services) -> None:
    with pytest.raises(NotFound):
        list(house.search.iter_steps(LOCAL, "0000000000000000", StepFilter(text="x")))


def test_paths_that_lead_nowhere_are_named(house: Services, there: Table) -> None:
    condition = parse("players.0.node = 1 or scores.1 = 2")
    assert house.search.list_unknown(LOCAL, there.match, condition) == ["scores.1"]


def test_only_public_matches_are_searched_together(house: Services, there: Table) -> None:
    for visibility in ("unlisted", "private"):
        new = NewMatch("path-capture", seat=1, visibility=visibility, opponent="brook")
        house.matches.create(ChangeRequest(there.first), new)
    assert list(house.search.iter_matches()) == [there.match]
    assert list(house.search.iter_matches("path-capture", "Ada")) == [there.match]
    assert list(house.search.iter_matches("grid-power")) == []
    assert list(house.search.iter_matches(player="nobody")) == []


def test_matches_of_several_pages_are_all_found_once(
    house: Services, there: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {there.match}
    made |= {table(house).start().match for _ in range(4)}
    monkeypatch.setattr("services.store.lobby.filters.PAGE", 2)
    found = list(house.search.iter_matches())
    assert len(found) == len(made)
    assert set(found) == made
