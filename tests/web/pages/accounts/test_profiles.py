"""A player's page: their record, their public matches, and how to challenge them."""

from __future__ import annotations

from flask.testing import FlaskClient

from services.container import Services
from tests.web.pages.browsing import Browser
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read


def test_it_shows_the_record_by_game_and_the_matches(
    players: Players, visitor: FlaskClient
) -> None:
    won, running = players.start(), players.start("grid-power")
    players.resign(won, 2)
    shown = read(visitor.get("/p/ADA").text)
    assert shown.one("h1").text == "ada"
    (row,) = shown.one("tbody").all("tr")
    assert [one.text for one in row.all("td")] == ["1", "1", "0", "0"]
    assert row.one("th").text == "Path Capture"
    links = [one.all("a")[0].attributes["href"] for one in shown.all("li", class_="match-card")]
    assert links == [f"/m/{running}", f"/m/{won}"]
    assert [one.text for one in read(visitor.get("/p/bob").text).one("tbody").all("td")] == [
        "1",
        "0",
        "1",
        "0",
    ]


def test_what_is_not_public_is_not_on_it(players: Players, visitor: FlaskClient) -> None:
    hidden = [
        players.start(visibility="unlisted"),
        players.start(visibility="private", opponent="bob"),
    ]
    page = visitor.get("/p/ada").text
    assert not [one for one in hidden if one in page]
    assert "No public match has ended yet." in page


def test_a_challenge_goes_on_from_there(cora: Browser, dan: Browser, house: Services) -> None:
    assert house.accounts.find("dan")
    link = cora.page("/p/dan").one("main").all("a", class_="button")[0]
    assert link.text == "Challenge dan"
    games = cora.page(link.attributes["href"]).one("ul", class_="games").all("a")
    form = cora.page(games[0].attributes["href"])
    assert form.one("input", name="opponent").attributes["value"] == "dan"
    assert "checked" in form.one("input", name="with", value="player").attributes
    own = dan.page("/p/dan").one("main").all("a", class_="button")[0]
    assert own.attributes["href"] == "/account"


def test_who_is_not_here_has_no_page(visitor: FlaskClient, house: Services) -> None:
    house.accounts.sign_up("cleo", "a long enough password")
    house.closing.close("cleo")
    for name in ("nobody", "cleo", "closed%20account", "left%20hand", "x" * 500, "a%00b"):
        answer = visitor.get(f"/p/{name}")
        assert (answer.status_code, answer.mimetype) == (404, "text/html"), name


def links(shown: Element) -> set[str]:
    return {one.attributes["href"] for one in shown.all("a")}


def test_every_name_leads_to_its_player(
    players: Players, visitor: FlaskClient, cora: Browser, dan: Browser
) -> None:
    ended, running = players.start(), players.start("grid-power")
    players.resign(ended, 2)
    seek = players.create()
    both = {"/p/ada", "/p/bob"}
    for address in ("/", "/matches", f"/m/{ended}", f"/m/{running}", f"/m/{running}/line?at=4"):
        assert both <= links(read(visitor.get(address).text).one("main")), address
    assert "/p/ada" in links(read(visitor.get(f"/m/{seek}").text).one("main"))
    assert "/p/cora" in links(dan.page(cora.new_match(opponent="dan")).one("main"))
    assert "/p/cora" in links(dan.page("/").one("main"))


def test_a_name_on_a_card_is_a_link_of_its_own(players: Players, visitor: FlaskClient) -> None:
    match = players.start()
    (card,) = read(visitor.get("/matches").text).all("li", class_="match-card")
    assert [one.attributes["href"] for one in card.all("a")] == [f"/m/{match}", "/p/ada", "/p/bob"]


def test_who_has_left_or_never_was_here_is_no_link(
    cora: Browser, dan: Browser, somebody: Browser, house: Services
) -> None:
    match = cora.start(dan)
    house.closing.close("dan")
    found = links(somebody.page(match).one("main"))
    assert "/p/cora" in found
    assert not [one for one in found if one.startswith("/p/closed") or one == "/p/dan"]
    practice = somebody.send("/practice?game=path-capture", "/practice").headers["Location"]
    assert not [one for one in links(somebody.page(practice).one("main")) if "/p/" in one]


