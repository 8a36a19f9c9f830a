"""Who looks, at what: pages by name, each with whose browser opens it and what is done there."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response

from services.store.people.passkeys import PasskeyRow
from tests.web.pages.browsing import Browser
from tests.web.pages.chromium import Site
from web.pages.common.answers import answer_page

VISITOR, PLAYER = "visitor", "cora"
"""Whoever is not logged in; the player of most pages. Others go by their names."""

OPEN_ALL = "document.querySelectorAll('main details').forEach((one) => { one.open = true })"
"""A script that unfolds whatever a page has folded away."""

UNFOLD = """let one = document.querySelector("%s").closest("details");
do { one.open = true } while (one = one.parentElement.closest("details"))"""
"""A script that unfolds one thing alone; a page that does not have it is a fault."""


Sent = tuple[str, dict[str, str | None]]
"""The address of a form, and what is filled in."""


class Shot(NamedTuple):
    """A page to look at.

    ``sent``: the address of a form on it, and what is filled in; None leaves out what the form has.
    ``script``: what is run on it then; ``awaited``: what opens then, over what is
    on the screen; a picture of the whole page would scroll, which may close it.
    ``fails``: it shows the page for what went wrong, which no other one may.
    """

    name: str
    url: str
    who: str = VISITOR
    sent: Sent | None = None
    script: str = ""
    awaited: str = ""
    fails: bool = False


class Cast:
    """The people of a service, and the cookies of their browsers."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies: dict[str, list[dict[str, str]]] = {}

    def enter(
        self, name: str, *, signs_up: bool = True, agent: str = "", called: str = ""
    ) -> Browser:
        """Let somebody in; the last browser in which they were is that in which pages are opened.

        ``called``: whose browser shots say it is, if not that of who has this name.
        """
        browser = Browser(self.site.app)
        browser.client.environ_base["HTTP_USER_AGENT"] = agent
        if signs_up:
            browser.sign_up(name)
        else:
            browser.log_in(name)
        cookie = browser.client.get_cookie("plybook")
        assert cookie is not None, name
        self.cookies[called or name] = [
            {"name": "plybook", "value": cookie.value, "url": self.site.url.replace(LOCAL, host)}
            for host in (LOCAL, NAMED)
        ]
        return browser

    def named(self, address: str) -> str:
        """Return an address at a host with a name, where browsers allow passkeys."""
        return self.site.url.replace(LOCAL, NAMED) + address


LOCAL, NAMED = "127.0.0.1", "localhost"


def passkey(player: str, label: str, at: str, *, used: bool) -> PasskeyRow:
    """Return a passkey that nobody can log in by: pages show it like any other."""
    return PasskeyRow(f"{player}-{label}", player, b"", 0, label, at, at if used else None)


def staged_pages() -> Blueprint:
    """Return addresses of what a page says once: after a link that is good once."""
    blueprint = Blueprint("staged", __name__)

    @blueprint.get("/staged/confirmed")
    def show() -> Response:
        return answer_page(
            "accounts/mail_link.html", own=True, about="confirm", good=True, done=True
        )

    return blueprint
