"""Notices by mail: to an address that was confirmed, once, and nothing of what one has seen."""

from __future__ import annotations

import socketserver
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread
from time import monotonic, sleep
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text
from typing_extensions import override

from domain.match.notices import OVER, TURN
from services.errors import InvalidRequest, NotFound, TooOften, Unauthenticated, Unavailable
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.notices import outbox
from services.notices.emails import MOST_A_DAY
from services.notices.mail_times import compute_next_digest
from services.notices.sent_lists import MOST_TESTS
from services.runtime.mail_server import domain_of, read_mail_server
from tests.services.conftest import Clock
from tests.services.notices.mail import BASE, Post, house_with_mail
from tests.services.people import Table, table
from tests.services.racing import Clocks
from tests.support.mail_server import MailServer, certificate, receiving_mail
from tests.web.people import PASSWORD

ROOT = Path(__file__).parents[3]
ONE, TWO = {"steps": 1}, {"steps": 2}
QUIET = {"minutes": 10}


# --- an address -----------------------------------------------------------------------------------


def test_an_address_is_told_of_nothing_before_it_is_confirmed(post: Post) -> None:
    post.house.accounts.set_password("brook", PASSWORD)
    secret = post.give("ok@mail.example")
    post.there.start().play(ONE)
    assert post.later(**QUIET) == []
    post.house.emails.confirm(secret)
    post.there.play(TWO, ONE)
    assert len(post.later(**QUIET)) == 1
    [view] = post.house.emails.list_by_player(post.there.second)
    assert (view.address, view.confirmed, view.off_reason) == ("ok@mail.example", True, None)


def test_a_link_confirms_once_and_for_a_day(post: Post) -> None:
    post.house.accounts.set_password("brook", PASSWORD)
    secret = post.give()
    assert post.house.emails.awaits(secret)
    post.house.emails.confirm(secret)
    with pytest.raises(NotFound):
        post.house.emails.confirm(secret)
    late = post.give("other@mail.example")
    post.clock.advance(hours=24)
    assert not post.house.emails.awaits(late)
    with pytest.raises(NotFound):
        post.house.emails.confirm(late)
    post.clock.advance(hours=1)
    post.house.sweeping.sweep()
    [view] = post.house.emails.list_by_player(post.there.second)
    assert view.address == "ok@mail.example"


def test_a_new_address_takes_the_place_of_the_former_one_when_it_is_confirmed(post: Post) -> None:
    post.confirmed(hour=9)
    secret = post.give("new@mail.example")
    assert [one.confirmed for one in post.house.emails.list_by_player(post.there.second)] == [
        True,
        False,
    ]
    post.house.emails.confirm(secret)
    [view] = post.house.emails.list_by_player(post.there.second)
    assert (view.address, view.hour, view.types) == ("new@mail.example", 9, [TURN, OVER])


def test_what_is_stored_of_a_link_that_was_sent_is_its_digest(post: Post) -> None:
    post.house.accounts.set_password("brook", PASSWORD)
    secret = post.give()
    with post.house.database.read() as connection:
        stored = connection.execute(text("SELECT * FROM mail_links")).fetchall()
    assert len(stored) == 1
    assert secret not in str(stored)


def test_an_address_takes_the_password_and_has_to_be_one(post: Post) -> None:
    give = post.house.emails.give
    post.house.accounts.set_password("brook", PASSWORD)
    with pytest.raises(Unauthenticated):
        give("brook", "a wrong password", "ok@mail.example")
    for wrong in ("", "brook", "a@b", "a b@mail.example", "a@mail.example\r\nBcc: b@mail.example"):
        with pytest.raises(InvalidRequest):
            give("brook", PASSWORD, wrong)
    nobody = replace(post.house.emails, available=False)
    with pytest.raises(Unavailable):
        nobody.give("brook", PASSWORD, "ok@mail.example")
    assert post.house.emails.list_by_player(post.there.second) == []


