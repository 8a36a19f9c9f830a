"""Events as pages and as lines: on both databases."""

import orjson
import pytest

from domain.json_types import JsonObject
from domain.log.event_format import GENESIS, hash_bytes, restore_body
from tests.web.people import Person, play_out, problem


@pytest.fixture
def ended(ada: Person, bob: Person) -> JsonObject:
    return play_out(ada.start(bob), ada, bob)


def test_events_make_a_chain_that_anybody_can_check(ended: JsonObject, anyone: Person) -> None:
    events = anyone.get(f"/matches/{ended['id']}/events?limit=100").json["events"]
    previous = GENESIS
    for number, event in enumerate(events, 1):
        assert (event["version"], event["previous"]) == (number, previous)
        assert hash_bytes(restore_body(event)) == event["hash"]
        previous = event["hash"]
    assert events[-1]["kind"] == "match-ended"
    assert set(events[0]) == {
        "match", "version", "kind", "schema", "actor", "at", "data", "sealed", "previous", "hash",
    }  # fmt: skip


def test_pages_lead_through_all_events_once(ended: JsonObject, anyone: Person) -> None:
    path = f"/matches/{ended['id']}/events"
    seen: list[int] = []
    after: str | None = "0"
    while after is not None:
        page = anyone.get(f"{path}?after={after}&limit=3").json
        assert len(page["events"]) <= 3
        seen += [event["version"] for event in page["events"]]
        assert anyone.get(f"{path}?cursor={after}&limit=3").json == page
        after = page["next_cursor"]
    assert seen == list(range(1, ended["version"] + 1))


def test_a_page_links_to_the_next_one(ended: JsonObject, anyone: Person) -> None:
    first = anyone.get(f"/matches/{ended['id']}/events?limit=2")
    link = first.headers["Link"]
    assert link.endswith('; rel="next"')
    following = anyone.get(link[1 : link.index(">")]).json
    assert following["events"][0]["version"] == 3
    last = anyone.get(f"/matches/{ended['id']}/events?after={ended['version'] - 1}")
    assert last.json["next_cursor"] is None
    assert "Link" not in last.headers


def test_a_page_asked_for_by_a_cursor_links_to_the_next_one(
    ended: JsonObject, anyone: Person
) -> None:
    page = anyone.get(f"/matches/{ended['id']}/events?cursor=1&limit=2")
    link = page.headers["Link"]
    following = anyone.get(link[1 : link.index(">")])
    assert following.status_code == 200, following.json
    assert following.json["events"][0]["version"] == 4


def test_a_page_has_twenty_five_events_unless_asked(ada: Person, bob: Person) -> None:
    match = ada.start(bob, "marathon", options={"length": 60})
    play_out(match, ada, bob)
    path = f"/matches/{match['id']}/events"
    assert len(ada.get(path).json["events"]) == 25
    lines = ada.get(path, {"Accept": "application/x-ndjson"})
    assert lines.text.count("\n") == ada.look(match)["version"]


def test_lines_are_the_same_events(ended: JsonObject, anyone: Person) -> None:
    path = f"/matches/{ended['id']}/events"
    answer = anyone.get(f"{path}?after=2", {"Accept": "application/x-ndjson"})
    assert answer.content_type == "application/x-ndjson"
    lines = [orjson.loads(line) for line in answer.data.splitlines()]
    assert lines == anyone.get(f"{path}?after=2&limit=100").json["events"]
    short = anyone.get(f"{path}?limit=1", {"Accept": "application/x-ndjson"})
    assert short.data.count(b"\n") == 1


def test_the_better_liked_form_is_given(ended: JsonObject, anyone: Person) -> None:
    path = f"/matches/{ended['id']}/events"
    accept = "application/x-ndjson;q=0.1, application/json"
    assert anyone.get(path, {"Accept": accept}).content_type == "application/json"
    problem(anyone.get(path, {"Accept": "text/csv"}), 406, "not-acceptable")


def test_a_page_that_cannot_be_is_malformed(ended: JsonObject, anyone: Person) -> None:
    for query in ("after=-1", "after=x", "limit=0", "limit=101", "after=1&cursor=1", "from=1"):
        answer = anyone.get(f"/matches/{ended['id']}/events?{query}")
        assert answer.status_code == 400, query
        problem(answer, 400, "malformed-request")


def test_behind_the_last_event_there_is_nothing(ended: JsonObject, anyone: Person) -> None:
    page = anyone.get(f"/matches/{ended['id']}/events?after={ended['version']}").json
    assert page == {"events": [], "next_cursor": None}


def test_what_lies_beyond_the_last_event_is_of_another_history(
    ended: JsonObject, anyone: Person
) -> None:
    for beyond in (ended["version"] + 1, 999999999, 10**17):
        answer = anyone.get(f"/matches/{ended['id']}/events?after={beyond}")
        assert problem(answer, 409, "unknown-version")["version"] == ended["version"]


def test_no_name_stands_in_an_event(ended: JsonObject, anyone: Person) -> None:
    text = anyone.get(f"/matches/{ended['id']}/events?limit=100").text
    assert '"ada"' not in text
    assert '"bob"' not in text
    shown = anyone.get(f"/matches/{ended['id']}").text
    assert '"ada"' in shown
    assert "p_" not in shown
