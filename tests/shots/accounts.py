"""Accounts in their phases: new, filled, with errors, after success; and who keeps order there."""

from __future__ import annotations

from collections.abc import Iterator

from domain.match.clock import format_instant
from services.store.people import passkeys
from services.store.people.profiles import ProfileRow
from services.store.talk import Room
from services.talk.chat import PLAYERS, Speaker
from tests.shots.cast import OPEN_ALL, PLAYER, Cast, Sent, Shot, passkey
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.furnishing import WRITTEN
from tests.web.pages.made_up import LANGUAGE
from tests.web.people import PASSWORD

NEW, FULL, MAKER, LEAVER = "nell", "zofia_novakova_of_brno24", "mark", "lena"
"""Has nothing yet; has all that there is; is shown what is shown once; will be deleted."""

READER = "eliza"
"""Reads everything in another language than English."""

KEEPER, ROGUE, BANNED = "rosa", "rogue", "ulf"
"""An administrator; whose messages are reported; who is suspended."""

PAGES = {
    "account": "/account",
    "profile": "/account/profile",
    "people": "/account/people",
    "notices": "/account/notices",
    "email": "/account/email",
    "browsers": "/account/browsers",
    "subscriptions": "/account/subscriptions",
    "webhooks": "/account/webhooks",
}

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
BOT = "curl/8.0-of-somebody-who-has-written-much-here"


def pages(cast: Cast) -> Iterator[Shot]:
    """Yield the pages of accounts, then those of moderation."""
    url = cast.site.url
    for name in (NEW, MAKER, LEAVER):
        cast.enter(name)
    for page, address in PAGES.items():
        yield Shot(f"account-new-{page}", url + address, NEW)
    for page, address in (("home", "/"), ("matches", "/matches?mine=true"), ("own", f"/p/{NEW}")):
        yield Shot(f"account-new-{page}", url + address, NEW)
    yield Shot("account-new-series", f"{url}/series?mine=true", NEW)
    full = _furnished(cast)
    yield from _full(cast)
    yield from _gone(cast, full)
    yield from _forms(url)
    yield from _in_another_language(cast, full)
    yield from _moderation(cast, full)


def _furnished(cast: Cast) -> Browser:
    """Let somebody have all that an account can have; return their browser."""
    house = cast.site.house
    cast.enter(FULL)
    player, at = house.accounts.get_by_name(FULL).id, format_instant(house.now())
    called = ProfileRow("Zofia Nováková-Świętochowska", "Europe/Prague")
    house.profile_settings.change(player, called)
    code, *_ = house.recovery.make(FULL, PASSWORD)
    house.recovery.recover(FULL, code, PASSWORD)
    for agent in (PHONE, BOT):
        cast.enter(FULL, signs_up=False, agent=agent)
    browser = cast.enter(FULL, signs_up=False, agent=FIREFOX)
    with house.database.write() as connection:
        passkeys.add(connection, passkey(player, "my phone", at, used=True))
        passkeys.add(connection, passkey(player, "W" * 36, at, used=False))
    for label, scopes in (("my bot at home", ["match:read", "match:play", "bot"]), ("W" * 36, [])):
        house.accounts.issue_token(FULL, PASSWORD, label, scopes or ["match:read"])
    for name in ("mara", "W" * 24, "jo"):
        house.relations.follow(player, name)
    for name in ("bo", NEW):
        house.relations.block(player, name)
    house.vacations.take(player, 3)
    return browser


def _full(cast: Cast) -> Iterator[Shot]:
    url = cast.site.url
    for page, address in PAGES.items():
        yield Shot(f"account-full-{page}", url + address, FULL)
    yield Shot("account-full-account-unfolded", cast.named("/account"), FULL, script=OPEN_ALL)
    yield Shot("account-full-home", f"{url}/", FULL)
    yield Shot("account-full-own", f"{url}/p/{FULL}", FULL)
    yield Shot("account-full-read-by-others", f"{url}/p/{FULL}", PLAYER)
    yield Shot("account-full-followed", f"{url}/p/mara", FULL)
    yield Shot("account-full-blocked", f"{url}/p/bo", FULL)
    for done in ("recovered", "new-password", "stays", "vacation"):
        yield Shot(f"account-done-{done}", f"{url}/account?done={done}", FULL)
    yield Shot("account-done-profile", f"{url}/account/profile?done=1", FULL)
    private = ProfileRow(shows_record=False, shows_matches=False)
    cast.site.house.profile_settings.change(cast.site.house.accounts.get_by_name(MAKER).id, private)
    yield Shot("account-private-profile", f"{url}/p/{MAKER}", PLAYER)
    cast.site.house.closing.ask(LEAVER, PASSWORD)
    yield Shot("account-leaving-profile", f"{url}/p/{LEAVER}")
    yield Shot("account-leaving-closed", f"{url}/account/closed")