def test_nobody_is_flooded_with_mails_that_they_have_not_asked_for(post: Post) -> None:
    for name in ("ada", "brook"):
        post.house.accounts.set_password(name, PASSWORD)
    for number in range(MOST_A_DAY):
        post.house.emails.give(("ada", "brook")[number % 2], PASSWORD, "Ok@mail.example")
    with pytest.raises(TooOften):
        post.house.emails.give("ada", PASSWORD, "ok@MAIL.example")
    post.deliver()
    post.house.emails.confirm(post.give("other@mail.example"))
    for _ in range(MOST_TESTS):
        post.house.emails.test(post.there.second)
    with pytest.raises(TooOften):
        post.house.emails.test(post.there.second)


# --- what is told ---------------------------------------------------------------------------------


def test_a_mail_names_the_game_the_opponent_and_what_happened_with_a_link(post: Post) -> None:
    post.confirmed().there.start(pace={"days_per_move": 3}).play(ONE)
    [mail] = post.later(**QUIET)
    letter = mail.letter
    assert (mail.sender, mail.to) == ("notices@play.example", "ok@mail.example")
    assert letter["Subject"] == "Your turn: Path Capture against ada"
    assert letter["From"] == "Plybook <notices@play.example>"
    assert f"{BASE}/m/{post.there.match}" in mail.text
    assert "You have time until 30 Nov 2026, 22:00 UTC." in mail.text
    assert f'href="{BASE}/m/{post.there.match}"' in mail.html
    stop = f"{BASE}/unsubscribe/{post.house.emails.letters.key_of(post.sent()[0].channel)}"
    assert letter["List-Unsubscribe"] == f"<{stop}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop in mail.text
    assert stop in mail.html
    assert [one.state for one in post.sent()] == ["sent", "sent"]


def test_challenges_ends_and_little_time_are_told(post: Post) -> None:
    post.confirmed()
    new = NewMatch("path-capture", opponent="brook", visibility="private")
    post.house.matches.create(ChangeRequest(post.there.first), new)
    [challenged] = post.later(**QUIET)
    assert challenged.letter["Subject"] == "ada challenges you: Path Capture"
    post.there.start(pace={"days_per_move": 3}).play(ONE)
    [turn] = post.later(**QUIET)
    post.clock.advance(hours=55)
    post.house.sweeping.sweep()
    [low] = post.later()
    assert low.letter["Subject"] == "Little time is left: Path Capture against ada"
    assert turn.id != low.id
    post.there.act(1, "resign")
    [over] = post.later(**QUIET)
    assert over.letter["Subject"] == "Finished: Path Capture against ada"
    assert "You have won." in over.text


