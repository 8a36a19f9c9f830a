"""Lists: who sees which matches, and that pages neither skip nor repeat."""

import pytest

from services.cursors import read_cursor, write_cursor
from services.errors import InvalidRequest
from services.lobby import Filters
from services.looking import Look
from services.matches import NewMatch, Request
from services.store.readmodels import Place
from services.wiring import House
from tests.services.conftest import Clock
from tests.services.people import table


def _ids(house: House, look: Look, filters: Filters | None = None) -> set[str]:
    page = house.lobby.matches(look, filters or Filters(), limit=100)
    return {shown.view.id for shown in page.matches}


def test_lists_have_public_matches_and_ones_own(house: House) -> None:
    there = table(house)
    made = {
        visibility: house.matches.create(
            Request(there.first),
            NewMatch("path-capture", visibility=visibility, opponent="brook"),
        ).shown.view.id
        for visibility in ("public", "unlisted", "private")
    }
    stranger = house.accounts.local_player("stranger").id
    assert _ids(house, Look()) == {made["public"]}
    assert _ids(house, Look(stranger), Filters(mine=True)) == set()
    assert _ids(house, Look(there.first)) == {made["public"]}
    for own in (there.first, there.second):
        assert _ids(house, Look(own), Filters(mine=True)) == set(made.values())
    assert _ids(house, Look(local=True)) == set(made.values())
    for name in ("ada", "ADA"):
        assert _ids(house, Look(), Filters(player=name)) == {made["public"]}


def test_filters_choose(house: House) -> None:
    running = table(house).start("path-capture").match
    over = table(house).start("grid-power")
    over.act(1, "resign")
    look = Look()
    assert _ids(house, look, Filters(game="grid-power")) == {over.match}
    assert _ids(house, look, Filters(status="active")) == {running}
    assert _ids(house, look, Filters(to_act="ada")) == {running}
    assert _ids(house, look, Filters(to_act="brook")) == set()
    assert _ids(house, look, Filters(player="nobody")) == set()


def test_nobody_in_particular_has_no_own_matches(house: House) -> None:
    with pytest.raises(InvalidRequest):
        house.lobby.matches(Look(), Filters(mine=True))


@pytest.mark.parametrize("sort", ["updated", "created"])
def test_pages_neither_skip_nor_repeat(house: House, clock: Clock, sort: str) -> None:
    there = table(house)
    made = []
    for number in range(7):
        if number % 2:
            clock.advance(seconds=1)
        request = Request(there.first)
        made.append(house.matches.create(request, NewMatch("path-capture")).shown.view.id)
    seen, cursor = [], None
    while True:
        page = house.lobby.matches(Look(), Filters(), sort=sort, limit=2, cursor=cursor)
        seen += [shown.view.id for shown in page.matches]
        cursor = page.next_cursor
        if cursor is None:
            break
        # A match that comes in while somebody leafs is newer, and so on an earlier page.
        clock.advance(seconds=1)
        house.matches.create(Request(there.first), NewMatch("path-capture"))
    assert sorted(seen) == sorted(made)


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "bm90IGEgY3Vyc29y", "é", "A" * 500])
def test_a_cursor_that_is_none_is_refused(house: House, cursor: str) -> None:
    with pytest.raises(InvalidRequest):
        house.lobby.matches(Look(), Filters(), cursor=cursor)


def test_a_cursor_is_good_for_its_own_order_only() -> None:
    place = Place("2026-11-27T22:00:00.000000Z", "7m2kq9x4tbw0ed5r")
    cursor = write_cursor(place, "created")
    assert read_cursor(cursor, "created") == place
    with pytest.raises(InvalidRequest):
        read_cursor(cursor, "updated")
