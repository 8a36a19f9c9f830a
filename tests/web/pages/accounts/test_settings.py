"""What a player chooses for themselves: the display name, the time zone, what their page shows."""

from __future__ import annotations

import pytest

from services.container import Services
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.made_up import LANGUAGE, translated
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Answer, Person

SHOWN = "\u05e2\u05d3\u05d4 Lovelace"


def choose(browser: Browser, *without: str, **typed: str) -> Answer:
    values = browser.form("/account/profile", "/account/profile")
    values |= {name: [one] for name, one in typed.items()}
    return browser.post(
        "/account/profile", {name: one for name, one in values.items() if name not in without}
    )


def test_a_display_name_is_what_people_read_and_links_have_the_log_in_name(pair: Pair) -> None:
    cora, dan = pair.browsers
    match = pair.start("path-capture")
    assert cora.send(match, f"{page_of(match)}/chat", text="Hello!").status_code == 303
    assert choose(cora, display_name=f"  {SHOWN} ").status_code == 303
    assert cora.page("/account").one("h1").text == SHOWN
    for page in (match, "/", "/p/cora"):
        assert SHOWN in dan.get(page).text, page
    shown = dan.page(match)
    link = next(one for one in shown.all("a", class_="who-is") if one.text == SHOWN)
    assert link.attributes["href"] == "/p/cora"
    assert "Log-in name: cora" in dan.page("/p/cora").text
    assert choose(cora, display_name="").status_code == 303
    assert SHOWN not in dan.get(match).text


def page_of(match: str) -> str:
    return f"/m/{identity(match)}"


@pytest.mark.parametrize(
    ("typed", "status", "words"),
    [
        ({"display_name": "H\u043euse"}, 422, "uses this name for others"),
        ({"display_name": "d\u0430n"}, 409, "looks like one that is, or was"),
        ({"display_name": "a\u202eb"}, 422, "invisible character"),
        ({"display_name": "x" * 33}, 422, "32 are the most"),
    ],
)
@pytest.mark.usefixtures("dan")
def test_what_cannot_be_is_told_at_its_field_and_changes_nothing(
    cora: Browser, typed: dict[str, str], status: int, words: str
) -> None:
    answer = choose(cora, **typed)
    assert answer.status_code == status
    shown = read(answer.text)
    assert words in shown.one("p", id="f-display_name-error").text
    assert shown.one("input", id="f-display_name").attributes["value"] == typed["display_name"]
    assert cora.page("/account").one("h1").text == "cora"


def test_times_are_told_in_the_zone_that_was_chosen(cora: Browser, house: Services) -> None:
    since = house.accounts.get_by_name("cora").created_at
    at = f"{since[:19]}Z"
    assert cora.page("/account").all("time", datetime=at)[0].text.endswith(" UTC")
    assert choose(cora, time_zone="Asia/Tokyo").status_code == 303
    shown = cora.page("/account")
    assert "data-zone" in shown.one("html").attributes
    assert shown.all("time", datetime=at)[0].text.endswith(" JST")
    assert choose(cora, time_zone="Nowhere/Land").status_code == 400
    assert (
        "data-zone" not in Browser(cora.client.application).page("/p/cora").one("html").attributes
    )


def test_a_record_and_a_list_of_matches_can_be_kept_to_oneself(pair: Pair, anyone: Person) -> None:
    cora, dan = pair.browsers
    match = pair.start("path-capture")
    page = page_of(match)
    assert dan.send(f"{page}?ask=resign", f"{page}/actions").status_code == 303
    assert anyone.get("/players/cora").json["record"]
    assert dan.page("/p/cora").all("li", class_="match-card")
    assert choose(cora, "shows_record", "shows_matches").status_code == 303
    assert anyone.get("/players/cora").json["record"] == []
    shown = dan.page("/p/cora")
    assert not shown.all("li", class_="match-card")
    assert "keeps their record private" in shown.text
    assert choose(cora, shows_record="1", shows_matches="1").status_code == 303
    assert anyone.get("/players/cora").json["record"]


def test_a_player_is_found_by_the_display_name_too(cora: Browser, somebody: Browser) -> None:
    def found(prefix: str) -> list[str]:
        cards = somebody.page(f"/players?prefix={prefix}").all("div", class_="profile-card")
        return [link.attributes["href"] for card in cards for link in card.one("h2").all("a")]

    assert choose(cora, display_name="mára Zoë").status_code == 303
    for prefix in ("ma", "M%C3%81R", "m%C3%A1ra z", "M%C3%A1ra Zo%C3%AB", "co", "Cora"):
        assert found(prefix) == ["/p/cora"], prefix
    # The last of these looks like its beginning, and is another.
    for prefix in ("zoe", "--", "m%C3%A1ra x", "rn%C3%A1ra"):
        assert found(prefix) == [], prefix


def test_the_api_tells_a_display_name_beside_the_name(
    cora: Browser, anyone: Person, house: Services
) -> None:
    assert anyone.get("/players/cora").json["display_name"] is None
    assert choose(cora, display_name=SHOWN).status_code == 303
    token = house.accounts.issue_token("cora", PASSWORD, "x").token
    told = Person(anyone.client, "cora", token).get("/me").json
    assert (told["name"], told["display_name"]) == ("cora", SHOWN)
    assert anyone.get("/players?prefix=co").json["players"][0]["display_name"] == SHOWN


def test_no_language_is_offered_where_there_is_one(cora: Browser) -> None:
    assert not cora.page("/account/profile").all("select", id="f-language")


@pytest.mark.usefixtures("made_up")
def test_pages_are_in_the_language_that_was_chosen(cora: Browser) -> None:
    assert choose(cora, language=LANGUAGE).status_code == 303
    shown = cora.page("/account/profile")
    assert shown.one("html").attributes["lang"] == LANGUAGE
    assert translated("Time zone") in shown.text
    assert choose(cora, language="tlh").status_code == 400
    assert choose(cora, language="en").status_code == 303
    told = read(cora.get("/account/profile", Accept_Language=LANGUAGE).text)
    assert told.one("html").attributes["lang"] == "en"
