"""A forgotten password: links to a new one, sent by mail to an address that was confirmed."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from services.errors import NotFound, Unauthenticated
from services.notices.forgotten_passwords import MOST
from tests.services.conftest import Clock
from tests.services.notices.mail import Post, house_with_mail, secret_in
from tests.services.people import table, together
from tests.support.mail_server import MailServer
from tests.web.people import PASSWORD


def ask(post: Post, asked: str = "brook") -> list[str]:
    """Return the links that are sent to whoever asks so."""
    post.house.forgotten_passwords.ask(asked)
    return [secret_in(mail) for mail in post.later()]


def test_a_link_sets_a_password_once_and_ends_what_was_open(post: Post) -> None:
    post.confirmed()
    session = post.house.sessions.log_in("brook", PASSWORD, None)
    token = post.house.accounts.issue_token("brook", PASSWORD, "bot").token
    [secret] = ask(post, "BROOK")
    links = post.house.forgotten_passwords
    assert links.player_of(secret) == "brook"
    assert links.set(secret, "a new password") == "brook"
    assert post.house.sessions.find(session) is None
    with pytest.raises(Unauthenticated):
        post.house.accounts.authenticate(token)
    post.house.accounts.check_password("brook", "a new password")
    with pytest.raises(NotFound):
        links.set(secret, "another password")
    post.house.accounts.check_password("brook", "a new password")


def test_a_link_to_a_password_is_good_for_an_hour_and_for_that_password(post: Post) -> None:
    post.confirmed()
    links = post.house.forgotten_passwords
    [late] = ask(post)
    post.clock.advance(hours=1)
    with pytest.raises(NotFound):
        links.player_of(late)
    first, second = ask(post)[0], ask(post)[0]
    links.set(second, "a new password")
    for secret in (first, second):
        with pytest.raises(NotFound):
            links.set(secret, "another password")


def test_links_go_by_address_too_to_each_of_its_players_and_to_nobody_else(post: Post) -> None:
    post.confirmed()
    post.house.accounts.set_password("ada", PASSWORD)
    secret = post.give("OK@mail.example", "ada")
    assert len(ask(post, "ok@mail.example")) == 1
    post.house.emails.confirm(secret)
    found = {post.house.forgotten_passwords.player_of(one) for one in ask(post, "Ok@mail.example")}
    assert found == {"ada", "brook"}
    assert ask(post, "nobody") == ask(post, "nobody@mail.example") == ask(post, "") == []


def test_somebody_who_asks_again_and_again_sends_three_links_in_an_hour(post: Post) -> None:
    post.confirmed()
    assert [len(ask(post)) for _ in range(5)] == [1, 1, 1, 0, 0]


@pytest.mark.postgres
def test_who_asks_several_times_at_once_is_sent_three_links_too(
    migrated_postgres_url: str, clock: Clock, server: MailServer
) -> None:
    house = house_with_mail(migrated_postgres_url, clock, server)
    post = Post(table(house), server, clock)
    post.confirmed()
    together(*[lambda: house.forgotten_passwords.ask("brook")] * 8)
    assert len(post.later()) == MOST
    house.close()


def test_as_much_is_written_whether_there_is_such_a_player_or_not(post: Post) -> None:
    post.confirmed()
    counts = []
    for asked in ("brook", "nobody"):
        post.house.forgotten_passwords.ask(asked)
        with post.house.database.read() as connection:
            counts.append(connection.scalar(text("SELECT count(*) FROM mail_links")))
    assert counts == [1, 2]
    post.clock.advance(hours=2)
    post.house.sweeping.sweep()
    with post.house.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM mail_links")) == 0


def test_a_closed_account_leaves_no_address(post: Post) -> None:
    post.confirmed()
    [secret] = ask(post)
    post.house.closing.close("brook")
    with pytest.raises(NotFound):
        post.house.forgotten_passwords.set(secret, "a new password")
    with post.house.database.read() as connection:
        for name in ("notice_channels", "notice_deliveries", "mail_links"):
            assert connection.scalar(text(f"SELECT count(*) FROM {name}")) == 0
