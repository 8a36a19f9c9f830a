"""The page of browsers that are told by web push."""

from __future__ import annotations

from services.container import Services
from tests.support.push import PushedTo
from tests.support.receiver import Receiver, deliver
from tests.web.pages.browsing import Browser

AT = "/account/browsers"


def register(browser: Browser, url: str) -> PushedTo:
    """Do what the page's script does: send what the browser has given."""
    asked = PushedTo(url)
    answer = browser.press(AT, "register", **asked.registration._asdict())
    assert answer.headers["Location"] == f"{AT}?done=register#done"
    return asked


def of_page(browser: Browser) -> str:
    """Return the id of the one browser on the page."""
    [part] = browser.page(AT).all("section", class_="part")[:1]
    return str(part.attributes["id"])


def test_a_browser_is_registered_tried_and_removed(
    somebody: Browser, cora: Browser, dan: Browser, house: Services, receiver: Receiver
) -> None:
    assert somebody.get(AT).headers["Location"] == f"/log-in?next={AT}"
    assert "No browser is set up yet." in cora.page(AT).text
    asked = register(cora, f"{receiver.url}/ok")
    shown = cora.get(AT).text
    assert "127.0.0.1" in shown
    assert f"{receiver.url}/ok" not in shown
    assert asked.registration.auth not in shown
    one = of_page(cora)
    assert dan.press(AT, "test", browser=one).status_code == 404
    assert dan.press(AT, "forget", browser=one).status_code == 404
    assert cora.press(AT, "test", browser=one).status_code == 303
    deliver(house)
    [got] = receiver.received
    assert asked.read(got.body)["text"] == "Notices reach this browser."
    assert "delivered" in cora.page(AT).text
    assert cora.press(AT, "forget", browser=one).status_code == 303
    assert "No browser is set up yet." in cora.page(AT).text


def test_what_is_told_is_chosen(cora: Browser) -> None:
    register(cora, "https://push.example/1")
    one = of_page(cora)
    assert cora.press(AT, "choose", browser=one, type="match.over").status_code == 303
    checked = [
        box.attributes["value"]
        for box in cora.page(AT).all("input", name="type")
        if "checked" in box.attributes
    ]
    assert checked == ["match.over"]
    refused = cora.press(AT, "choose", browser=one)
    assert refused.status_code == 400
    assert "Choose at least one type of notice." in refused.text


def test_what_is_no_address_or_no_button_changes_nothing(cora: Browser) -> None:
    given = PushedTo("file:///etc/passwd").registration
    refused = cora.press(AT, "register", **given._asdict())
    assert refused.status_code == 422
    assert cora.press(AT, "register").status_code == 400
    assert cora.press(AT, "dance").status_code == 400
    assert "No browser is set up yet." in cora.page(AT).text


def test_without_a_key_the_page_says_that_it_is_off(cora: Browser, house: Services) -> None:
    assert house.browsers.key.load_public() in cora.get(AT).text
    house.browsers.key.path.write_text("no key")
    shown = cora.get(AT).text
    assert "this service cannot use its key" in shown
    assert "data-push" not in shown
    assert str(house.browsers.key.path) not in shown
    given = PushedTo("https://push.example/1").registration
    assert cora.press(AT, "register", **given._asdict()).status_code == 503


def test_the_worker_script_stands_at_an_address_that_stays(somebody: Browser) -> None:
    answer = somebody.get("/push-worker.js")
    assert answer.content_type == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "fetch" not in answer.text
    policy = somebody.get("/").headers["Content-Security-Policy"]
    assert "worker-src 'self';" in policy


def test_on_an_iphone_the_page_can_be_put_on_the_home_screen(cora: Browser) -> None:
    link = cora.page(AT).one("link", rel="manifest").attributes["href"]
    answer = cora.get(link)
    assert answer.content_type == "application/manifest+json"
    told = answer.json
    assert (told["name"], told["start_url"], told["display"]) == ("Plybook", "/", "standalone")
    [icon] = told["icons"]
    assert cora.get(icon["src"]).content_type == icon["type"]
    assert "manifest-src 'self';" in cora.get(AT).headers["Content-Security-Policy"]
    assert not cora.page("/").all("link", rel="manifest")


def test_browsers_are_told_apart_by_what_they_call_themselves(cora: Browser) -> None:
    agents = ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",) * 2
    for number, agent in enumerate((*agents, "curl/8.0")):
        given = PushedTo(f"https://push.example/{number}").registration
        token = cora.form("/", "/log-out")["csrf"]
        asked = {name: [value] for name, value in given._asdict().items()}
        headers = {"User-Agent": agent}
        answer = cora.post(AT, {**asked, "csrf": token, "do": ["register"]}, headers)
        assert answer.status_code == 303
    for page in (AT, "/account/notices"):
        shown = cora.page(page).text
        for name in ("Firefox on Linux, 1", "Firefox on Linux, 2", "curl/8.0"):
            assert name in shown, page
