"""Messages are reported on a match's page; administrators read that, hide and suspend."""

from __future__ import annotations

import pytest

from services.container import Services
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.readers import Element, read
from tests.web.people import PASSWORD, Answer, problem

REASON = "An <b>insult</b>."


@pytest.fixture
def match(pair: Pair) -> str:
    """Give a match in which cora has said something to dan, who has reported it."""
    cora, dan = pair.browsers
    page = f"/m/{identity(pair.start('path-capture'))}"
    assert cora.send(page, f"{page}/chat", text="You fool!").status_code == 303
    assert dan.send(page, f"{page}/chat/reports", reason=REASON).status_code == 303
    return page


@pytest.fixture
def root(somebody: Browser, house: Services) -> Browser:
    somebody.sign_up("root")
    house.accounts.set_admin("root", admin=True)
    return somebody


def do(browser: Browser, what: str, **typed: str) -> Answer:
    form = next(
        one
        for one in browser.page("/moderation").all("form", action="/moderation")
        if what in [button.attributes["value"] for button in one.all("button")]
    )
    values = {
        one.attributes["name"]: [one.attributes.get("value", "")] for one in form.all("input")
    }
    values |= {"do": [what], **{name: [one] for name, one in typed.items()}}
    return browser.post("/moderation", values)


def said(browser: Browser, match: str) -> Element:
    return browser.page(match).one("li", data_message="1")


def test_a_report_is_noted_where_it_was_made_and_read_by_administrators(
    pair: Pair, match: str, root: Browser
) -> None:
    cora, dan = pair.browsers
    assert "You have reported this." in said(dan, match).text
    assert "eport" not in said(cora, match).text
    shown = root.page("/moderation")
    assert "Reported: cora" in shown.text
    assert REASON in shown.text
    assert "You fool!" in shown.one("blockquote").text
    assert not shown.all("b")
    assert "Moderation" in root.page("/account").text


def test_a_message_is_hidden_and_its_author_told_why(pair: Pair, match: str, root: Browser) -> None:
    cora, dan = pair.browsers
    assert do(root, "hide", reason="No insults here.").status_code == 303
    assert "You fool!" not in dan.get(match).text
    assert "has hidden this message" in said(dan, match).text
    told = said(cora, match).text
    assert "You fool!" in told
    assert "No insults here." in told
    assert not [one for one in root.page("/moderation").all("button") if "Hide" in one.text]


def test_a_reported_message_that_was_deleted_is_read_on_this_page_alone(
    pair: Pair, match: str, root: Browser
) -> None:
    cora, dan = pair.browsers
    cora.send(match, f"{match}/chat/deletions")
    for browser in (cora, dan):
        assert "You fool!" not in browser.get(match).text
    shown = root.page("/moderation")
    assert shown.one("blockquote").text == "You fool!"
    assert "It can be read only here." in shown.text
    assert not [one for one in shown.all("button") if "Hide" in one.text]


def test_who_is_suspended_is_told_why_at_the_log_in(
    pair: Pair, root: Browser, somebody: Browser
) -> None:
    cora, _ = pair.browsers
    del somebody
    assert do(root, "suspend", name="nobody", reason="x").status_code == 404
    assert do(root, "suspend", name="cora", reason=" ").status_code == 422
    assert cora.get("/account").status_code == 200
    assert do(root, "suspend", name="cora", reason="Threats.").status_code == 303
    assert cora.get("/account").status_code == 303
    answer = cora.log_in("cora")
    assert answer.status_code == 403
    assert "Threats." in read(answer.text).one("p", role="alert").text
    assert "Threats." not in cora.log_in("cora", "a wrong password").text
    asked = {"name": "cora", "password": PASSWORD, "label": "x"}
    refused = cora.client.post("/api/v1/tokens", json=asked)
    problem(refused, 403, "suspended")  # type: ignore[arg-type]
    csrf = root.form("/moderation", "/moderation")["csrf"]
    for unknown in ("", "forgive"):
        sent = {"csrf": csrf, "do": [unknown], "name": ["cora"], "reason": ["Enough."]}
        assert root.post("/moderation", sent).status_code == 400
    assert cora.log_in("cora").status_code == 403
    assert do(root, "lift", name="cora", reason="Enough.").status_code == 303
    assert cora.log_in("cora").status_code == 303


def test_nobody_is_offered_to_challenge_who_is_suspended(
    pair: Pair, root: Browser, somebody: Browser
) -> None:
    _, dan = pair.browsers
    assert do(root, "suspend", name="cora", reason="Threats.").status_code == 303
    for browser in (dan, somebody, root):
        for page in ("/p/cora", "/p/cora/card", "/players?prefix=cora"):
            assert "opponent=cora" not in browser.get(page).text
        assert "This player cannot be challenged." in browser.get("/p/cora").text or browser is root
    assert "suspended" not in dan.get("/p/cora").text
    assert "This account is suspended: Threats." in root.get("/p/cora").text
    assert do(root, "lift", name="cora", reason="Enough.").status_code == 303
    assert "opponent=cora" in dan.get("/p/cora").text


def test_the_page_is_for_administrators_alone(pair: Pair, somebody: Browser) -> None:
    cora, _ = pair.browsers
    assert cora.get("/moderation").status_code == 404
    csrf = cora.form("/account", "/account/password")["csrf"]
    sent = {"csrf": csrf, "do": ["suspend"], "name": ["dan"], "reason": ["x"]}
    assert cora.post("/moderation", sent).status_code == 404
    assert somebody.get("/moderation").status_code == 303


def test_a_report_without_a_reason_is_told_at_the_chat(pair: Pair) -> None:
    cora, dan = pair.browsers
    page = f"/m/{identity(pair.start('path-capture'))}"
    cora.send(page, f"{page}/chat", text="Hello!")
    answer = dan.send(page, f"{page}/chat/reports", reason=" ")
    assert answer.status_code == 422
    assert "nothing to read" in read(answer.text).one("p", id="chat-error").text
