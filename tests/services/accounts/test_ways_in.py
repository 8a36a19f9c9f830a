"""Who has a new password set gets the account back from whoever knew the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from domain.match.clock import format_instant
from domain.match.notices import TURN
from services.accounts.passkeys import RelyingParty
from services.container import Services
from services.errors import NotFound, Suspended, Unauthenticated
from services.notices.webhooks import NewWebhook, WebhookChange
from services.runtime.settings import Settings
from services.store.notices import channels
from services.store.notices.channels import CALENDAR, FEED, PUSH, WEBHOOK, ChannelRow
from tests.services.conftest import Clock
from tests.services.people import together
from tests.support.authenticator import Authenticator
from tests.support.games import test_games

SITE = RelyingParty("https://play.example", "play.example")
PASSWORD, NEW, NEWER = "correct horse battery", "quite another password", "a third password"


@pytest.fixture
def house(migrated_url: str, clock: Clock) -> Iterator[Services]:
    """Give a house with a mail server, to which nothing is sent."""
    settings = Settings(
        database_url=migrated_url,
        smtp_url="smtp+plain://127.0.0.1:9",
        mail_from="no@play.example",
        public_url="https://play.example",
    )
    built = Services(settings, games=test_games(), now=clock)
    yield built
    built.close()


def secret(house: Services, purpose: str) -> str:
    """Return what the newest mail for a purpose will have."""
    sql = f"SELECT secret FROM mail_links WHERE purpose = '{purpose}' AND player <> 'nobody'"
    with house.database.read() as connection:
        return str(connection.execute(text(f"{sql} ORDER BY created_at DESC")).scalar())


def give(house: Services, address: str, *, confirm: bool = True) -> str:
    house.emails.give("ada", PASSWORD, address)
    found = secret(house, "confirm")
    if confirm:
        house.emails.confirm(found)
    return found


def link(house: Services) -> str:
    house.forgotten_passwords.ask("ada")
    return secret(house, "password")


class Thief:
    """Somebody who knows the password, and has made themselves every way back there is."""

    def __init__(self, house: Services) -> None:
        self.house, self.device = house, Authenticator(SITE)
        self.session = house.sessions.log_in("ada", PASSWORD, None)
        self.token = house.accounts.issue_token("ada", PASSWORD, "bot").token
        asked = house.passkeys.ask_to_add(SITE, "ada", PASSWORD)
        player = house.accounts.get_by_name("ada").id
        house.passkeys.add(SITE, player, "x", asked.ticket, self.device.make(asked))
        self.address = give(house, "thief@mail.example", confirm=False)

    def gets_in(self, codes: list[str] | None = None) -> list[str]:
        """Return by what the thief still gets in."""
        house, asked = self.house, self.house.passkeys.ask_to_log_in(SITE)
        ways: dict[str, Callable[[], object]] = {
            "token": lambda: house.accounts.authenticate(self.token),
            "passkey": lambda: house.passkeys.authenticate(
                SITE, asked.ticket, self.device.sign(asked)
            ),
            "address": lambda: house.emails.confirm(self.address),
            "code": lambda: house.recovery.recover("ada", codes[-1] if codes else "", NEWER),
            "password": lambda: house.accounts.check_password("ada", PASSWORD),
        }
        found = ["session"] if house.sessions.find(self.session) else []
        for name, way in ways.items():
            try:
                way()
            except (NotFound, Unauthenticated):
                continue
            found.append(name)
        return found


@pytest.fixture
def ada(house: Services) -> str:
    return house.accounts.sign_up("ada", PASSWORD).id


def addresses(house: Services, player: str) -> list[str]:
    return [one.address for one in house.emails.list_by_player(player)]


def test_a_link_by_mail_leaves_the_address_alone(house: Services, ada: str) -> None:
    give(house, "ada@mail.example")
    thief, codes = Thief(house), house.recovery.make("ada", PASSWORD)
    house.forgotten_passwords.set(link(house), NEW)
    assert thief.gets_in(codes) == []
    assert addresses(house, ada) == ["ada@mail.example"]


def test_a_recovery_code_leaves_the_other_codes_alone(house: Services, ada: str) -> None:
    codes = house.recovery.make("ada", PASSWORD)
    give(house, "thief@mail.example")
    thief, former = Thief(house), link(house)
    house.recovery.recover("ada", codes[0], NEW)
    assert thief.gets_in() == []
    with pytest.raises(NotFound):
        house.forgotten_passwords.set(former, NEWER)
    assert addresses(house, ada) == []
    house.recovery.recover("ada", codes[1], NEWER)


def test_who_runs_the_service_leaves_nothing(house: Services, ada: str) -> None:
    give(house, "thief@mail.example")
    thief, codes = Thief(house), house.recovery.make("ada", PASSWORD)
    house.accounts.set_password("ada", NEW)
    assert thief.gets_in(codes) == []
    assert addresses(house, ada) == []


def test_a_thief_is_told_nothing_any_more(house: Services, ada: str) -> None:
    codes = house.recovery.make("ada", PASSWORD)
    made, _ = house.webhooks.make(ada, NewWebhook("https://thief.example", [TURN]))
    hook, feed = made.webhook.id, house.subscriptions.make(ada, FEED)
    calendar = house.subscriptions.make(ada, CALENDAR)
    at = format_instant(house.now())
    with house.database.write() as connection:
        browser = ChannelRow("w_push", ada, PUSH, TURN, at, "https://push.example", held_until=at)
        channels.insert(connection, browser)
    house.webhooks.test(ada, hook)
    fresh = house.sessions.change_password(
        house.sessions.log_in("ada", PASSWORD, None), PASSWORD, NEW
    )
    assert house.sessions.find(fresh) is not None
    assert house.webhooks.get(ada, hook).active
    house.recovery.recover("ada", codes[0], NEWER)
    told = [
        house.webhooks.get(ada, hook).off_reason,
        house.browsers.list_by_player(ada)[0].off_reason,
    ]
    assert told == ["new-password"] * 2
    [waited] = house.sent_lists.list_page(ada, WEBHOOK, 9, None, hook).listed
    assert (waited.state, waited.reason) == ("failed", "off")
    for read in (
        lambda: house.subscriptions.get_feed(feed),
        lambda: house.subscriptions.get_calendar(calendar),
    ):
        with pytest.raises(NotFound):
            read()
    assert house.webhooks.change(ada, hook, WebhookChange(active=True)).active


def test_who_knows_the_password_changes_it_and_sees_what_else_there_is(
    house: Services, ada: str
) -> None:
    thief = Thief(house)
    own = house.sessions.log_in("ada", PASSWORD, None)
    fresh = house.sessions.change_password(own, PASSWORD, NEW)
    # Somebody may have seen the id of one's own.
    assert house.sessions.find(own) is None
    assert house.sessions.find(fresh) is not None
    assert thief.gets_in() == ["token", "passkey"]
    assert len(house.passkeys.list_by_player(ada)) == len(house.accounts.list_tokens(ada)) == 1


def test_of_two_with_the_same_link_one_sets_a_password(house: Services, ada: str) -> None:
    give(house, "ada@mail.example")
    sent = link(house)
    done = together(
        lambda: house.forgotten_passwords.set(sent, NEW),
        lambda: house.forgotten_passwords.set(sent, NEWER),
    )
    assert sorted(map(str, done))[1] == "ada"
    assert [type(one) for one in done if one != "ada"] == [NotFound]
    assert addresses(house, ada) == ["ada@mail.example"]


def test_a_link_is_for_the_address_of_then(house: Services, ada: str) -> None:
    give(house, "ada@mail.example")
    former = link(house)
    give(house, "other@mail.example")
    assert addresses(house, ada) == ["other@mail.example"]
    with pytest.raises(NotFound):
        house.forgotten_passwords.set(former, NEW)


def test_a_link_lets_nobody_into_a_suspended_account_and_keeps_one_that_was_to_go(
    house: Services, ada: str, clock: Clock
) -> None:
    give(house, "ada@mail.example")
    house.closing.ask("ada", PASSWORD)
    house.forgotten_passwords.set(link(house), NEW)
    assert house.sessions.log_in("ada", NEW, None)
    assert not house.closing.is_asked("ada")
    house.moderation.suspend(None, "ada", "abuse")
    house.forgotten_passwords.set(link(house), NEWER)
    with pytest.raises(Suspended):
        house.sessions.log_in("ada", NEWER, None)
    clock.advance(days=8)
    assert house.sweeping.sweep().closed == 0
    assert ada
