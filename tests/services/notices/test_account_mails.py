"""What is told by mail of the account itself, also at an address that was given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from domain.match.notices import OVER
from services.accounts import passkeys
from services.accounts.passkeys import RelyingParty
from services.accounts.passwords import MOST_ALIKE
from services.container import Services
from services.errors import NotFound
from tests.services.notices.mail import Post, secret_in
from tests.web.people import PASSWORD

NEW = "quite another password"
SITE = RelyingParty("play.example", "https://play.example")


def add_passkey(house: Services) -> None:
    asked = house.passkeys.ask_to_add(SITE, "brook", PASSWORD)
    house.passkeys.add(SITE, house.accounts.get_by_name("brook").id, "phone", asked.ticket, "{}")


CHANGES: dict[str, Callable[[Services], object]] = {
    "was changed": lambda house: house.accounts.change_password("brook", PASSWORD, NEW),
    "new recovery codes": lambda house: house.recovery.make("brook", PASSWORD),
    "new passkey": add_passkey,
}


def channels_of(post: Post) -> list[tuple[str, str]]:
    """Return the kinds and addresses of all channels that are stored."""
    with post.house.database.read() as connection:
        found = connection.execute(text("SELECT kind, address FROM notice_channels ORDER BY kind"))
        return [(kind, address) for kind, address in found]


@pytest.mark.parametrize("words", CHANGES)
def test_a_change_of_the_account_is_told_at_once_whatever_is_chosen(
    post: Post, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    post.confirmed(hour=9)
    post.house.emails.choose(post.there.second, [], 9)
    made = SimpleNamespace(credential_id=b"1", credential_public_key=b"2", sign_count=0)
    monkeypatch.setattr(passkeys, "verify_registration_response", lambda **_: made)
    CHANGES[words](post.house)
    [mail] = post.later(seconds=1)
    assert words in str(mail.letter["Subject"])
    assert "brook" in str(mail.letter["Subject"])
    assert "If " in mail.text
    assert "not you" in mail.text
    assert "List-Unsubscribe" not in mail.letter
    assert "/unsubscribe/" not in mail.text + mail.html
    assert post.later(days=2) == []


@pytest.mark.parametrize("by", ["operator", "code"])
def test_a_password_that_is_set_without_the_old_one_is_told_at_the_address_that_ends(
    post: Post, by: str
) -> None:
    post.confirmed()
    [code, *_] = post.house.recovery.make("brook", PASSWORD)
    post.later(seconds=1)
    if by == "code":
        post.house.recovery.recover("brook", code, NEW)
    else:
        post.house.accounts.set_password("brook", NEW)
    assert post.house.emails.list_by_player(post.there.second) == []
    assert sorted(str(one.letter["Subject"]) for one in post.later(seconds=1)) == [
        "The password of brook was changed",
        "brook gets no more notices by mail",
    ]


def test_a_password_that_is_set_by_a_link_is_told(post: Post) -> None:
    post.confirmed()
    post.house.forgotten_passwords.ask("brook")
    [link] = post.later(seconds=1)
    post.house.forgotten_passwords.set(secret_in(link), NEW)
    [mail] = post.later(seconds=1)
    assert str(mail.letter["Subject"]) == "The password of brook was changed"


def test_nobody_is_flooded_by_what_they_are_told_of_the_account(post: Post) -> None:
    post.confirmed()
    for _ in range(MOST_ALIKE + 2):
        post.house.recovery.make("brook", PASSWORD)
    assert len(post.later(seconds=1)) == MOST_ALIKE
    post.clock.advance(hours=2)
    post.house.recovery.make("brook", PASSWORD)
    assert len(post.later(seconds=1)) == 1


@pytest.mark.parametrize("another", ["new@mail.example", None])
def test_an_address_that_is_given_up_is_told_so_and_forgotten(
    post: Post, another: str | None
) -> None:
    post.confirmed()
    post.there.start().play({"steps": 1})
    emails, player = post.house.emails, post.there.second
    if another:
        emails.confirm(post.give(another))
    else:
        emails.forget(player, emails.list_by_player(player)[0].id)
    assert [one.address for one in emails.list_by_player(player)] == [another] * bool(another)
    [mail] = [one for one in post.later(seconds=1) if one.to == "ok@mail.example"]
    assert ("at another address" if another else "no more notices by mail") in mail.text
    assert "new@mail.example" not in mail.text + mail.html
    assert "List-Unsubscribe" not in mail.letter
    post.house.outbox.clear()
    assert channels_of(post) == [("email", another)] * bool(another)
    assert [one for one in post.later(days=1) if one.to == "ok@mail.example"] == []


def test_what_was_changed_just_before_is_told_at_the_former_address_too(post: Post) -> None:
    post.confirmed()
    emails, player = post.house.emails, post.there.second
    post.house.accounts.change_password("brook", PASSWORD, NEW)
    emails.forget(player, emails.list_by_player(player)[0].id)
    told = {str(one.letter["Subject"]) for one in post.later(seconds=1)}
    assert len(told) == 2
    assert "The password of brook was changed" in told


def test_no_link_leads_in_by_a_former_address(post: Post) -> None:
    post.confirmed()
    emails, player, forgotten = post.house.emails, post.there.second, post.house.forgotten_passwords
    forgotten.ask("brook")
    [link] = post.later(seconds=1)
    forgotten.ask("brook")
    emails.forget(player, emails.list_by_player(player)[0].id)
    with pytest.raises(NotFound):
        forgotten.set(secret_in(link), NEW)
    assert [str(one.letter["Subject"]) for one in post.later(seconds=1)] == [
        "brook gets no more notices by mail"
    ]


def test_who_ends_mails_is_told_of_the_account_nevertheless(post: Post) -> None:
    post.confirmed()
    emails = post.house.emails
    post.house.recovery.make("brook", PASSWORD)
    emails.stop(emails.letters.key_of(emails.list_by_player(post.there.second)[0].id))
    assert len(post.later(seconds=1)) == 1


def test_nothing_is_told_where_there_is_no_address_to_tell_it_at(post: Post) -> None:
    post.house.accounts.set_password("brook", PASSWORD)
    secret = post.give()
    post.house.recovery.make("brook", PASSWORD)
    assert post.later(seconds=1) == []
    post.house.emails.confirm(secret)
    emails, player = post.house.emails, post.there.second
    emails.choose(player, [OVER], None)
    # No mail can be sent any more: nothing would ever forget the address.
    gone = replace(emails, available=False)
    gone.forget(player, emails.list_by_player(player)[0].id)
    assert channels_of(post) == []


def test_a_former_address_goes_with_the_account(post: Post) -> None:
    post.confirmed()
    emails, player = post.house.emails, post.there.second
    emails.forget(player, emails.list_by_player(player)[0].id)
    post.house.closing.close("brook")
    assert channels_of(post) == []
    assert post.later(seconds=1) == []
