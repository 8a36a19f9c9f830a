"""Records: public matches that were played here to an end, and nothing else."""

import pytest

from services.accounts.profiles import Results
from services.container import Services
from services.errors import InvalidRequest, NotFound
from services.matches.actions import Action
from services.matches.requests import ChangeRequest, NewMatch
from tests.services.people import table


def test_a_record_counts_by_game_from_either_seat(house: Services) -> None:
    there = table(house)
    there.start().act(1, "resign")
    there.start().act(2, "resign")
    there.start().act(2, "resign")
    drawn = there.start("grid-power")
    drawn.act(1, "offer_draw")
    drawn.act(2, "accept_draw")
    assert house.profiles.get_by_name("ADA").records == [
        Results("grid-power", drawn=1),
        Results("path-capture", won=2, lost=1),
    ]
    (_, second) = house.profiles.get_by_name("brook").records
    assert (second, second.played) == (Results("path-capture", won=1, lost=2), 3)


def test_what_is_not_public_or_not_played_out_is_in_no_record(house: Services) -> None:
    there = table(house)
    there.start()
    there.start().act(1, "abort")
    for visibility in ("unlisted", "private"):
        new = NewMatch("path-capture", opponent="brook", visibility=visibility, seat=1)
        match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
        house.matches.join(ChangeRequest(there.second), match)
        house.matches.act(ChangeRequest(there.second, any_version=True), match, Action("resign"))
    assert house.profiles.get_by_name("ada").records == []


def test_who_is_not_here_or_has_left_has_no_profile(house: Services) -> None:
    house.accounts.sign_up("cleo", "a long enough password")
    house.closing.close("cleo")
    for name in ("nobody", "cleo", "closed account", ""):
        with pytest.raises(NotFound):
            house.profiles.get_by_name(name)


def test_several_players_are_found_with_their_records(house: Services) -> None:
    there = table(house)
    there.start().act(1, "resign")
    page = house.profiles.search("", limit=1)
    assert [one.player.name for one in page.listed] == ["ada"]
    assert page.listed[0] == house.profiles.get_by_name("ada")
    rest = house.profiles.search("b", limit=9, cursor=page.next_cursor)
    assert [one.player.name for one in rest.listed] == ["brook"]
    assert rest.listed[0].records == [Results("path-capture", won=1)]
    assert rest.next_cursor is None


def test_a_name_is_searched_as_it_is_folded_at_sign_up(house: Services) -> None:
    for name in ("Kim", "k-2", "Strasse"):
        house.accounts.sign_up(name, "a long enough password")
    for typed, found in {
        "K": ["k-2", "Kim"],
        "\u212ai": ["Kim"],
        "stra\u00df": ["Strasse"],
        "\u212a\u0131": [],
        "*": [],
        "k" * 300: [],
    }.items():
        assert [one.player.name for one in house.profiles.search(typed).listed] == found
        assert house.profiles.list_names(typed) == found


@pytest.mark.parametrize("cursor", ["", "x", "ada", "\u00e9" * 40])
def test_a_cursor_that_is_none_is_refused(house: Services, cursor: str) -> None:
    with pytest.raises(InvalidRequest):
        house.profiles.search("", cursor=cursor)
