"""Lists: who sees which matches, and that pages neither skip nor repeat."""

from collections.abc import Callable
from dataclasses import replace
from typing import Never

import pytest
import structlog

from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.match import commands
from services.container import Services
from services.errors import CursorGone, InvalidRequest
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.settings import Settings
from services.store.cursors import Cursor, read_cursor, write_cursor
from services.store.matches import BANK, NO_PACE, PER_MOVE, ListKey
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import Clock
from tests.services.people import table
from tests.support.games import test_games


def _ids(house: Services, look: Asker, filters: MatchFilter | None = None) -> set[str]:
    page = house.lobby.list_matches(look, filters or MatchFilter(), limit=100)
    return {shown.view.id for shown in page.listed}


def test_lists_have_public_matches_and_ones_own(house: Services) -> None:
    there = table(house)
    made = {
        visibility: house.matches.create(
            ChangeRequest(there.first),
            NewMatch("path-capture", visibility=visibility, opponent="brook"),
        ).shown.view.id
        for visibility in ("public", "unlisted", "private")
    }
    stranger = house.accounts.get_local_player("stranger").id
    assert _ids(house, Asker()) == {made["public"]}
    assert _ids(house, Asker(stranger), MatchFilter(mine=True)) == set()
    assert _ids(house, Asker(there.first)) == {made["public"]}
    for own in (there.first, there.second):
        assert _ids(house, Asker(own), MatchFilter(mine=True)) == set(made.values())
    assert _ids(house, Asker(local=True)) == set(made.values())
    for name in ("ada", "ADA"):
        assert _ids(house, Asker(), MatchFilter(player=name)) == {made["public"]}


def test_filters_choose(house: Services) -> None:
    running = table(house).start("path-capture").match
    over = table(house).start("grid-power")
    over.act(1, "resign")
    look = Asker()
    assert _ids(house, look, MatchFilter(game="grid-power")) == {over.match}
    assert _ids(house, look, MatchFilter(status="active")) == {running}
    assert _ids(house, look, MatchFilter(to_act="ada")) == {running}
    assert _ids(house, look, MatchFilter(to_act="brook")) == set()
    assert _ids(house, look, MatchFilter(player="nobody")) == set()


def test_nobody_in_particular_has_no_own_matches(house: Services) -> None:
    with pytest.raises(InvalidRequest):
        house.lobby.list_matches(Asker(), MatchFilter(mine=True))


def leafed(
    house: Services, sort: str, meanwhile: Callable[[], object], filters: MatchFilter | None = None
) -> list[str]:
    """Return the ids on all pages of a list, one after the other; ``meanwhile`` comes between."""
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = house.lobby.list_matches(
            Asker(), filters or MatchFilter(), sort=sort, limit=2, cursor=cursor
        )
        seen += [shown.view.id for shown in page.listed]
        cursor = page.next_cursor
        if cursor is None:
            return seen
        meanwhile()


@pytest.mark.parametrize("sort", ["updated", "created"])
def test_pages_neither_skip_nor_repeat_rows_while_new_ones_arrive(
    house: Services, clock: Clock, sort: str
) -> None:
    there = table(house)
    made = []
    for number in range(7):
        if number % 2:
            clock.advance(seconds=1)
        request = ChangeRequest(there.first)
        made.append(house.matches.create(request, NewMatch("path-capture")).shown.view.id)

    def arrive() -> None:
        clock.advance(seconds=1)
        house.matches.create(ChangeRequest(there.first), NewMatch("path-capture"))

    assert sorted(leafed(house, sort, arrive)) == sorted(made)


@pytest.mark.parametrize("sort", ["updated", "created"])
@pytest.mark.parametrize("at_once", [False, True])
def test_pages_neither_skip_nor_repeat_rows_that_move_meanwhile(
    house: Services, clock: Clock, sort: str, *, at_once: bool
) -> None:
    """Whatever moves comes to the front, from pages that were seen and from those to come."""
    running = []
    for _ in range(8):
        if not at_once:
            clock.advance(seconds=1)
        running.append(table(house).start(pace=None))
    turns = iter([0, 7, 3, 1, 0, 4, 2, 6, 5, 5, 1, 0])

    def move() -> None:
        clock.advance(seconds=0 if at_once else 1)
        for _ in range(3):
            running[next(turns)].play({"steps": 1})

    expected = sorted(one.match for one in running)
    if not at_once:
        expected = [one.match for one in reversed(running)]
    seen = leafed(house, sort, move)
    assert (sorted(seen) if at_once else seen) == expected


def test_a_match_that_moved_is_listed_in_its_old_place_as_it_is_now(
    house: Services, clock: Clock
) -> None:
    old = table(house).start()
    clock.advance(seconds=1)
    new = table(house).start()
    first = house.lobby.list_matches(Asker(), MatchFilter(), limit=1)
    assert [one.view.id for one in first.listed] == [new.match]
    clock.advance(seconds=1)
    old.play({"steps": 1})
    second = house.lobby.list_matches(Asker(), MatchFilter(), limit=1, cursor=first.next_cursor)
    assert [(one.view.id, one.view.ply) for one in second.listed] == [(old.match, 1)]
    again = house.lobby.list_matches(Asker(), MatchFilter(), limit=1)
    assert [one.view.id for one in again.listed] == [old.match]


