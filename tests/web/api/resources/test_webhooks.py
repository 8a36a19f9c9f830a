"""Webhooks over HTTP: made, changed, tried, turned by, and whose they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from standardwebhooks.webhooks import Webhook

from domain.json_types import JsonObject
from domain.match.notices import TYPES
from services.container import Services
from services.notices.webhooks import MOST
from tests.support.receiver import Receiver, deliver
from tests.web.people import Person, problem

URL = "https://bot.example/plybook"


@pytest.fixture
def manager(ada: Person) -> Person:
    """Give ada with a token that manages webhooks."""
    return ada.with_scopes("match:read", "match:play", "webhook:manage")


def made(person: Person, url: str = URL, **more: object) -> JsonObject:
    answer = person.post("/webhooks", {"url": url, **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return dict(answer.json)


def sent(person: Person, webhook: JsonObject) -> list[JsonObject]:
    return list(person.get(f"/webhooks/{webhook['id']}/deliveries").json["deliveries"])


def test_a_webhook_shows_its_secret_once(manager: Person) -> None:
    webhook = made(manager)
    assert webhook["secret"].startswith("whsec_")
    shown = {name: value for name, value in webhook.items() if name != "secret"}
    assert manager.get("/webhooks").json == {"webhooks": [shown]}
    assert shown["types"] == [*TYPES]
    assert (shown["active"], shown["off_reason"], shown["failing_since"]) == (True, None, None)
    for path in ("/webhooks", f"/webhooks/{webhook['id']}/deliveries", "/me", "/tokens"):
        assert webhook["secret"] not in manager.get(path).text


def test_only_a_token_for_webhooks_manages_them(ada: Person, manager: Person) -> None:
    webhook = made(manager)["id"]
    for method, path in (
        ("GET", "/webhooks"),
        ("POST", "/webhooks"),
        ("PATCH", f"/webhooks/{webhook}"),
        ("DELETE", f"/webhooks/{webhook}"),
        ("POST", f"/webhooks/{webhook}/test"),
        ("POST", f"/webhooks/{webhook}/rotate"),
        ("GET", f"/webhooks/{webhook}/deliveries"),
        ("POST", f"/webhooks/{webhook}/deliveries/1/redeliver"),
    ):
        refused = problem(ada.ask(method, path, json={}), 403, "missing-scope")
        assert "webhook:manage" in refused["detail"]
        problem(Person(ada.client).ask(method, path, json={}), 401, "unauthenticated")


def test_nobody_reaches_the_webhooks_of_others(manager: Person, bob: Person) -> None:
    webhook = made(manager)
    other = bob.with_scopes("webhook:manage")
    path = f"/webhooks/{webhook['id']}"
    assert other.get("/webhooks").json == {"webhooks": []}
    problem(other.ask("PATCH", path, json={"url": "https://eve.example/"}), 404, "not-found")
    problem(other.ask("PATCH", path, json={"nonsense": 1}), 404, "not-found")
    problem(other.ask("DELETE", path), 404, "not-found")
    for more in ("test", "rotate", "deliveries/1/redeliver"):
        problem(other.post(f"{path}/{more}"), 404, "not-found")
    problem(other.get(f"{path}/deliveries"), 404, "not-found")
    assert manager.get("/webhooks").json["webhooks"][0]["url"] == URL


def test_what_cannot_be_is_refused_and_changes_nothing(manager: Person, house: Services) -> None:
    for body in ({}, {"url": 1}, {"url": URL, "types": []}, {"url": URL, "types": ["test"]},
                 {"url": URL, "more": 1}):  # fmt: skip
        problem(manager.post("/webhooks", body), 400, "malformed-request")
    told = problem(manager.post("/webhooks", {"url": "bot.example"}), 422, "invalid-webhook")
    assert told["errors"][0]["pointer"] == "/url"
    assert manager.get("/webhooks").json == {"webhooks": []}
    webhook = made(manager)
    path = f"/webhooks/{webhook['id']}"
    problem(manager.ask("PATCH", path, json={"url": "nonsense"}), 422, "invalid-webhook")
    problem(manager.ask("PATCH", path, json={"active": "yes"}), 400, "malformed-request")
    for number in ("1", "x", "9" * 30):
        problem(manager.post(f"{path}/deliveries/{number}/redeliver"), 404, "not-found")
    problem(manager.get(f"{path}/deliveries?cursor=nonsense"), 400, "malformed-request")
    for _ in range(MOST - 1):
        made(manager)
    problem(manager.post("/webhooks", {"url": URL}), 409, "too-many-webhooks")
    strict = replace(house.webhooks, private=False)
    assert strict.private is False
    assert len(manager.get("/webhooks").json["webhooks"]) == MOST


def test_an_answer_with_a_secret_is_given_again_under_its_key(manager: Person) -> None:
    first, again = (manager.post("/webhooks", {"url": URL}, key="one") for _ in range(2))
    assert first.json == again.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(manager.get("/webhooks").json["webhooks"]) == 1
    path = f"/webhooks/{first.json['id']}"
    turned = [manager.post(f"{path}/rotate", key="two").json["secret"] for _ in range(2)]
    assert turned[0] == turned[1] != first.json["secret"]
    tests = [manager.post(f"{path}/test", key="three").json["number"] for _ in range(2)]
    assert tests[0] == tests[1]
    assert len(sent(manager, first.json)) == 1


def test_a_webhook_is_changed_turned_off_and_on_and_deleted(manager: Person) -> None:
    webhook = made(manager, types=["match.over", "match.turn"])
    assert webhook["types"] == ["match.turn", "match.over"]
    path = f"/webhooks/{webhook['id']}"
    changed = manager.ask("PATCH", path, json={"types": ["series.over"]}).json
    assert (changed["types"], changed["url"]) == (["series.over"], URL)
    manager.post(f"{path}/test")
    off = manager.ask("PATCH", path, json={"active": False}).json
    assert (off["active"], off["off_reason"]) == (False, "asked")
    assert [(one["state"], one["reason"]) for one in sent(manager, webhook)] == [("failed", "off")]
    problem(manager.post(f"{path}/test"), 409, "webhook-off")
    number = sent(manager, webhook)[0]["number"]
    problem(manager.post(f"{path}/deliveries/{number}/redeliver"), 409, "webhook-off")
    on = manager.ask("PATCH", path, json={"active": True}).json
    assert (on["active"], on["off_reason"]) == (True, None)
    assert manager.ask("DELETE", path).status_code == 204
    problem(manager.ask("DELETE", path), 404, "not-found")
    assert manager.get("/webhooks").json == {"webhooks": []}


def test_the_public_library_takes_what_is_sent(
    manager: Person, bob: Person, house: Services, receiver: Receiver
) -> None:
    webhook = made(manager, f"{receiver.url}/ok")
    match = manager.start(bob)
    manager.move(match)
    bob.move(match)
    deliver(house)
    # The first turn when bob joins, and the second when he has moved.
    assert len(receiver.received) == 2
    for got in receiver.received:
        read = Webhook(webhook["secret"]).verify(got.body, got.headers)
        assert set(read) == {"type", "timestamp", "data"}
        assert read["type"] == "match.turn"
        assert set(read["data"]) == {"match", "version", "kind"}
        assert read["data"]["match"] == match["id"]
        with pytest.raises(Exception, match="No matching signature"):
            Webhook(made(manager)["secret"]).verify(got.body, got.headers)
    kinds = [one["kind"] for one in sent(manager, webhook)]
    assert kinds == ["move-made", "match-started"]


def test_a_test_and_a_redelivery_are_sent_and_told_of(
    manager: Person, house: Services, receiver: Receiver
) -> None:
    webhook = made(manager, f"{receiver.url}/ok")
    path = f"/webhooks/{webhook['id']}"
    asked = manager.post(f"{path}/test")
    assert (asked.status_code, asked.json["state"]) == (202, "waiting")
    deliver(house)
    [done] = sent(manager, webhook)
    assert (done["type"], done["match"], done["state"], done["status"]) == (
        "test",
        None,
        "sent",
        200,
    )
    again = manager.post(f"{path}/deliveries/{done['number']}/redeliver")
    assert (again.status_code, again.json["id"]) == (202, done["id"])
    deliver(house)
    assert {got.headers["webhook-id"] for got in receiver.received} == {done["id"]}
    assert len(receiver.received) == 2


def test_a_webhook_has_a_name_and_another_address_by_a_change(manager: Person) -> None:
    webhook = made(manager, name="My bot")
    assert webhook["name"] == "My bot"
    path = f"/webhooks/{webhook['id']}"
    changed = manager.ask("PATCH", path, json={"name": "", "url": f"{URL}/2"}).json
    assert (changed["name"], changed["url"]) == ("", f"{URL}/2")
    for name in ("a\u202eb", "x" * 81):
        problem(manager.ask("PATCH", path, json={"name": name}), 400, "malformed-request")
    assert manager.get("/webhooks").json == {"webhooks": [changed]}


def test_deliveries_come_in_pages_newest_first(manager: Person, house: Services) -> None:
    webhook = made(manager, "http://127.0.0.1:9/")
    path = f"/webhooks/{webhook['id']}"
    asked = [manager.post(f"{path}/test").json["number"] for _ in range(5)]
    found: list[int] = []
    more: str | None = ""
    while more is not None:
        page = manager.get(f"{path}/deliveries?limit=2{more}").json
        found += [one["number"] for one in page["deliveries"]]
        more = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    assert found == asked[::-1]
    assert house.webhooks.private
