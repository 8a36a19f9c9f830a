"""Series on pages: begun by the form, walked through from match to match, left, and won."""

from __future__ import annotations

import pytest
from flask import Flask

from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import Element


def begun(cora: Browser, dan: Browser, **typed: str) -> str:
    """Begin a best of 3; return its first match's address, without what stands behind it."""
    return cora.start(dan, **{"series": "best-of-3", **typed}).partition("#")[0]


def end(who: Browser, match: str, how: str = "resign") -> None:
    answer = who.send(f"{match}?ask={how}", f"{match}/actions")
    assert answer.status_code == 303, answer.text


def standing(who: Browser, address: str) -> Element:
    return who.page(address).one("p", class_="series")


def leads(line: Element) -> dict[str, str]:
    return {
        one.text: one.attributes["href"].partition("#")[0]
        for one in line.all("a")
        if "rel" in one.attributes
    }


def series_of(house: Services, match: str) -> JsonObject:
    found = house.queries.show(Asker(local=True), identity(match)).view.series
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ({"series": "best-of-3"}, (3, "early", "shared")),
        ({"series": "best-of-5", "tie": "1"}, (5, "early", "two-more")),
        ({"series": "four"}, (4, "played-out", "shared")),
    ],
)
def test_the_form_begins_a_series(
    cora: Browser, house: Services, typed: dict[str, str], terms: tuple[object, ...]
) -> None:
    found = series_of(house, cora.new_match(**typed))
    assert tuple(found[name] for name in ("length", "decided", "tie")) == terms


def test_the_usual_form_begins_one_match_and_another_word_none(
    cora: Browser, house: Services
) -> None:
    match = cora.new_match()
    assert house.queries.show(Asker(), identity(match)).view.series is None
    answer = cora.send("/new?game=path-capture", "/new", series="best-of-1000000000")
    assert answer.status_code == 400
    assert "Choose one of these." in answer.text


def test_who_may_join_reads_what_the_form_promised(cora: Browser, dan: Browser) -> None:
    told = cora.send("/new?game=path-capture", "/new", series="best-of-3", do="tell").text
    assert "best of 3" in told
    match = cora.new_match(series="best-of-3")
    assert "best of 3" in dan.page(match).one("dl", class_="terms").text
    assert "best of 3" in dan.page("/matches?status=open").one("ol", class_="matches").text


def test_a_match_leads_on_to_the_next_and_back(cora: Browser, dan: Browser) -> None:
    first = begun(cora, dan)
    line = standing(dan, first)
    assert "Match 1 of a series, best of 3." in " ".join(line.text.split())
    assert leads(line) == {}
    end(cora, first)
    for step in (first, f"{first}?at=1"):
        line = standing(dan, step)
        assert [*leads(line)] == ["Next in the series"]
    assert [one.text for one in line.all("strong")] == ["0", "1"]
    assert "rematch" not in cora.page(first).text
    second = leads(line)["Next in the series"]
    line = standing(cora, second)
    assert "Match 2 of a series" in " ".join(line.text.split())
    assert leads(line) == {"Previous in the series": f"{first}?at=1"}


def step(shown: Element, name: str) -> str | None:
    """Return where a control of the replay leads."""
    [found] = [one for one in shown.everything() if one.attributes.get("data-do") == name]
    return found.attributes.get("href")


def test_a_replay_goes_on_to_the_next_match_and_back(cora: Browser, dan: Browser) -> None:
    first = begun(cora, dan)
    assert step(dan.page(first), "next") is None
    end(cora, first)
    second = leads(standing(cora, first))["Next in the series"]
    for address in (first, f"{first}/embed"):
        ended = cora.page(address)
        following = step(ended, "next")
        assert following == f"{address.replace(first, second)}?at=1#board"
        begins = cora.page(following)
        assert step(begins, "previous") == f"{address}#board"
        assert step(begins, "first") is None
        assert step(begins, "next") is None
    begins = cora.page(f"{first}?at=1")
    assert step(begins, "next") != f"{second}?at=1#board"
    assert step(begins, "previous") is None


def test_without_a_script_it_plays_on_into_the_next_match(cora: Browser, dan: Browser) -> None:
    first = begun(cora, dan)
    end(cora, first)
    [refresh] = cora.page(f"{first}?play=2").all("meta", **{"http-equiv": "refresh"})
    second = leads(standing(cora, first))["Next in the series"]
    assert refresh.attributes["content"] == f"1;url={second}?at=1&play=2"
    assert not cora.page(f"{second}?at=1&play=2").all("meta", **{"http-equiv": "refresh"})


