"""People with browsers: they follow links, fill in forms and send them."""

from __future__ import annotations

from typing import NamedTuple, cast

from flask import Flask

from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from tests.web.pages.readers import Element, read
from tests.web.people import PASSWORD, Answer
from web.site import site_of


class Browser:
    """A browser of somebody's: it keeps cookies, and sends what forms say."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, address: str, **headers: str) -> Answer:
        """Ask for a page; ``headers`` have underscores for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cast("Answer", self.client.get(address, headers=named))

    def page(self, address: str) -> Element:
        """Read a page that must be there."""
        answer = self.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        return read(answer.text)

    def form(self, address: str, action: str) -> dict[str, list[str]]:
        """Return what the form to ``action`` on a page has in it."""
        return self.filled(self.page(address), action)

    @staticmethod
    def filled(shown: Element, action: str) -> dict[str, list[str]]:
        """Return what a form on a page that was read has in it."""
        form = shown.one("form", method="post", action=action)
        values: dict[str, list[str]] = {}
        for one in form.all("input"):
            kind, known = one.attributes.get("type", "text"), one.attributes
            if kind not in ("radio", "checkbox") or "checked" in known:
                values.setdefault(known["name"], []).append(known.get("value", ""))
        for one in form.all("select"):
            options = one.all("option")
            chosen = [
                o.attributes.get("value", o.text) for o in options if "selected" in o.attributes
            ]
            values[one.attributes["name"]] = chosen[:1]
        for one in form.all("textarea"):
            values[one.attributes["name"]] = [one.text]
        return values

    def post(
        self, action: str, values: dict[str, list[str]], headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a form's values."""
        return cast("Answer", self.client.post(action, data=values, headers=headers or {}))

    def send(self, address: str, action: str, **typed: str) -> Answer:
        """Fill in the form to ``action`` on a page, and send it.

        Of names with a dot in them, ``typed`` has two underscores in its place.
        """
        values = self.form(address, action)
        for name, value in typed.items():
            name = name.replace("__", ".")  # noqa: PLW2901 - the same name, as the form has it
            assert name in values or name in ("seat", "visibility", "with", "do", "tie"), (
                name,
                values,
            )
            values[name] = [value]
        return self.post(action, values)

    def press(self, address: str, do: str, /, **more: str) -> Answer:
        """Press a button of a page, by what it does; the page need not show it."""
        token = self.form("/", "/log-out")["csrf"]
        values = {"csrf": token, "do": [do], **{name: [one] for name, one in more.items()}}
        return self.post(address, values)

    def sign_up(self, name: str) -> Browser:
        """Sign somebody up by the form; the browser is logged in then."""
        answer = self.send("/sign-up", "/sign-up", name=name, password=PASSWORD, again=PASSWORD)
        assert answer.status_code == 303, answer.text
        return self

    def register(self, name: str) -> Browser:
        """Sign somebody up and log them in straight through the services, in a fresh browser."""
        sessions = site_of(self.client.application).house.sessions
        self.client.set_cookie("plybook", sessions.sign_up(name, PASSWORD, None))
        return self

    def log_in(self, name: str, password: str = PASSWORD) -> Answer:
        """Log in."""
        return self.send("/log-in", "/log-in", name=name, password=password)

    def log_out(self) -> Answer:
        """Log out."""
        return self.send("/", "/log-out")

    def new_match(self, game: str = "path-capture", **typed: str) -> str:
        """Start a match on seat 1, without a clock; return its address."""
        answer = self.send(f"/new?game={game}", "/new", **{"seat": "1", "pace": "none", **typed})
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def join(self, match: str, **typed: str) -> Answer:
        """Join a match."""
        return self.send(match, f"{match}/join", **typed)

    def start(self, other: Browser, game: str = "path-capture", **typed: str) -> str:
        """Start a match that the other one joins; return its address."""
        match = self.new_match(game, **typed)
        assert other.join(match).status_code == 303
        return match

    def choices(self, address: str) -> dict[str, str]:
        """Return the steps that a match's page offers: their words and where they lead."""
        shown = self.page(address)
        return {one.text: one.attributes["href"] for one in shown.all("a", class_="choice")}

    def choose(self, address: str, *words: str) -> str:
        """Go on by choices whose words begin so; return the last address."""
        for word in words:
            found = [url for text, url in self.choices(address).items() if text.startswith(word)]
            assert len(found) == 1, (word, self.choices(address))
            address = found[0]
        return address

    def play(self, match: str, *words: str) -> Answer:
        """Enter a move by its choices, and confirm it."""
        return self.send(self.choose(match, *words), f"{match}/moves")


class Pair(NamedTuple):
    """Two players with browsers, and their ids."""

    house: Services
    browsers: tuple[Browser, Browser]
    ids: tuple[str, str]

    def start(self, game: str, **typed: str) -> str:
        """Start a match, without a clock; return its address. ``typed``: into the forms."""
        if typed:
            return self.browsers[0].start(self.browsers[1], game, **typed)
        first, second = (ChangeRequest(player) for player in self.ids)
        match = self.house.matches.create(first, NewMatch(game, seat=1)).shown.view.id
        self.house.matches.join(second, match)
        return f"/m/{match}"

    def to_act(self, match: str) -> int | None:
        return self.house.queries.show(Asker(), identity(match)).view.to_act

    def legal(self, match: str) -> list[JsonObject]:
        look = Asker(self.ids[(self.to_act(match) or 1) - 1])
        return self.house.queries.list_legal_moves(look, identity(match)).moves

    def play(self, match: str, *moves: JsonObject) -> None:
        """Play moves straight through the services, each by the seat to act."""
        for move in moves:
            player = self.ids[(self.to_act(match) or 1) - 1]
            self.house.matches.play(ChangeRequest(player, any_version=True), identity(match), move)

    @property
    def acting(self) -> Browser:
        """The browser of seat 1."""
        return self.browsers[0]


def identity(address: str) -> str:
    """Return the id of the match that an address leads to."""
    return address.partition("#")[0].rpartition("/")[2]
