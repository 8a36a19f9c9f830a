"""A service with something on each of its pages, and the addresses of all of them."""

from __future__ import annotations

import fcntl
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from werkzeug.routing import Rule

from domain.game.game import AnyGame
from domain.games import load_games
from domain.match.clock import format_instant, format_later
from domain.match.notices import TURN, TYPES
from domain.match.state import ACTIVE
from services.accounts.accounts import hash_secret
from services.container import Services
from services.matches.queries import Asker
from services.notices.webhooks import NewWebhook
from services.runtime.settings import Settings
from services.store import accounts
from services.store.notices import channels, deliveries, mail_links
from services.store.notices.channels import EMAIL, PUSH, ChannelRow
from services.store.notices.deliveries import FAILED, SENT, DeliveryRow
from services.store.notices.mail_links import CONFIRM, LinkRow
from services.store.notices.mail_links import PASSWORD as NEW_PASSWORD
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.conftest import Players
from tests.web.people import PASSWORD
from web.app import create_app

NO_PAGES = frozenset(
    {
        "frames",
        "events",
        "stream",
        "caller",
        "names",
        "card",
        "turns",
        # Of a demo alone.
        "demo_mails",
        "hint",
        "analysis_progress",
        "feed",
        "calendar",
    }
)
"""Endpoints that answer GET with data, or lead on to a page."""


class Furnished(NamedTuple):
    """Addresses that anybody looks at, and those of one player, whose browser is ``cora``.

    ``showcase`` is a match for the first page to show.
    """

    visitors: list[str]
    players: list[str]
    cora: Browser
    showcase: str


class FurnishedFile(NamedTuple):
    """A database with something on each page: a file to copy, and what ``Furnished`` says of it.

    ``session``: that of ``cora``.
    """

    path: str
    visitors: list[str]
    players: list[str]
    session: str
    showcase: str

    def of(self, app: Flask) -> Furnished:
        """Return what there is of an application over a copy."""
        cora = Browser(app)
        cora.client.set_cookie("plybook", self.session)
        return Furnished(self.visitors, self.players, cora, self.showcase)


