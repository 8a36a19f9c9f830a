"""A feed and a calendar at secret addresses: read by parsers that others have written."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

import feedparser
import pytest
from icalendar import Calendar

from services.container import Services
from services.matches.queries import Asker
from services.runtime import logs
from services.runtime.settings import Settings
from services.store.people.profiles import ProfileRow
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.made_up import LANGUAGE, translated
from tests.web.pages.readers import read

AT = "/account/subscriptions"


def make(browser: Browser, kind: str) -> str:
    """Make an address; return its path."""
    token = browser.form("/", "/log-out")["csrf"]
    answer = browser.post(AT, {"csrf": token, "do": ["make"], "kind": [kind]})
    assert answer.status_code == 200, answer.text
    shown: str = read(answer.text).one("input", id="made").attributes["value"]
    return shown.removeprefix("http://localhost")


def revoke(browser: Browser, kind: str) -> int:
    token = browser.form("/", "/log-out")["csrf"]
    return browser.post(AT, {"csrf": token, "do": ["revoke"], "kind": [kind]}).status_code


def entries(browser: Browser, address: str) -> list[Any]:
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.content_type == "application/atom+xml; charset=utf-8"
    found = feedparser.parse(answer.data)
    assert not found.bozo, found
    assert found.version == "atom10"
    return list(found.entries)


def events(browser: Browser, address: str) -> list[Any]:
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.content_type == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(answer.data).walk("VEVENT"))


def test_an_address_is_shown_once_and_revoked(somebody: Browser, cora: Browser) -> None:
    assert somebody.get(AT).headers["Location"] == f"/log-in?next={AT}"
    for kind, other in (("feed", "calendars"), ("calendar", "feeds")):
        address = make(cora, kind)
        secret = address.rpartition("/")[2]
        assert secret not in cora.get(AT).text
        assert somebody.get(address).status_code == 200
        assert somebody.get(f"/{other}/{secret}").status_code == 404
        fresh = make(cora, kind)
        assert somebody.get(address).status_code == 404
        assert somebody.get(fresh).status_code == 200
        assert revoke(cora, kind) == 303
        assert somebody.get(fresh).status_code == 404
        assert revoke(cora, kind) == 404
    token = cora.form("/", "/log-out")["csrf"]
    for do in ("make", "revoke"):
        assert cora.post(AT, {"csrf": token, "do": [do], "kind": ["webhook"]}).status_code == 400
    kept = make(cora, "feed")
    assert cora.post(AT, {"csrf": token, "do": ["renew"], "kind": ["feed"]}).status_code == 400
    assert somebody.get(kept).status_code == 200


def test_a_secret_stands_in_no_row_and_in_no_log(
    cora: Browser, house: Services, log: io.BytesIO
) -> None:
    logs.configure_logs(Settings(log_level="debug"))
    secret = make(cora, "feed").rpartition("/")[2]
    cora.get(f"/feeds/{secret}")
    with house.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM notice_channels").all()
    assert secret not in f"{rows}"
    assert b"/feeds/<secret>" in log.getvalue()
    assert secret.encode() not in log.getvalue()


def test_a_feed_tells_what_concerns_its_player_newest_first(cora: Browser, dan: Browser) -> None:
    address = make(cora, "feed")
    [first] = entries(dan, address)
    assert first.title == "Your notices appear in this feed from now on."
    match = cora.start(dan).partition("#")[0]
    dan.new_match(**{"with": "player"}, opponent="cora")
    assert dan.send(f"{match}?ask=resign", f"{match}/actions").status_code == 303
    found = entries(dan, address)
    assert [one.title for one in found] == [
        "Finished: Path Capture with dan",
        "A challenge: Path Capture with dan",
        "Your turn: Path Capture with dan",
        first.title,
    ]
    assert found[0].link == f"http://localhost{match}"
    assert len({one.id for one in found}) == 4
    assert all(one.updated_parsed for one in found)


def test_whoever_has_it_already_is_told_so(cora: Browser, dan: Browser) -> None:
    for kind in ("feed", "calendar"):
        address = make(cora, kind)
        answer = dan.get(address)
        again = dan.get(address, If_None_Match=answer.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        cora.start(dan, pace="3-days")
        assert dan.get(address, If_None_Match=answer.headers["ETag"]).status_code == 200


def test_a_private_match_is_told_to_its_players_alone(cora: Browser, dan: Browser) -> None:
    others, own = make(dan, "feed"), make(cora, "feed")
    challenge = dan.new_match(**{"with": "player"}, opponent="cora", visibility="private")
    assert identity(challenge) in dan.get(own).text
    assert identity(challenge) not in dan.get(others).text


def test_a_calendar_has_the_deadlines_that_are_ones_own(
    cora: Browser, dan: Browser, house: Services
) -> None:
    address, others = make(cora, "calendar"), make(dan, "calendar")
    assert events(dan, address) == []
    match = identity(cora.start(dan, pace="3-days"))
    cora.start(dan)
    challenge = identity(dan.new_match(**{"with": "player"}, opponent="cora"))
    moves, answers = events(dan, address)
    shown = house.queries.show(Asker(local=True), match).view
    assert shown.deadline is not None
    assert moves["DTSTART"].dt == datetime.fromisoformat(shown.deadline).replace(microsecond=0)
    assert moves["SUMMARY"] == "Move due: Path Capture with dan"
    assert moves["URL"] == f"http://localhost/m/{match}"
    assert answers["SUMMARY"] == "Answer to a challenge due: Path Capture with dan"
    assert answers["URL"] == f"http://localhost/m/{challenge}"
    assert events(dan, others) == []


@pytest.mark.parametrize("kind", ["feed", "calendar"])
def test_a_closed_account_leaves_no_address(cora: Browser, house: Services, kind: str) -> None:
    address = make(cora, kind)
    house.closing.close("cora")
    assert cora.get(address).status_code == 404


@pytest.mark.usefixtures("made_up")
def test_what_is_read_there_is_in_the_language_of_its_player(
    somebody: Browser, cora: Browser, house: Services
) -> None:
    feed, calendar = make(cora, "feed"), make(cora, "calendar")
    player = house.accounts.get_by_name("cora").id
    house.profile_settings.change(player, ProfileRow(language=LANGUAGE))
    told = "Your notices appear in this feed from now on."
    assert [one.title for one in entries(somebody, feed)] == [translated(told)]
    assert translated("due moves") in somebody.get(calendar).text