def test_a_move_that_was_on_its_way_when_the_list_began_takes_no_row_away(
    houses: tuple[Services, Services],
) -> None:
    """It was decided before the first page and is committed behind it: instants tell nothing."""
    reader, writer = houses
    slow, quick = table(writer).start(), table(writer).start()
    slow.play({"steps": 1})
    with writer.database.read() as connection:
        match = writer.matches.repository.load(connection, quick.match)
    assert match is not None
    moved = writer.matches.decide_now(
        match, commands.PlayMove(1, match.game.parse_move({"steps": 1}))
    )
    whole = {one.view.id for one in reader.lobby.list_matches(Asker(), MatchFilter()).listed}
    with writer.database.write() as connection:
        writer.matches.repository.write(connection, moved)
        first = reader.lobby.list_matches(Asker(), MatchFilter(), limit=1)
    second = reader.lobby.list_matches(Asker(), MatchFilter(), limit=1, cursor=first.next_cursor)
    assert {one.view.id for one in (*first.listed, *second.listed)} == whole


def test_a_cursor_of_a_list_with_events_that_there_are_not_is_gone(house: Services) -> None:
    there = table(house)
    there.start()
    there.start()
    written = house.lobby.list_matches(Asker(), MatchFilter(), limit=1).next_cursor or ""
    true = read_cursor(house.lobby.sealer, "updated", written)
    position, hashed, counter = true.newest.split("-")
    for newest in (
        f"{int(position) + 1}-{hashed}-{counter}",
        f"{position}-{'0' * 16}-{counter}",
        f"{position}-{hashed}-{counter}1",
        "x",
    ):
        cursor = write_cursor(house.lobby.sealer, "updated", true._replace(newest=newest))
        with pytest.raises(CursorGone):
            house.lobby.list_matches(Asker(), MatchFilter(), cursor=cursor)
    cursor = write_cursor(house.lobby.sealer, "updated", true)
    assert len(house.lobby.list_matches(Asker(), MatchFilter(), cursor=cursor).listed) == 1


def test_a_cursor_does_not_tell_what_the_database_counts(house: Services) -> None:
    """Between two moves it would tell that somebody has written something."""
    there = table(house)
    there.start()
    there.start()
    told = [
        house.lobby.list_matches(Asker(), MatchFilter(), limit=1).next_cursor or ""
        for _ in range(2)
    ]
    assert told[0] != told[1]
    assert len(set(map(len, told))) == 1
    assert house.lobby.sealer.unseal("cursor of updated", told[0])
    assert house.lobby.sealer.unseal("line of somebody", told[0]) is None


def test_a_cursor_that_is_none_is_refused(house: Services) -> None:
    for cursor in ("", "x", "!!!", "bm90IGEgY3Vyc29y", "é", "A" * 500):
        with pytest.raises(InvalidRequest):
            house.lobby.list_matches(Asker(), MatchFilter(), cursor=cursor)


def test_a_cursor_is_good_for_its_own_order_only(house: Services) -> None:
    place = ListKey("2026-11-27T22:00:00.000000Z", "7m2kq9x4tbw0ed5r")
    sealer, cursor = house.lobby.sealer, Cursor(place, "0")
    written = write_cursor(sealer, "created", cursor)
    assert read_cursor(sealer, "created", written) == cursor
    with pytest.raises(InvalidRequest):
        read_cursor(sealer, "updated", written)


def test_a_match_that_cannot_be_read_does_not_hide_the_others(
    house: Services, migrated_url: str, clock: Clock
) -> None:
    unknown = table(house).start("grid-power")
    unknown.play({"row": 1, "column": 1, "unit": 5})
    damaged = table(house).start("path-capture").match
    known = table(house).start("path-capture").match
    assert _ids(house, Asker()) == {unknown.match, damaged, known}
    damage(house.database, damaged)
    others = [game for game in test_games() if game.slug != "grid-power"]
    broken = replace(test_games().get("grid-power"), recall=_odd)
    for games in (Games(others), Games([*others, broken])):
        other = Services(Settings(database_url=migrated_url), games=games, now=clock)
        with structlog.testing.capture_logs() as log:
            assert [_ids(other, Asker()) for _ in range(2)] == [{known}, {known}]
        other.close()
        told = [one["match"] for one in log if one["event"] == "match_left_out_of_lists"]
        assert sorted(told) == sorted([unknown.match, damaged])


def _odd(_: JsonObject) -> Never:
    raise TypeError


def test_lists_are_filtered_by_pace_also_by_none(house: Services) -> None:
    timeless = table(house).start().match
    days = table(house).start(pace={"days_per_move": 3}).match
    assert _ids(house, Asker(), MatchFilter(pace=NO_PACE)) == {timeless}
    assert _ids(house, Asker(), MatchFilter(pace=PER_MOVE)) == {days}
    assert _ids(house, Asker(), MatchFilter(pace=BANK)) == set()