def test_who_has_answered_within_ten_minutes_gets_no_mail(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    assert post.later(minutes=9, seconds=59) == []
    post.there.play(TWO)
    assert post.later(minutes=1) == []
    assert (post.sent()[0].state, post.sent()[0].reason) == ("failed", "seen")


@pytest.mark.parametrize("action", ["offer_draw", "resign"])
def test_who_has_acted_or_brought_it_about_has_seen_it(post: Post, action: str) -> None:
    post.confirmed().there.start().play(ONE)
    post.clock.advance(minutes=5)
    post.there.act(2, action)
    assert post.later(**QUIET) == []


def test_who_has_said_something_beside_the_match_has_seen_it(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    post.clock.advance(minutes=5)
    post.house.chat.say(post.there.second, post.there.match, "players", "hello")
    assert post.later(**QUIET) == []


def test_what_the_other_one_does_meanwhile_is_no_answer(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    post.there.act(1, "offer_draw")
    assert len(post.later(**QUIET)) == 1


def test_nothing_is_mailed_of_a_move_that_was_rolled_back(post: Post) -> None:
    there = post.confirmed().there.start()

    def power_cut(_: CommandResult) -> StoredAnswer:
        raise ConnectionResetError

    record = Repeatable("key", "f" * 64, power_cut)
    with suppress(ConnectionResetError):
        request = ChangeRequest(there.first, there.version, record=record)
        there.house.matches.play(request, there.match, ONE)
    assert post.later(hours=1) == []


def test_a_mail_of_a_match_goes_to_its_own_players(post: Post) -> None:
    """Two matches at once, one of them private and of others: each mail leads to its own."""
    post.confirmed()
    others = Table(
        post.house, *(post.house.accounts.get_local_player(name).id for name in ("cora", "dan"))
    )
    others.start().play(ONE)
    post.there.start().play(ONE)
    [mail] = post.later(**QUIET)
    assert post.there.match in mail.text
    assert others.match not in mail.text
    assert "cora" not in str(mail.letter)


def test_a_name_cannot_bring_headers_or_markup_of_its_own(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    with post.house.database.write() as connection:
        # None that anybody can choose.
        values = {"name": "\u827e<b>\r\nBcc: x@y.test\u202e", "id": post.there.first}
        connection.execute(text("UPDATE players SET name = :name WHERE id = :id"), values)
    post.house.accounts.known_names.forget()
    [mail] = post.later(**QUIET)
    assert mail.letter["Subject"] == "Your turn: Path Capture against \u827e<b> Bcc: x@y.test"
    assert mail.letter["Bcc"] is None
    assert "&lt;b&gt; Bcc" in mail.html
    assert mail.to == "ok@mail.example"


# --- how it gets there ----------------------------------------------------------------------------


def test_two_workers_send_each_mail_once(
    migrated_url: str, clocks: Clocks, server: MailServer
) -> None:
    houses = [house_with_mail(migrated_url, clocks, server) for _ in range(2)]
    there = table(houses[0])
    post = Post(there, server, Clock()).confirmed()
    for _ in range(6):
        there.start().play(ONE)
    late = lambda: clocks() + timedelta(minutes=10)  # noqa: E731
    gate = Barrier(4)

    def deliver(number: int) -> int:
        gate.wait()
        return replace(houses[number % 2].outbox, now=late).deliver()["sent"]

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(deliver, range(4)))
    assert sum(done) == len(server.mails) == len({one.id for one in server.mails}) == 6
    for house in houses:
        house.close()
    assert post is not None


def test_killed_between_sending_and_noting_it_is_sent_once_more_under_the_same_id(
    post: Post, server: MailServer, migrated_sqlite_url: str
) -> None:
    post.confirmed().there.start().play(ONE)
    post.clock.advance(minutes=10)
    words = [sys.executable, "-m", "tests.services.notices.killed", migrated_sqlite_url]
    ran = subprocess.run(
        [*words, post.clock.now.isoformat(), server.url], cwd=ROOT, capture_output=True, check=False
    )
    assert ran.returncode == -9, ran.stderr
    assert len(server.mails) == 1
    assert post.sent()[0].state == "waiting"
    [again] = post.later(seconds=outbox.CLAIMED_FOR.total_seconds())
    assert server.mails[0].id == again.id
    assert post.sent()[0].state == "sent"


@pytest.mark.parametrize(("name", "status"), [("never", 550), ("no-content", 554)])
def test_an_address_that_is_refused_for_good_is_off_and_can_be_turned_on(
    post: Post, server: MailServer, name: str, status: int
) -> None:
    post.confirmed()
    server.answers["ok"] = name
    for _ in range(2):
        post.there.start().play(ONE)
    assert post.later(**QUIET) == []
    [view] = post.house.emails.list_by_player(post.there.second)
    assert view.off_reason == "rejected"
    assert {(one.state, one.reason, one.status) for one in post.sent()[:2]} == {
        ("failed", "rejected", status),
        ("failed", "off", None),
    }
    post.there.play(ONE, TWO)
    assert len(post.sent()) == 3
    server.answers.clear()
    post.house.emails.turn_on(post.there.second)
    post.there.play(ONE, TWO)
    assert len(post.later(**QUIET)) == 1


@pytest.mark.parametrize(
    ("how", "reason"), [("later", "deferred"), ("hang", "no-server"), ("drop", "no-server")]
)
def test_what_fails_for_now_is_sent_again_under_the_same_id(
    post: Post, server: MailServer, how: str, reason: str
) -> None:
    post.confirmed().there.start().play(ONE)
    server.answers["ok"] = how
    post.clock.advance(minutes=10)
    assert post.deliver(patience=0.3) == {"sent": 0, "not_sent": 1}
    [told, *_] = post.sent()
    assert (told.state, told.reason, told.attempts) == ("waiting", reason, 1)
    server.answers.clear()
    before = len(server.mails)
    [mail] = post.later(seconds=5)
    assert {one.id for one in server.mails} == {mail.id}
    assert before == (how != "later")
    assert post.house.emails.list_by_player(post.there.second)[0].off_reason is None


class Dripping(socketserver.BaseRequestHandler):
    """A mail server that greets again and again, and never comes to an end."""

    @override
    def handle(self) -> None:
        with suppress(OSError):
            while True:
                self.request.sendall(b"220-\r\n")
                sleep(0.02)


def test_a_mail_server_that_never_comes_to_an_end_is_left(post: Post) -> None:
    post.confirmed()
    post.house.emails.test(post.there.second)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dripping) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.02,)).start()
        began = monotonic()
        there = read_mail_server(f"smtp+plain://127.0.0.1:{server.server_address[1]}")
        assert post.deliver(server=there, patience=0.2) == {"sent": 0, "not_sent": 1}
        server.shutdown()
    assert monotonic() - began < 10
    assert post.sent()[0].reason == "no-server"


