"""Display names in any script: what one may be, and which look like somebody else's."""

from __future__ import annotations

from datetime import UTC

import pytest

from services.accounts.display_names import LONGEST, clean_name, is_reserved, make_skeleton
from services.accounts.settings import zone_of
from services.container import Services
from services.errors import InvalidPlayer, InvalidRequest, NameTaken
from services.store.people.profiles import ProfileRow, show_name
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.people import table

PASSWORD = "correct horse battery"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430"),
        ("\u05d3\u05d5\u05d3", "\u05d3\u05d5\u05d3"),
        ("\u5f20\u4f1f", "\u5f20\u4f1f"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627", "\u0645\u06cc\u200c\u062e\u0648\u0627"),
        ("e\u0301va", "\u00e9va"),
        ("O\u2019Neill-Smith", "O\u2019Neill-Smith"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)  # fmt: skip
def test_names_of_every_script_may_be(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", "\u3164", "x" * (LONGEST + 1), "two\nlines", "a\u0000b", "a\tb", "\u202eada",
        "ada\u2066", "ada\u200f", "a\u00adda", "\U000e0041da", "!!!", "\u0301ada",
        "a\ud800", "a\ufffe", "a" + "\u0301" * 20, "ada\u034f", "ada\u3164", "ada\uffa0",
        "ada\u115f", "ada\u1160", "ada\u17b4", "ada\u17b5", "ada\u2800", "ada\U0001d159",
        "ada\U00016fe4", "ada\u2065",
    ],
)  # fmt: skip
def test_what_cannot_be_seen_or_read_is_no_name(typed: str) -> None:
    with pytest.raises(InvalidPlayer) as refused:
        clean_name(typed)
    assert refused.value.pointer == "/display_name"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada", "\u0430da"),
        ("ada", "A D A"),
        ("paypal", "\u0440\u0430y\u0440al"),
        ("Ian", "lan"),
        ("bob", "b0b"),
        ("ada", "a\u200dda"),
        ("modern", "rnodern"),
        ("\uff21da", "Ada"),
        ("ada", "ada\ufe0f"),
        ("ada", "a\u180bda\u180f"),
        ("ada", "ad\U000e0100a"),
    ],
)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert make_skeleton(one) == make_skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("ana", "anna"), ("ball", "bill"), ("Jose", "Jos\u00e9")]
)
def test_names_that_do_not_look_alike_have_not(one: str, other: str) -> None:
    assert make_skeleton(one) != make_skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        "House", "h0use", "H\u043euse", "The House", "House, level 3", "closed account",
        "a visitor", "House \u2464", "House, level V", "House\ufe0f", "Plybook team",
        "p-l-y-b-o-o-k", "ply\u200dbook", "The \u0430dmins", "ADMIN_7",
        "\u1d00\u1d05\u1d0d\u026a\u0274", "\U0001f170\U0001f173\U0001f17c\U0001f178\U0001f17d",
        "\U0001f15flybook", "\U0001f1e6dmin", "admin2", "a.moderator",
    ],
)  # fmt: skip
def test_nobody_is_called_like_the_house(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name", ["Householder", "Badminton", "Administrativa", "Young", "Bodyguard"]
)
def test_names_that_only_begin_like_it_may_be(name: str) -> None:
    assert not is_reserved(name)


def test_nobody_signs_up_like_the_house_but_who_runs_it_may_be_called_so(house: Services) -> None:
    for name in ("House-5", "plyb00k", "the-admin", "nobody"):
        with pytest.raises(InvalidPlayer) as refused:
            house.accounts.sign_up(name, PASSWORD)
        assert refused.value.pointer == "/name"
    assert house.accounts.sign_up("admin", PASSWORD, reserved=True)


def change(house: Services, name: str, display_name: str | None, **more: object) -> None:
    player = house.accounts.get_by_name(name).id
    house.profile_settings.change(player, ProfileRow(display_name, **more))  # type: ignore[arg-type]


@ON_SQLITE_ALONE
def test_a_display_name_is_shown_and_links_keep_the_log_in_name(house: Services) -> None:
    there = table(house).start()
    change(house, "ada", "Ada Lovelace")
    shown = there.shown()
    ada = shown.view.seats[0]
    assert (shown.tell_name(ada), shown.get_name(ada)) == ("Ada Lovelace", "ada")
    assert house.profiles.get_by_name("ada").word == "Ada Lovelace"
    change(house, "ada", None)
    assert there.shown().tell_name(ada) == "ada"


def test_nobody_gets_a_display_name_that_looks_like_somebody(house: Services) -> None:
    table(house)
    change(house, "ada", "Ada Lovelace")
    for other in ("\u0430da", "ADA", "Ada L\u043evelace", "adalovelace", "Ada\ufe0f"):
        with pytest.raises(NameTaken):
            change(house, "brook", other)
    change(house, "ada", "\u0410da")


def test_a_name_of_characters_that_stand_for_many_is_kept(house: Services) -> None:
    table(house)
    change(house, "ada", "\ufdfa" * LONGEST)
    with pytest.raises(NameTaken):
        change(house, "brook", "\ufdfa" * LONGEST)


def test_capitals_spaces_and_punctuation_make_no_other_name(house: Services) -> None:
    table(house)
    house.accounts.sign_up("ivan_ilich", PASSWORD)
    change(house, "ada", "Lia Innis")
    for other in ("Ivan Ilich", "IVAN-ILICH", "ivan ilich", "Ivan. Ilich"):
        with pytest.raises(NameTaken):
            change(house, "brook", other)
    for other in ("lia innis", "LIA INNIS", "lia-innis", "Iia innis"):
        with pytest.raises(NameTaken):
            change(house, "brook", other)
    for name in ("lia_innis", "LIA-INNIS"):
        with pytest.raises(NameTaken):
            house.accounts.sign_up(name, PASSWORD)
    change(house, "ivan_ilich", "Ivan Ilich")


def test_nobody_signs_up_as_what_somebody_is_called(house: Services) -> None:
    table(house)
    change(house, "ada", "Countess")
    with pytest.raises(NameTaken):
        house.accounts.sign_up("c0untess", PASSWORD)
    assert house.accounts.sign_up("countess2", PASSWORD)


@ON_SQLITE_ALONE
def test_a_time_zone_is_one_that_there_is(house: Services) -> None:
    table(house)
    for zone in ("Europe/Atlantis", "../etc/passwd", "UTC+3", "europe/berlin", "localtime"):
        with pytest.raises(InvalidRequest):
            change(house, "ada", None, time_zone=zone)
    change(house, "ada", None, time_zone="Europe/Berlin")
    assert (
        house.profile_settings.get(house.accounts.get_by_name("ada").id).time_zone
        == "Europe/Berlin"
    )


def test_a_time_zone_that_is_no_more_is_utc() -> None:
    assert zone_of("Europe/Atlantis") is UTC
    assert zone_of("Europe/Berlin") is not UTC


@ON_SQLITE_ALONE
def test_a_name_is_a_text_with_what_is_shown_of_it(house: Services) -> None:
    table(house)
    change(house, "ada", "Ada Lovelace")
    player = house.accounts.get_by_name("ada").id
    name = house.accounts.find_names([player])[player]
    assert (name, show_name(name), show_name("ada")) == ("ada", "Ada Lovelace", "ada")