def test_a_card_says_since_when_how_it_went_and_leads_to_a_challenge(
    players: Players, visitor: FlaskClient
) -> None:
    players.resign(players.start(), 2)
    players.resign(players.start("grid-power"), 1)
    for address in ("/p/ada", "/players?prefix=AD"):
        (card,) = read(visitor.get(address).text).all("div", class_="profile-card")
        assert card.all("a", href="/p/ada") or card.one("h1").text == "ada"
        assert "Here since" in card.text
        assert "2 matches: 1 won, 1 lost, 0 drawn" in card.text
        assert card.one("a", href="/new?opponent=ada").text == "Challenge ada"


def test_a_card_beside_a_name_is_small_and_has_nothing_but_what_everybody_knows(
    players: Players, visitor: FlaskClient, cora: Browser
) -> None:
    players.resign(players.start(), 2)
    players.resign(players.start(visibility="unlisted"), 2)
    answer = visitor.get("/p/ada/card")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
    assert (
        visitor.get("/p/ada/card", headers={"If-None-Match": answer.headers["ETag"]}).status_code
        == 304
    )
    # Who reads is somebody else behind a log-in: no card of before may be shown then.
    assert cora.get("/p/ada/card").headers["Cache-Control"] == "private, no-store"
    assert len(answer.data) < 1000
    card = read(answer.text).one("div", class_="profile-card")
    assert "1 match: 1 won, 0 lost, 0 drawn" in card.text
    assert links(card) == {"/p/ada", "/new?opponent=ada"}
    assert not card.all("h1")
    assert links(cora.page("/p/cora/card")) == {"/p/cora", "/account"}
    assert "House level 2" in cora.page("/p/house:2/card").text
    assert visitor.get("/p/nobody/card").status_code == 404


def test_players_are_searched_by_how_their_names_begin(
    visitor: FlaskClient, house: Services
) -> None:
    for number in range(30):
        house.accounts.get_local_player(f"some-{number:02}")

    def found(address: str) -> tuple[list[str], Element]:
        shown = read(visitor.get(address).text)
        return [one.one("h2").text for one in shown.all("div", class_="profile-card")], shown

    names, shown = found("/players?prefix=SOME")
    assert names == [f"some-{number:02}" for number in range(24)]
    assert shown.one("input", name="prefix").attributes["value"] == "SOME"
    names, shown = found(shown.one("a", rel="next").attributes["href"])
    assert names == [f"some-{number:02}" for number in range(24, 30)]
    for nobody in ("some-99", "%C3%A4", "%25", "a%00b", "x" * 500):
        names, shown = found(f"/players?prefix={nobody}")
        assert names == []
        assert "No players found" in shown.text
    assert visitor.get("/players?cursor=x").status_code == 400


def test_what_is_not_public_is_on_no_card(cora: Browser, dan: Browser, somebody: Browser) -> None:
    for visibility in ("private", "unlisted"):
        match = cora.start(dan, opponent="dan", visibility=visibility)
        assert dan.send(f"{match}?ask=resign", f"{match}/actions").status_code == 303
    for browser in (somebody, cora, dan):
        for name in ("cora", "dan"):
            (card,) = browser.page(f"/players?prefix={name}").all("div", class_="profile-card")
            assert "No public match has ended yet" in card.text


def test_names_are_completed_by_small_answers(visitor: FlaskClient, house: Services) -> None:
    for number in range(12):
        house.accounts.get_local_player(f"some-{number:02}")
    answer = visitor.get("/players/names?prefix=Some-")
    assert answer.get_json() == [f"some-{number:02}" for number in range(8)]
    assert len(answer.data) < 120
    assert visitor.get("/players/names?prefix=%C3%A4").get_json() == []
    assert visitor.get("/players/names?prefix=").get_json() == []
    house.closing.close("some-00")
    assert visitor.get("/players/names?prefix=some-0").get_json()[0] == "some-01"


def test_a_form_without_a_script_leads_to_the_search(cora: Browser) -> None:
    form = cora.page("/new?game=path-capture").one("form", action="/new")
    assert form.one("input", name="opponent").attributes["list"] == "names"
    assert form.one("datalist", id="names").children == []
    assert "/players" in links(form)