@pytest.mark.parametrize(("scheme", "how"), [("smtp", "tls_context"), ("smtps", "ssl_context")])
def test_mail_is_encrypted_as_the_settings_say_or_not_sent(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, how: str
) -> None:
    post.confirmed()
    shown, trusting = certificate(tmp_path)
    with receiving_mail(**{how: shown}) as secure:
        post.house.emails.test(post.there.second)
        server = read_mail_server(secure.url.replace("smtp+plain", scheme))
        # Whoever shows a certificate that nobody vouches for gets nothing.
        assert post.deliver(server=server) == {"sent": 0, "not_sent": 1}
        assert (post.sent()[0].reason, secure.mails) == ("no-server", [])
        monkeypatch.setattr("services.notices.smtp._make_ssl_context", lambda: trusting)
        post.clock.advance(seconds=5)
        assert post.deliver(server=server) == {"sent": 1, "not_sent": 0}
        assert len(secure.mails) == 1


def test_a_server_that_cannot_encrypt_gets_nothing_unless_that_is_allowed(
    post: Post, server: MailServer
) -> None:
    post.confirmed()
    post.house.emails.test(post.there.second)
    wanted = read_mail_server(server.url.replace("smtp+plain", "smtp"))
    assert post.deliver(server=wanted) == {"sent": 0, "not_sent": 1}
    assert server.mails == []
    for wrong in ("http://mail.example:80", "smtp://", "mail.example", "smtp://me:pa/ss@host"):
        with pytest.raises(ValueError, match="PLYBOOK_SMTP_URL"):
            read_mail_server(wrong)
    for wrong in ("", "nobody", "a@b.example\r\nBcc: c", "Us <n\u00f6@play.example>"):
        with pytest.raises(ValueError, match="PLYBOOK_MAIL_FROM"):
            domain_of(wrong)


