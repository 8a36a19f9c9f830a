"""The script that shows notices, run by Chromium: it shows what is pushed, and does nothing else.

A Chromium without windows shows no notifications, whatever it is allowed. So what the script asks
its registration to show is noted instead; the push comes by the debugging protocol.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Worker, expect

from services.notices.push.messages import write_plain_body
from services.runtime.languages import ENGLISH, load_catalogue
from services.store.notices.deliveries import DeliveryRow
from tests.support.push import PushedTo
from tests.web.pages.chromium import Site, wait_until
from tests.web.pages.seats import Seated

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MATCH = "m" * 16

REGISTER = """async (at) => {
    await navigator.serviceWorker.register(at);
    await navigator.serviceWorker.ready;
}"""

NOTE = """() => {
    self.shown = [], self.opened = [];
    self.registration.showNotification = async (title, about) => { shown.push([title, about]); };
    self.clients.openWindow = async (url) => { opened.push(`${url}`); };
}"""

ALLOWED = """
    const asked = [], note = (what) => {
        asked.push(what);
        sessionStorage.asked = JSON.stringify(asked);
    };
    Object.defineProperty(Notification, "permission", { value: "default" });
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.getSubscription = async () => ({ unsubscribe: () => note("ended") });
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        note(applicationServerKey);
        if (asked.length === 1) throw new DOMException("", "InvalidStateError");
        return { toJSON: () => ({ endpoint: "%s", expirationTime: null, keys: %s }) };
    };
"""
"""A browser that may show notices, and was registered with another key before."""

CLICK = """(data) => {
    const event = new ExtendableEvent("notificationclick");
    event.notification = { data, close() { self.closed = true; } };
    self.dispatchEvent(event);
    return self.closed;
}"""


def push(who: Seated, body: bytes) -> None:
    """Let Chromium believe that its push service has brought something."""
    cdp, found = who.context.new_cdp_session(who.page), list[str]()
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    cdp.send("ServiceWorker.enable")
    while not found:
        who.page.wait_for_timeout(20)
    told = {"origin": f"{who.site.url}/", "registrationId": found[0], "data": body.decode()}
    cdp.send("ServiceWorker.deliverPushMessage", told)


def working(who: Seated) -> Worker:
    """Register the script, as the page's button does once the browser was allowed to."""
    at = who.page.locator("[data-push]").get_attribute("data-worker")
    with who.context.expect_event("serviceworker") as begun:
        who.page.evaluate(REGISTER, at)
    worker: Worker = begun.value
    worker.evaluate(NOTE)
    return worker


def test_what_is_pushed_is_shown_and_nothing_else_is_done(browser: Chromium, site: Site) -> None:
    who = Seated(browser, site, "pushed")
    who.visit("/account/browsers")
    worker, asked = working(who), list[str]()
    who.context.on("request", lambda one: asked.append(one.url))
    row = DeliveryRow(1, "w_0", "match.turn", MATCH, 7, "move-made", "2026-11-27T22:00:00Z")
    push(who, write_plain_body(row, load_catalogue(ENGLISH)))
    while not (shown := worker.evaluate("shown")):
        who.page.wait_for_timeout(20)
    told = {"body": "It is your turn.", "data": MATCH, "tag": MATCH, "renotify": True}
    assert shown == [["Plybook", told]]
    assert worker.evaluate("opened") == []
    assert worker.evaluate(CLICK, MATCH) is True
    assert worker.evaluate("opened") == [f"{site.url}/m/{MATCH}"]
    # It takes no requests of pages either: those go to the service as ever.
    who.visit("/players")
    wait_until(who.page, "navigator.serviceWorker.controller !== null")
    assert not [one for one in asked if "push" in one]
    assert worker.evaluate("[self.onfetch, self.onmessage, self.oninstall]") == [None] * 3
    who.context.close()


def test_where_browsers_do_not_allow_it_the_page_says_why(browser: Chromium, site: Site) -> None:
    who = Seated(browser, site, "denied")
    why = who.page.locator("[data-why]").filter(visible=True)
    for script, word in (
        # So it is wherever nothing can be shown.
        ("0", "denied"),
        ("delete window.PushManager", "unable"),
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "insecure"),
    ):
        who.page.add_init_script(script)
        who.visit("/account/browsers")
        expect(why).to_have_attribute("data-why", word)
        expect(who.page.locator("[data-push] button")).to_be_disabled()
    who.context.close()


def test_the_button_asks_the_browser_and_sends_what_it_gives(browser: Chromium, site: Site) -> None:
    given, who = PushedTo("https://push.example/1").registration, Seated(browser, site, "asked")
    keys = f"{{ p256dh: '{given.p256dh}', auth: '{given.auth}' }}"
    who.page.add_init_script(ALLOWED % (given.endpoint, keys))
    who.visit("/account/browsers")
    who.press("Turn on in this browser")
    expect(who.page.locator("#done")).to_have_text("This browser shows you notices from now on.")
    [registered] = site.house.browsers.list_by_player(who.id)
    assert (registered.host, registered.off_reason) == ("push.example", None)
    # With the key of this service, once what was made with another one has ended.
    asked = who.page.evaluate("JSON.parse(sessionStorage.asked)")
    assert asked == [
        site.house.browsers.key.load_public(),
        "ended",
        site.house.browsers.key.load_public(),
    ]
    who.context.close()
