"""What a mail looks like on the line, and to whom it goes that a reader may have seen it."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from random import Random
from unicodedata import category

import pytest

from domain.errors import Corruption
from services.accounts.display_names import clean_name
from services.errors import InvalidPlayer
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.matches.requests import ChangeRequest, NewMatch
from services.notices.letters import POLICY
from tests.services.notices.mail import BASE, Post

ONE, TWO = {"steps": 1}, {"steps": 2}
QUIET = {"minutes": 10}
SEED = 20261130


def test_mail_programs_find_the_address_that_ends_mails(post: Post) -> None:
    """It is longer than a line is meant to be, and has to stand there as it is (RFC 2369)."""
    post.confirmed().there.start().play(ONE)
    [mail] = post.later(**QUIET)
    stop = f"{BASE}/unsubscribe/{post.house.emails.letters.key_of(post.sent()[0].channel)}"
    assert f"\r\nList-Unsubscribe: <{stop}>\r\n".encode() in mail.content
    assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in mail.content


def names(number: int) -> list[str]:
    """Return display names of every script that somebody may choose."""
    draw = Random(SEED)
    found: list[str] = []
    while len(found) < number:
        first = draw.randrange(0x20, 0x30000)
        letters = (chr(first + draw.randrange(64)) for _ in range(draw.randrange(1, 32)))
        made = "".join(one for one in letters if category(one)[0] in "LMNPSZ")
        try:
            found.append(clean_name(f"{draw.choice(('', 'Ada ', '=?utf-8?q?'))}{made}"))
        except InvalidPlayer:
            continue
    return found


def test_a_subject_is_read_as_it_was_written_whatever_a_player_is_called() -> None:
    for name in names(400):
        letter, subject = EmailMessage(policy=POLICY), f"Your turn: Path Capture against {name}"
        letter["Subject"] = subject
        letter.set_content(subject)
        written = letter.as_bytes()
        read = message_from_bytes(written, policy=default)
        assert read["Subject"] == subject, name.encode("unicode-escape")
        assert [*read.keys()] == [*letter.keys()]
        assert max(map(len, written.split(b"\r\n"))) <= 78


# --- who has seen it ------------------------------------------------------------------------------


def test_who_has_moved_last_is_told_that_the_time_of_the_other_one_is_up(post: Post) -> None:
    post.confirmed().there.start(pace={"days_per_move": 3}).play(ONE, TWO)
    post.clock.advance(days=3, seconds=1)
    post.house.sweeping.sweep()
    [over] = post.later(**QUIET)
    assert over.letter["Subject"] == "Finished: Path Capture against ada"


def test_who_has_acted_in_a_turn_is_told_all_the_same_that_little_time_is_left(
    post: Post,
) -> None:
    post.confirmed().there.start(pace={"days_per_move": 3}).play(ONE, TWO, ONE)
    post.there.act(2, "offer_draw")
    assert post.later(hours=55) == []
    post.house.sweeping.sweep()
    [low] = post.later()
    assert low.letter["Subject"] == "Little time is left: Path Capture against ada"


def test_a_link_that_was_asked_for_comes_though_mails_were_ended_meanwhile(post: Post) -> None:
    post.confirmed().there.start().play(ONE)
    key = post.house.emails.letters.key_of(post.sent()[0].channel)
    post.house.forgotten_passwords.ask("brook")
    post.house.emails.stop(key)
    [link] = post.later(**QUIET)
    assert link.letter["Subject"] == "A new password for brook"


def test_an_address_is_found_by_its_name_in_any_script(post: Post) -> None:
    post.confirmed("ok@b\u00fccher.example")
    for asked in ("ok@b\u00fccher.example", "OK@xn--bcher-kva.example"):
        post.house.forgotten_passwords.ask(asked)
        assert len(post.later()) == 1


# --- how much there is ----------------------------------------------------------------------------


def challenge(post: Post, number: int) -> None:
    new = NewMatch("path-capture", opponent="brook")
    for _ in range(number):
        post.house.matches.create(ChangeRequest(post.there.first), new)


def test_who_is_challenged_again_and_again_gets_some_mails_and_one_an_hour(post: Post) -> None:
    post.confirmed().clock.advance(minutes=5)
    challenge(post, 24)
    subjects = [mail.letter["Subject"] for mail in post.later(**QUIET)]
    assert subjects == ["ada challenges you: Path Capture"] * 20
    challenge(post, 3)
    post.there.start(pace={"days_per_move": 3}).play(ONE)
    assert post.later(**QUIET) == []
    assert post.later(minutes=34, seconds=58) == []
    [all_of_it] = post.later(seconds=2)
    assert all_of_it.letter["Subject"] == "8 notices"
    assert "Your turn: Path Capture against ada" in all_of_it.text
    # What was asked for waits for nothing, and later all is as before.
    post.house.emails.test(post.there.second)
    assert len(post.later()) == 1
    post.clock.advance(hours=2)
    challenge(post, 1)
    assert len(post.later(**QUIET)) == 1


def test_a_match_that_is_damaged_keeps_no_other_mail_waiting(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.confirmed().there.start().play(ONE)
    damaged = post.there.match
    post.there.start().play(ONE)
    show = MatchQueries.show

    def shown(queries: MatchQueries, asker: Asker, match: str) -> ShownMatch:
        if match == damaged:
            raise Corruption("a hash does not fit")
        return show(queries, asker, match)

    monkeypatch.setattr(MatchQueries, "show", shown)
    [mail] = post.later(**QUIET)
    assert post.there.match in mail.text