def test_it_goes_on_through_the_eyes_of_the_same_player(cora: Browser, dan: Browser) -> None:
    first = begun(cora, dan)
    end(cora, first)
    second = leads(standing(cora, first))["Next in the series"]
    # What a seat sees of a match that runs nobody can ask for.
    assert step(dan.page(f"{first}?as=seat-1"), "next") == f"{second}?at=1#board"
    end(cora, second)
    assert step(dan.page(f"{first}?as=seat-1"), "next") == f"{second}?at=1&as=seat-2#board"
    shown = dan.page(f"{second}?at=1&as=spectator")
    assert step(shown, "previous") == f"{first}?as=spectator#board"


def test_the_page_of_a_series_has_score_boards_and_what_is_next(
    cora: Browser, dan: Browser, app: Flask
) -> None:
    first = begun(cora, dan)
    end(cora, first)
    address = f"/series/{identity(first)}"
    for who in (cora, Browser(app)):
        shown = who.page(address)
        assert [one.text for one in shown.one("dl", class_="figures-list").all("dd")] == ["0", "1"]
        assert len(shown.one("ol", class_="matches").all("li", class_="match-card")) == 2
        assert "Match 2 is being played" in " ".join(shown.text.split())
    second = leads(standing(cora, first))["Next in the series"]
    end(cora, second, "leave_series")
    shown = cora.page(address)
    assert "dan has won the series." in " ".join(shown.text.split())
    assert "Play again, seats swapped" in cora.page(second).text
    assert cora.get(f"/api/v1/series/{identity(first)}/export").status_code == 200


def test_one_alone_is_offered_to_abort_in_the_first_match_only(cora: Browser, dan: Browser) -> None:
    first = begun(cora, dan)
    offered = cora.page(first).one("p", class_="offers").text
    assert "Abort" in offered
    assert "Leave the series" in offered
    end(cora, first)
    second = leads(standing(cora, first))["Next in the series"]
    shown = cora.page(second)
    offered = shown.one("p", class_="offers").text
    assert "Abort" not in offered
    assert "Propose to abort" in shown.text


def test_a_private_series_is_nobody_elses(cora: Browser, dan: Browser, app: Flask) -> None:
    first = begun(cora, dan, **{"with": "player", "opponent": "dan", "visibility": "private"})
    address = f"/series/{identity(first)}"
    assert Browser(app).get(address).status_code == 404
    assert dan.get(address).status_code == 200
    assert Browser(app).get("/series/none").status_code == 404


def lines(who: Browser, address: str) -> list[str]:
    found = who.page(address).one("main").all("ul", class_="open-matches")
    return [" ".join(one.text.split()) for part in found for one in part.all("li")]


def test_a_list_of_series_has_the_public_ones_and_ones_own(
    cora: Browser, dan: Browser, app: Flask
) -> None:
    visitor = Browser(app)
    assert "No series has been played here yet" in visitor.page("/series").text
    assert "You have no series yet" in cora.page("/series?mine=true").text
    private = begun(cora, dan, **{"with": "player", "opponent": "dan", "visibility": "private"})
    public = begun(cora, dan)
    end(cora, public)
    [line] = lines(visitor, "/series")
    assert line.startswith("Path Capture")
    assert "cora 0 · dan 1" in line
    assert "Best of 3 · active" in line
    assert lines(visitor, "/series?player=dan&status=active&game=path-capture") == [line]
    assert "No series found" in visitor.page("/series?status=finished").text
    own = lines(dan, "/series?mine=true")
    assert len(own) == 2
    assert "private" in own[1]
    assert f"/series/{identity(private)}" in {
        one.attributes["href"] for one in dan.page("/series?mine=true").all("a")
    }
    assert lines(dan, "/series") == [line]
    assert visitor.get("/series?mine=true").status_code == 303
    assert visitor.get("/series?status=lost").status_code == 400
    assert visitor.get("/series?game=chess").status_code == 404
    assert "/series?mine=true" in {
        one.attributes["href"] for one in dan.page("/matches?mine=true").all("a")
    }


def test_a_list_of_series_comes_in_pages(
    cora: Browser, dan: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.lobby.series.PER_PAGE", 1)
    begun(cora, dan)
    begun(dan, cora)
    [newest] = lines(cora, "/series?mine=true")
    older = cora.page("/series?mine=true").one("a", rel="next").attributes["href"]
    [oldest] = lines(cora, older)
    assert newest != oldest
    assert 'rel="next"' not in cora.page(older).text


@pytest.mark.parametrize("against", [{}, {"level": "1"}])
def test_a_visitor_practises_a_series(app: Flask, house: Services, against: dict[str, str]) -> None:
    somebody, address = Browser(app), "/practice?game=path-capture"
    values = {**somebody.form(address, "/practice"), "series": ["best-of-3"]}
    values |= {name: [value] for name, value in against.items()}
    begun_at = somebody.post("/practice", values).headers["Location"].partition("#")[0]
    assert series_of(house, begun_at)["length"] == 3
    assert "Match 1 of a series" in " ".join(standing(somebody, begun_at).text.split())