@pytest.mark.parametrize("password", ["wrong", "p\u00e4ss"])
def test_a_password_that_the_server_does_not_take_is_told_and_tried_again(
    post: Post, password: str
) -> None:
    post.confirmed().there.start().play(ONE)
    post.clock.advance(**QUIET)
    with receiving_mail(auth_require_tls=False) as strict:
        there = read_mail_server(strict.url.replace("//", f"//me:{quote(password)}@"))
        assert post.deliver(server=there) == {"sent": 0, "not_sent": 1}
    assert post.sent()[0].reason == "no-server"


def test_that_our_own_server_is_away_for_days_turns_no_address_off(
    post: Post, server: MailServer
) -> None:
    post.confirmed().there.start().play(ONE)
    server.answers["ok"] = "later"
    for _ in range(90):
        post.later(hours=1)
    [view] = post.house.emails.list_by_player(post.there.second)
    assert (view.off_reason, view.failing_since) == (None, "2026-11-27T23:00:01.000000Z")
    assert post.sent()[0].state == "failed"


def test_a_link_of_a_mail_ends_all_mails_but_those_that_are_asked_for(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    key = post.house.emails.letters.key_of(post.sent()[0].channel)
    with pytest.raises(NotFound):
        post.house.emails.stop(f"{key[:-1]}x")
    for _ in range(2):
        post.house.emails.stop(key)
    assert post.later(**QUIET) == []
    post.there.play(TWO, ONE)
    assert post.later(**QUIET) == []
    post.house.forgotten_passwords.ask("brook")
    assert len(post.later()) == 1


# --- a digest -------------------------------------------------------------------------------------


def test_a_digest_has_all_of_a_day_in_one_mail_at_its_hour(post: Post) -> None:
    post.confirmed(hour=9)
    for _ in range(3):
        post.there.start().play(ONE)
    assert post.later(hours=10, minutes=59) == []
    [mail] = post.later(minutes=1)
    assert mail.letter["Subject"] == "3 notices"
    assert mail.text.count("Your turn: Path Capture against ada") == 3
    assert post.there.match in mail.text
    post.clock.advance(seconds=1)
    post.there.play(TWO, ONE)
    assert post.later(hours=23) == []
    assert len(post.later(hours=1)) == 1


def test_a_digest_leaves_out_what_was_answered_and_is_not_sent_for_nothing(post: Post) -> None:
    post.confirmed(hour=9).there.start().play(ONE, TWO)
    assert post.later(hours=11) == []
    assert post.sent()[0].reason == "seen"


def test_who_chooses_another_hour_waits_for_that_one(post: Post) -> None:
    post.confirmed(hour=9).there.start().play(ONE)
    post.later(minutes=1)
    post.house.emails.choose(post.there.second, [TURN], 23)
    assert post.later(minutes=58) == []
    assert len(post.later(minutes=1)) == 1


@pytest.mark.parametrize(
    ("at", "hour", "digests"),
    [
        # In Berlin clocks go from 2 to 3 on 28 March, and from 3 back to 2 on 31 October.
        ("2027-03-26T12:00", 9, ["2027-03-27T08:00", "2027-03-28T07:00", "2027-03-29T07:00"]),
        ("2027-03-26T12:00", 2, ["2027-03-27T01:00", "2027-03-28T01:00", "2027-03-29T00:00"]),
        ("2027-10-29T12:00", 9, ["2027-10-30T07:00", "2027-10-31T08:00", "2027-11-01T08:00"]),
        ("2027-10-29T12:00", 2, ["2027-10-30T00:00", "2027-10-31T00:00", "2027-11-01T01:00"]),
    ],
)
def test_a_digest_goes_once_a_day_over_a_change_to_summer_time(
    at: str, hour: int, digests: list[str]
) -> None:
    now, found = datetime.fromisoformat(at).replace(tzinfo=UTC), []
    for _ in range(3):
        now = compute_next_digest(now, hour, ZoneInfo("Europe/Berlin"))
        found.append(f"{now:%Y-%m-%dT%H:%M}")
        now += timedelta(microseconds=1)
    assert found == digests
