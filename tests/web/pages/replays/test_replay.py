"""A replay's page and its data: what a script swaps is what a page without one shows."""

from __future__ import annotations

import random

import brotli  # type: ignore[import-untyped]
import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.json_types import JsonObject
from services.container import Services
from services.matches.actions import Action
from services.matches.requests import ChangeRequest
from services.replays.keyboard import iter_site_keys
from tests.web import showcase
from tests.web.pages.browsing import Pair
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read

WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]
BUDGET = 40_000


def page(visitor: FlaskClient, address: str) -> Element:
    answer = visitor.get(address)
    assert answer.status_code == 200, answer.text
    return read(answer.text)


def frames(visitor: FlaskClient, match: str, query: str = "") -> list[JsonObject]:
    """Ask for frames, and put their pieces together."""
    answer = visitor.get(f"/m/{match}/frames{query}")
    assert (answer.status_code, answer.mimetype) == (200, "application/json"), answer.text
    pieces = answer.get_json()["pieces"]
    return [
        {
            name: "".join(pieces[one] for one in value) if isinstance(value, list) else value
            for name, value in frame.items()
        }
        for frame in answer.get_json()["frames"]
    ]


def test_what_a_script_swaps_is_what_a_page_without_one_shows(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    found = frames(visitor, match)
    assert len(found) == 6
    for frame in found:
        shown = visitor.get(f"/m/{match}?at={frame['version']}").text
        for part in ("told", "shown", "meters", "event"):
            assert frame[part].strip() in shown, (frame["version"], part)


def test_frames_come_in_spans_and_a_span_ends_somewhere(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    versions = [one["version"] for one in frames(visitor, match)]
    middle = frames(visitor, match, f"?from={versions[1]}&to={versions[2]}")
    assert [one["version"] for one in middle] == versions[1:3]
    whole = frames(visitor, match)
    assert middle == whole[1:3]
    for query in ("?from=x", "?to=-1"):
        assert visitor.get(f"/m/{match}/frames{query}").status_code == 400
    assert visitor.get("/m/none/frames").status_code == 404


def test_the_graph_of_a_replay_is_worked_out_once(
    players: Players, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = players.start("path-capture", *WALK)
    first = page(visitor, f"/m/{match}")
    worked_out: list[object] = []
    monkeypatch.setattr("web.pages.replays.timeline.tell_frame", worked_out.append)
    again = page(visitor, f"/m/{match}")
    assert first.one("div", class_="timeline").text == again.one("div", class_="timeline").text
    assert worked_out == []


def test_no_more_frames_are_sent_at_once_than_there_may_be(
    players: Players, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.replays.frames.MOST_FRAMES", 2)
    assert len(frames(visitor, players.start("path-capture", *WALK))) == 2


def test_data_of_a_private_match_is_for_its_players(pair: Pair, visitor: FlaskClient) -> None:
    match = pair.start("path-capture", visibility="private", opponent="dan")
    for part in ("frames", "events", "embed"):
        assert visitor.get(f"{match}/{part}").status_code == 404
    for part in ("frames", "events"):
        answer = pair.acting.get(f"{match}/{part}")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "private, no-store"
    shown = pair.acting.page(match)
    assert not shown.all("ul", class_="downloads")
    assert not shown.all("meta", property="og:image")


def test_frames_and_events_hold_nothing_that_their_reader_may_not_see(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("power-lines")
    chance = random.Random(2)
    players.play_on(match, 20, lambda moves: chance.randrange(len(moves)))
    for frame in frames(visitor, match):
        held = frame["shown"] + frame["others"]
        assert "sealed" not in held
        assert "opened:" not in frame["event"]
        hands = [one for one in held.split("<figure") if "holding shape-hand" in one]
        assert hands
        assert not [one for one in hands if "kind-card" in one]
    events = visitor.get(f"/m/{match}/events").get_json()["events"]
    assert not [seal for event in events for seal in event["sealed"] if "value" in seal]


def test_the_page_of_a_step_tells_how_long_it_took(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    told = [frame["told"] for frame in frames(visitor, match)]
    assert "after less than 1 s" not in told[0]
    assert "after less than 1 s" in told[1]


def test_around_the_board_stands_once_that_nobody_has_moved(
    players: Players, visitor: FlaskClient
) -> None:
    for query in ("", "/embed"):
        shown = page(visitor, f"/m/{players.start('power-line')}{query}")
        around = shown.one("div", class_="view").text
        assert around.count("Before the first move") == 1, query
        assert "The start position." in around
        assert "hidden" in shown.one("form", class_="scrubber").attributes
    moved = page(visitor, f"/m/{players.start('path-capture', *WALK)}")
    assert "hidden" not in moved.one("form", class_="scrubber").attributes


def test_the_graph_shows_the_games_own_measure_and_the_moments_worth_a_look(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    shown = page(visitor, f"/m/{match}")
    graph = shown.one("div", class_="graph")
    assert len(graph.all("path", class_="course")) == 2
    ticks = {one.attributes["class"].split()[1]: one for one in graph.all("a")}
    assert set(ticks) == {"tick-captured", "tick-end"}
    there = page(visitor, ticks["tick-captured"].attributes["href"])
    assert "captures ada" in there.one("div", class_="told").text
    words = "way gone: ada from 0 to 5; bob from 0 to 5."
    assert words in shown.one("div", class_="timeline").text
    legend = shown.one("p", class_="legend")
    assert legend.text == "Way gone, 0 to 5: ada bob capture end"
    assert [one.attributes["class"] for one in legend.all("i")] == ["tick-captured", "tick-end"]


def test_a_replay_without_a_script_goes_on_by_itself(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    first = frames(visitor, match)[0]["version"]
    at, steps = f"/m/{match}?at={first}&play=2", 0
    while refresh := page(visitor, at).all("meta", http_equiv="refresh"):
        seconds, _, at = refresh[0].attributes["content"].partition(";url=")
        assert int(seconds) == 1
        steps += 1
    assert steps == 5
    assert visitor.get(f"/m/{match}?play=9").status_code == 400


def test_a_flipped_board_stays_flipped_from_step_to_step(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    plain = page(visitor, f"/m/{match}?at=5")
    flipped = page(visitor, plain.one("a", data_do="flip").attributes["href"])
    rows = [[one.text for one in p.all("th", scope="row")] for p in (plain, flipped)]
    assert rows[0] == rows[1]
    axes = [[one.text for one in p.all("text", class_="axis")] for p in (plain, flipped)]
    assert axes[0] == axes[1][::-1] == [str(node) for node in range(11)]
    first = [one.all("g", class_="space")[0].one("title").text for one in (plain, flipped)]
    assert first == ["node 0", "node 10"]
    assert "flip=1" in flipped.one("a", data_do="next").attributes["href"]
    back = flipped.one("a", data_do="flip").attributes["href"]
    assert "flip" not in back
    assert visitor.get(f"/m/{match}?flip=2").status_code == 400


def test_moves_that_were_taken_back_are_shown_as_such(
    players: Players, visitor: FlaskClient, house: Services
) -> None:
    match = players.start("path-capture")
    start = frames(visitor, match)[0]["version"]
    players.play(match, {"steps": 3})
    for seat, action in (
        (1, Action("offer_takeback", to_version=start)),
        (2, Action("accept_takeback")),
    ):
        house.matches.act(ChangeRequest(players.ids[seat - 1], any_version=True), match, action)
    players.play(match, {"steps": 1})
    shown = page(visitor, f"/m/{match}")
    gone = shown.all("a", class_="gone")
    assert [one.one("s").text for one in gone] == ["+3"]
    assert "taken back" in gone[0].text
    assert [one.text for one in shown.all("a", class_="entry") if one.text == "+1"] == ["+1"]


def test_the_page_has_the_keys_of_the_table(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, f"/m/{players.start('path-capture', *WALK)}")
    help_shown = shown.one("dialog", id="keys").text
    for key in iter_site_keys():
        assert key.meaning in help_shown
        assert all(label in help_shown for label in key.list_labels())


def test_a_step_is_shown_as_it_is_recorded(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    events = visitor.get(f"/m/{match}/events").get_json()["events"]
    shown = page(visitor, f"/m/{match}?at=5").one("div", id="event")
    event = events[4]
    assert event["version"] == 5
    for told in (event["hash"], event["previous"], event["kind"], event["actor"]):
        assert told in shown.text
    assert '"ply": 1' in shown.one("pre").text


def test_other_pages_may_frame_the_embed_page_and_no_other(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    framed = visitor.get(f"/m/{match}/embed")
    assert framed.status_code == 200
    assert framed.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "X-Frame-Options" not in framed.headers
    shown = read(framed.text)
    assert not shown.all("form", method="post")
    assert f"/m/{match}/embed?" in shown.one("a", data_do="previous").attributes["href"]
    for address in (f"/m/{match}", "/", f"/m/{match}/frames"):
        answer = visitor.get(address)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_public_match_brings_a_preview_whose_picture_is_there(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    shown = page(visitor, f"/m/{match}")
    facts = {
        one.attributes["property"]: one.attributes["content"]
        for one in shown.all("meta")
        if "property" in one.attributes
    }
    assert facts["og:title"] == "Path Capture: ada against bob"
    assert facts["og:description"].startswith("bob won: a piece has landed on the other one.")
    picture = visitor.get(facts["og:image"])
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    unlisted = players.start("path-capture", *WALK, visibility="unlisted")
    assert not page(visitor, f"/m/{unlisted}").all("meta", property="og:image")


def test_every_download_is_there(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, f"/m/{players.start('path-capture', *WALK)}")
    links = shown.one("ul", class_="downloads").all("a")
    assert len(links) == 6
    for link in links:
        assert visitor.get(link.attributes["href"]).status_code == 200


def test_a_look_is_remembered_and_leads_back(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture")
    shown = page(visitor, f"/m/{match}?at=3")
    back = shown.one("form", class_="looks").one("input", name="next").attributes["value"]
    answer = visitor.post("/look", data={"look": "dark", "next": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/m/{match}?at=3")
    assert page(visitor, "/").one("html").attributes["data-look"] == "dark"
    visitor.post("/look", data={"look": "auto"})
    assert "data-look" not in page(visitor, "/").one("html").attributes


@pytest.mark.parametrize("away", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_a_look_never_leads_to_another_site(visitor: FlaskClient, away: str) -> None:
    answer = visitor.post("/look", data={"look": "dark", "next": away})
    assert answer.headers["Location"] == "/"
    assert visitor.post("/look", data={"look": "pink"}).status_code == 400


def test_the_style_page_shows_every_board_and_says_every_name_once(app: Flask) -> None:
    showcase.install(app)
    shown = page(app.test_client(), "/style")
    ids = [one.attributes["id"] for one in shown.everything() if "id" in one.attributes]
    assert len(set(ids)) == len(ids)
    shapes = {
        name
        for one in shown.all("svg", class_="picture")
        for name in one.attributes["class"].split()
        if name.startswith("shape-")
    }
    assert shapes == {
        f"shape-{one}" for one in ("line", "grid", "field", "hand", "pile", "choices")
    }


def test_people_read_moves_and_addresses_count_events(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    told = {}
    for version in range(4, 10):
        shown = page(visitor, f"/m/{match}?at={version}")
        slider = shown.one("input", type="range").attributes
        told[version] = shown.one("output", class_="counter").text
        assert (slider["value"], slider["aria-valuetext"]) == (str(version), told[version])
        assert shown.one("a", id="now").attributes["data-version"] == str(version)
    assert list(told.values()) == [
        "Before the first move",
        *(f"Move {number} of 4" for number in (1, 2, 3, 4)),
        "After move 4 of 4",
    ]
    shown = page(visitor, f"/m/{match}?at=9")
    record = shown.one("dl", class_="record").text
    assert "MoveAfter move 4 of 4 Event9" in record
    assert "4 moves in 9 events" in shown.one("div", class_="proof").text
    frames = visitor.get(f"/m/{match}/frames").json
    assert frames is not None
    counts = ["".join(frames["pieces"][one] for one in each["count"]) for each in frames["frames"]]
    assert counts[1].strip() == 'Move 1 of <b class="total">4</b>'


def test_the_list_of_moves_numbers_moves_and_leaves_out_what_is_none(
    players: Players, visitor: FlaskClient
) -> None:
    # ada stands at its far end from the seventh move on, and is passed over.
    steps = (3, 1, 3, 1, 3, 1, 1, 1, 1)
    match = players.start("path-capture", *({"steps": step} for step in steps))
    listed = page(visitor, f"/m/{match}").one("div", class_="moves-list")
    assert [one.text for one in listed.all("span", class_="number")] == [
        "1",
        "3",
        "5",
        "7",
        "9",
        "",
    ]
    titles = [one.attributes["title"] for one in listed.all("a", class_="entry")]
    assert titles[7].startswith("Move 7: ada goes 1 node")
    [passed] = {title for title in titles if "passed over" in title and "8" in title}
    assert passed == "After move 8: ada has no legal move and is passed over."


def test_the_list_of_moves_says_last_how_the_match_ended(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("power-line")
    players.resign(match, 1)
    shown = page(visitor, f"/m/{match}")
    assert "ada resigned" in shown.one("p", class_="standing").text
    last = shown.one("div", class_="moves-list").all("a")[-1]
    assert last.text == "bob won: ada resigned."


def test_scripts_and_style_sheets_are_small(visitor: FlaskClient) -> None:
    shown = read(visitor.get("/").text)
    links = [one.attributes["href"] for one in shown.all("link", rel="stylesheet")]
    scripts = [one.attributes["src"] for one in shown.all("script")]
    assert len(links) == len(scripts) == 1
    files = [visitor.get(one, headers={"Accept-Encoding": "br"}) for one in links + scripts]
    assert all(len(brotli.decompress(one.data)) > BUDGET for one in files)
    worker = brotli.compress(visitor.get("/push-worker.js").data)
    size = sum(len(one.data) for one in files) + len(worker)
    assert size < BUDGET, size


def test_the_inspector_shows_what_set_the_match_up(players: Players, visitor: FlaskClient) -> None:
    match = players.start("energy-capture")
    inspector = read(visitor.get(f"/m/{match}?at=1").text).one("div", id="event")
    assert len(inspector.all("pre", class_="raw")) == len(inspector.all("dl")) == 5
    assert "5 events set the match up" in inspector.text
    assert "Sealed for server" in inspector.text
    assert "match-created" in inspector.text
    assert "chance-drawn" in inspector.text
    assert '"salt"' not in inspector.text