def furnished_file(empty: Path, folder: Path) -> FurnishedFile:
    """Furnish a copy of an empty database, or give what another process has, in its folder."""
    told = folder / "furnished.json"
    with (folder / "furnished.turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not told.exists():
            path = str(shutil.copy(empty, folder / "furnished.sqlite"))
            house = Services(Settings(database_url=path, rate_limit=0))
            made = furnish(create_app(house), house, list(load_games()))
            house.close()
            cookie = made.cora.client.get_cookie("plybook")
            assert cookie is not None
            found = FurnishedFile(path, made.visitors, made.players, cookie.value, made.showcase)
            told.write_text(json.dumps(found))
    return FurnishedFile(*json.loads(told.read_text()))


def furnish(app: Flask, house: Services, games: list[AnyGame]) -> Furnished:
    """Play, write and leave open what it takes for no page to be empty."""
    players = Players(house)
    running = [_played(players, game) for game in games]
    finished = [_played(players, game) for game in games]
    for match in finished:
        # Chance may have ended one of the card game before.
        if house.queries.show(Asker(local=True), match).view.status == ACTIVE:
            players.resign(match, 2)
    walked = players.start("path-capture", *({"steps": n} for n in (3, 2, 2, 3)))
    analyse(house, walked, 300)
    analyse(house, finished[-1], 50)
    house.analyses.ask(Asker(local=True), finished[0])
    cora, dan = Browser(app).register("cora"), Browser(app).register("W" * 24)
    own = _of_players(cora, dan)
    house.accounts.set_admin("cora", admin=True)
    series = own.series
    house.puzzle_finder.search_match(walked)
    easy, *_, hard = house.puzzles.list_by_match(walked)[::-1]
    cora.send(f"/puzzles/{hard}", f"/puzzles/{hard}/solution")
    practice = Browser(app)
    practised = practice.send("/practice?game=path-capture", "/practice").headers["Location"]
    visitors = [
        *("/", "/matches", "/matches?player=nobody", "/practice", "/practice?game=power-lines"),
        *(f"/games/{game.slug}" for game in games),
        *(f"/games/{game.slug}/ratings" for game in games[:2]),
        *(f"/m/{match}" for match in (*running, *finished, walked, identity(practised))),
        *(f"/m/{match}/embed?at=4" for match in (finished[0], finished[-1])),
        *(f"/m/{match}/line?at=5" for match in (walked, running[0])),
        *(
            "/p/cora",
            "/puzzles",
            "/puzzles?difficulty=5",
            f"/puzzles/{easy}",
            f"/puzzles/{easy}?try=%2B3",
            f"/puzzles/{hard}",
            f"/puzzles/{hard}?try=%2B3",
            "/players",
            "/players?prefix=zz",
            "/log-in",
            "/forgot?done=1",
            "/sign-up",
            "/recover",
            "/account/closed",
            own.link,
            f"/series/{series}",
            *("/series", "/series?player=nobody"),
        ),
        *("/m/none", "/games/none", "/nothing"),
    ]
    pages = [
        "/",
        "/account",
        "/account/profile",
        "/account/people",
        "/moderation",
        "/new",
        "/new?game=power-lines",
        *own.pages,
    ]
    pages += [
        "/account/notices",
        "/account/subscriptions",
        "/account/webhooks",
        webhook(house, "cora", walked),
    ]
    pages += email(house, "cora", walked)
    pages.append(push(house, "cora", walked))
    pages += ["/puzzles", f"/puzzles/{hard}", f"/puzzles/{hard}/solution?step=1"]
    return Furnished(visitors, pages, cora, walked)


def webhook(house: Services, name: str, match: str) -> str:
    """Let a player have a webhook that was sent something, and failed; return its page."""
    player, at = house.accounts.get_by_name(name).id, format_instant(house.now())
    made, _ = house.webhooks.make(player, NewWebhook(f"https://bot.example/{'w' * 100}"))
    house.webhooks.make(player, NewWebhook("https://bot.example/off"))
    for number, reason in enumerate((None, "refused", "no-answer")):
        status = {None: 200, "refused": 500}.get(reason)
        row = DeliveryRow(number, made.webhook.id, TURN, match, 9, "move-made", at)
        if reason is None:
            row = row._replace(state=SENT, due_at=None)
        else:
            row = row._replace(due_at=at, attempts=1)
        with house.database.write() as connection:
            deliveries.save(connection, row._replace(status=status, reason=reason, tried_at=at))
    return f"/account/webhooks/{made.webhook.id}"


def email(house: Services, name: str, match: str) -> list[str]:
    """Let a player have an address that was sent something, and another to confirm.

    Returns the page about it, and those that links in mails lead to.
    """
    player, at = house.accounts.get_by_name(name).id, format_instant(house.now())
    for number, confirmed_at in enumerate((at, None)):
        row = ChannelRow(f"e_{number}", player, EMAIL, " ".join(TYPES), at, held_until=at)
        row = row._replace(address=f"{'w' * 60}{number}@mail.example", confirmed_at=confirmed_at)
        told = DeliveryRow(number, row.id, TURN, match, 9, "move-made", at, FAILED)
        told = told._replace(reason="seen")
        with house.database.write() as connection:
            channels.insert(connection, row)
            deliveries.save(connection, told)
    with house.database.write() as connection:
        password = accounts.hold_password(connection, player) or ""
        for purpose in (CONFIRM, NEW_PASSWORD):
            ends, asked = format_later(house.now(), days=1), hash_secret(password)
            whose = (player, "e_1", None)
            link = LinkRow(hash_secret(purpose), purpose, at, ends, *whose, 0, None, asked)
            mail_links.insert(connection, link)
    key = house.emails.letters.key_of("e_0")
    return [
        "/account/email",
        f"/mail/{CONFIRM}",
        f"/password/{NEW_PASSWORD}",
        f"/unsubscribe/{key}",
    ]


def push(house: Services, name: str, match: str) -> str:
    """Let a player be told in two browsers, one of which is gone; return the page."""
    player, at = house.accounts.get_by_name(name).id, format_instant(house.now())
    for number, reason in enumerate((None, "gone")):
        row = ChannelRow(f"p_{number}", player, PUSH, " ".join(TYPES), at, held_until=at)
        row = row._replace(address=f"https://{'w' * 60}.push.example/{number}", secret="a b c")
        if reason:
            row = row._replace(off_at=at, off_reason=reason)
        told = DeliveryRow(number, row.id, TURN, match, 9, "move-made", at)
        told = told._replace(state=FAILED if reason else SENT, reason=reason, attempts=1)
        with house.database.write() as connection:
            channels.insert(connection, row)
            deliveries.save(connection, told._replace(tried_at=at))
    return "/account/browsers"


def analyse(house: Services, match: str, budget: int) -> None:
    """Analyse a finished match, each position by looking at so many."""
    house.analyses.budget = lambda _: budget
    house.analyses.ask(Asker(local=True), match)
    while house.analyses.go_on(match):
        pass


WRITTEN = (
    "W" * 30 + " \u05e9\u05dc\u05d5\u05dd \U0001f469\u200d\U0001f680 <b>evil</b> " + "\u6f22" * 30
)
"""What people write: wide, without spaces, from right to left, an emoji, markup."""


class _Own(NamedTuple):
    """Pages of one player's matches, the link of an invitation, and a series that goes on."""

    pages: list[str]
    link: str
    series: str


def _of_players(cora: Browser, dan: Browser) -> _Own:
    """Let two players have a match of each kind with one another."""
    started = [cora.start(dan, game).partition("#")[0] for game in ("path-capture", "power-lines")]
    challenge = dan.new_match(**{"with": "player"}, opponent="cora").partition("#")[0]
    waiting = cora.new_match("grid-power").partition("#")[0]
    over = cora.start(dan).partition("#")[0]
    assert dan.send(f"{over}?ask=resign", f"{over}/actions").status_code == 303
    for form in ({"room": "players", "text": WRITTEN}, {"step": "0", "new": "1", "text": WRITTEN}):
        _send(cora, f"{started[0]}/{'chat' if 'room' in form else 'notes'}", **form)
    _send(dan, f"{started[0]}/chat/reports", room="players", number="1", reason=WRITTEN)
    _send(cora, "/account/tokens", label=WRITTEN[:36], scope="match:read", password=PASSWORD)
    made = f"{waiting}/invitations"
    shown = cora.post(made, cora.form(made, made)).text
    link = shown.partition('id="made" value="')[2].partition('"')[0]
    pages = [*started, challenge, waiting, over, made, "/matches?mine=true", "/matches?turn=me"]
    pages += ["/matches?mine=true&player=nobody", "/series?mine=true"]
    first = cora.start(dan, series="best-of-3").partition("#")[0]
    assert dan.send(f"{first}?ask=resign", f"{first}/actions").status_code == 303
    pages += [first, f"{first}?at=1"]
    return _Own(
        [*pages, f"{started[0]}?ask=resign"],
        link.removeprefix("http://localhost"),
        identity(first),
    )


def _send(browser: Browser, action: str, **typed: str) -> None:
    """Send a form with its token."""
    token = browser.form("/", "/log-out")["csrf"]
    answer = browser.post(action, {"csrf": token, **{name: [one] for name, one in typed.items()}})
    assert answer.status_code in (200, 303), answer.text


def _played(players: Players, game: AnyGame) -> str:
    chance = random.Random(3)
    match = players.start(game.slug)
    most = 30 if game.secrets else 4
    players.play_on(match, most, lambda moves: chance.randrange(len(moves)))
    return match


def page_endpoints(app: Flask) -> Iterator[str]:
    """Name every endpoint of ours that answers GET with a page."""
    for rule in app.url_map.iter_rules():
        if _is_page(rule):
            yield rule.endpoint


def _is_page(rule: Rule) -> bool:
    blueprint, _, name = rule.endpoint.partition(".")
    return blueprint == "pages" and "GET" in (rule.methods or ()) and name not in NO_PAGES


def endpoint_of(app: Flask, address: str) -> str | None:
    """Name the endpoint that answers an address; None: none does."""
    adapter = app.url_map.bind("localhost")
    path = address.partition("?")[0]
    if not adapter.test(path, "GET"):
        return None
    return str(adapter.match(path, "GET")[0])