def _gone(cast: Cast, full: Browser) -> Iterator[Shot]:
    """Let somebody play a match and close the account, and yield what remains of them."""
    url, gone = cast.site.url, cast.enter("gone")
    match = gone.start(full).partition("#")[0]
    full.send(f"{match}?ask=resign", f"{match}/actions")
    cast.site.house.closing.close("gone")
    yield Shot("account-gone-match", url + match)
    yield Shot("account-gone-in-lists", f"{url}/matches?mine=true", FULL)
    yield Shot("account-gone-profile-unknown", f"{url}/p/gone", fails=True)
    yield Shot("account-log-in-by-passkey", cast.named("/log-in"))


def _forms(url: str) -> Iterator[Shot]:
    """Yield what is shown once, and forms that come back with what is wrong in them."""
    own: dict[str, str | None] = {"password": PASSWORD}
    token = {**own, "label": "my bot at home"}
    yield Shot("account-made-codes", f"{url}/account", MAKER, ("/account/recovery-codes", own))
    yield Shot("account-made-token", f"{url}/account", MAKER, ("/account/tokens", token))
    wrong: dict[str, str | None] = {"password": "a wrong password"}
    new: dict[str, str | None] = {"password": "short", "again": "short"}
    challenge: dict[str, str | None] = {"with": "player", "opponent": FULL}
    forms: tuple[tuple[str, str, str, Sent], ...] = (
        ("token", "/account", NEW, ("/account/tokens", {**wrong, "label": "a bot"})),
        ("scopes", "/account", NEW, ("/account/tokens", {**token, "scope": None})),
        ("new-password", "/account", NEW, ("/account/password", {**new, "current": PASSWORD})),
        ("vacation", "/account", NEW, ("/account/vacation", {"days": "400"})),
        ("close-unsure", "/account", NEW, ("/account/close", {**own, "sure": None})),
        ("zone", "/account/profile", NEW, ("/account/profile", {"time_zone": "Mars/Tharsis"})),
        ("blocked", "/new?game=path-capture", NEW, ("/new", challenge)),
        ("suspended", "/log-in", "visitor", ("/log-in", {**own, "name": BANNED})),
    )
    for name, address, who, sent in forms:
        yield Shot(f"account-refused-{name}", url + address, who, sent)


def _in_another_language(cast: Cast, full: Browser) -> Iterator[Shot]:
    url, house, reader = cast.site.url, cast.site.house, cast.enter(READER)
    match = reader.start(full).partition("#")[0]
    player = house.accounts.get_by_name(READER).id
    house.profile_settings.change(player, ProfileRow(language=LANGUAGE))
    for name, address in (
        *(("choice", "/account/profile"), ("home", "/"), ("account", "/account")),
        *(("rules", "/games/power-lines"), ("new", "/new?game=path-capture"), ("match", match)),
    ):
        yield Shot(f"language-{name}", url + address, READER)


def _moderation(cast: Cast, full: Browser) -> Iterator[Shot]:
    """Let somebody say what is reported, hidden and deleted, and yield what others see of it."""
    url, house = cast.site.url, cast.site.house
    rogue, _, _ = cast.enter(ROGUE), cast.enter(BANNED), cast.enter(KEEPER)
    house.accounts.set_admin(KEEPER, admin=True)
    match = rogue.start(full).partition("#")[0]
    for text in ("You fool!", "Hello.", "I take that back.", WRITTEN):
        assert rogue.send(match, f"{match}/chat", text=text).status_code == 303
    full.send(match, f"{match}/chat", text="That is not the tone here.")
    ids = [house.accounts.get_by_name(name).id for name in (FULL, KEEPER, ROGUE)]
    room = Room(identity(match), PLAYERS)
    for number, reason in ((1, "An insult."), (4, WRITTEN)):
        house.moderation.report(ids[0], room, number, reason)
    house.chat.delete(Speaker(ids[2]), room.match, PLAYERS, 3)
    house.moderation.hide(ids[1], room, 1, "Nobody is called names here.")
    for _ in range(13):
        house.moderation.suspend(ids[1], BANNED, "A test.")
        house.moderation.lift(None, BANNED, "It was a test.")
    house.moderation.suspend(ids[1], BANNED, "Insults, again and again; see the reports.")
    log = f"{url}/moderation"
    yield Shot("moderation-log", log, KEEPER)
    yield Shot("moderation-log-unfolded", log, KEEPER, script=OPEN_ALL)
    yield Shot("moderation-log-older", f"{log}?before=6", KEEPER, script=OPEN_ALL)
    yield Shot("moderation-done", f"{log}?done=1", KEEPER)
    nobody: Sent = ("/moderation", {"do": "suspend", "name": "nobody", "reason": "x"})
    yield Shot("moderation-refused", log, KEEPER, nobody)
    for name, who in (("author", ROGUE), ("reader", FULL)):
        yield Shot(f"moderation-chat-of-the-{name}", url + match, who)
    yield Shot("moderation-suspended-profile", f"{url}/p/{BANNED}")
    yield Shot("moderation-suspended-profile-administrator", f"{url}/p/{BANNED}", KEEPER)
