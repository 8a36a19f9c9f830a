"""Web push: encrypted for a browser alone, signed by our key, and off once the browser is gone."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from domain.match.notices import OVER, TEST, TIME_LOW, TURN, TYPES
from services.container import Services
from services.errors import InvalidRequest, InvalidWebhook, NotFound, TooOften
from services.notices.outbox import Outbox
from services.notices.push import browsers, messages
from services.notices.push.browsers import BrowserView, Registration
from services.notices.push.vapid_key import VapidKey
from services.notices.sent_lists import MOST_TESTS
from services.runtime.key_file import NoKey
from services.runtime.languages import ENGLISH, load_catalogue
from services.store.notices.channels import PUSH, ChannelRow
from services.store.notices.deliveries import DeliveryRow
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import Table, table
from tests.support.push import PushedTo, claims
from tests.support.receiver import Receiver

ROOT = Path(__file__).parents[3]


@pytest.fixture
def key(tmp_path: Path) -> VapidKey:
    return VapidKey(tmp_path / "keys" / "push.pem")


@pytest.fixture
def there(house: Services) -> Table:
    return table(house)


def using(house: Services, key: VapidKey) -> browsers.Browsers:
    return replace(house.browsers, key=key, private=True)


def sending(house: Services, key: VapidKey) -> Outbox:
    contact = "mailto:notices@play.example"
    sender = replace(house.outbox.sender, private=True, key=key, contact=contact)
    return replace(house.outbox, sender=sender, spread=lambda seconds: seconds, pace=0)


def registered(there: Table, key: VapidKey, url: str, player: str = "") -> PushedTo:
    """Let a player (the second) be told in a browser."""
    browser = PushedTo(url)
    using(there.house, key).register(player or there.second, browser.registration)
    return browser


def view(there: Table, player: str = "") -> BrowserView:
    [found] = there.house.browsers.list_by_player(player or there.second)
    return found


def sent(there: Table) -> list[DeliveryRow]:
    """Return what the browsers of the second player were sent, newest first."""
    return there.house.sent_lists.list_page(there.second, PUSH, 50)[0]


def test_a_browser_reads_what_happened_and_a_push_service_nothing(
    there: Table, key: VapidKey, receiver: Receiver, clock: Clock
) -> None:
    browser = registered(there, key, f"{receiver.url}/ok")
    there.start().play({"steps": 1})
    assert sending(there.house, key).deliver() == {"sent": 1, "not_sent": 0}
    [got] = receiver.received
    assert browser.read(got.body) == {
        "type": "match.turn",
        "match": there.match,
        "version": there.version,
        "kind": "move-made",
        "text": "It is your turn.",
    }
    assert got.headers["content-encoding"] == "aes128gcm"
    assert claims(got.headers["authorization"], key.load_public()) == {
        "aud": receiver.url,
        "exp": int(clock.now.timestamp()) + 12 * 3600,
        "sub": "mailto:notices@play.example",
    }
    seen = f"{got.headers}".encode() + got.body
    assert there.match.encode() not in seen
    [told] = sent(there)
    assert (told.state, told.status) == ("sent", 200)


@ON_SQLITE_ALONE
def test_of_one_match_the_last_notice_takes_the_place_of_the_former(
    there: Table, key: VapidKey, receiver: Receiver, clock: Clock
) -> None:
    browser = registered(there, key, f"{receiver.url}/ok")
    there.start().play({"steps": 1})
    clock.advance(seconds=1)
    there.act(1, "resign")
    clock.advance(seconds=1)
    there.start().play({"steps": 1})
    sending(there.house, key).deliver()
    told = [browser.read(got.body)["type"] for got in receiver.received]
    assert told == [TURN, OVER, TURN]
    turn, over, other = (got.headers for got in receiver.received)
    assert turn["topic"] == over["topic"] != other["topic"]
    assert len(turn["topic"]) == 32
    assert (turn["urgency"], over["urgency"]) == ("normal", "low")
    assert turn["ttl"] == "259200"
    # Nor do lengths tell what it was.
    assert len({len(got.body) for got in receiver.received}) == 1


def test_every_notice_is_shorter_than_what_it_is_filled_up_to() -> None:
    channel = ChannelRow("w_0", "p", PUSH, "", "")
    for type_ in (*TYPES, TEST):
        row = DeliveryRow(1, "w_0", type_, "m" * 16, 2**31, "k" * 32, "2026-11-27T22:00:00Z")
        assert len(messages.write_plain_body(row, load_catalogue(ENGLISH))) == messages.LENGTH
        headers = messages.make_headers(channel, row)
        assert headers["Urgency"] == messages.URGENCIES.get(type_, "normal")
    assert int(messages.LASTS[TIME_LOW]) < messages.LASTS_ELSE


@pytest.mark.parametrize("status", ["404", "410"])
def test_a_browser_that_is_gone_is_off_until_it_registers_anew(
    there: Table, key: VapidKey, receiver: Receiver, status: str
) -> None:
    browser = registered(there, key, f"{receiver.url}/{status}")
    there.start().play({"steps": 1})
    assert sending(there.house, key).deliver() == {"sent": 0, "not_sent": 1}
    assert view(there).off_reason == "gone"
    with pytest.raises(NotFound):
        using(there.house, key).test(there.second, view(there).id)
    there.start().play({"steps": 1})
    assert sending(there.house, key).deliver() == {"sent": 0, "not_sent": 0}
    assert len(receiver.received) == 1
    using(there.house, key).register(there.second, browser.registration)
    assert view(there).off_reason is None


@ON_SQLITE_ALONE
def test_with_another_key_nothing_is_sent(
    there: Table, key: VapidKey, receiver: Receiver, tmp_path: Path
) -> None:
    registered(there, key, f"{receiver.url}/ok")
    there.start().play({"steps": 1})
    assert sending(there.house, VapidKey(tmp_path / "b.pem")).deliver()["not_sent"] == 1
    assert sent(there)[0].reason == "other-key"
    assert receiver.received == []


@ON_SQLITE_ALONE
def test_an_address_in_a_network_of_our_own_is_refused_and_not_asked(
    there: Table, key: VapidKey, receiver: Receiver
) -> None:
    browser = registered(there, key, f"{receiver.url}/ok")
    with pytest.raises(InvalidWebhook):
        replace(using(there.house, key), private=False).register(there.second, browser.registration)
    there.start().play({"steps": 1})
    outbox = sending(there.house, key)
    public = replace(outbox, sender=replace(outbox.sender, private=False))
    assert public.deliver()["not_sent"] == 1
    assert sent(there)[0].reason == "private"
    assert receiver.received == []


@ON_SQLITE_ALONE
@pytest.mark.parametrize(
    ("p256dh", "auth"), [("", "x"), ("AAAA", "AAAA"), ("A" * 87, "A" * 22), ("é", "é"), ("A", "A")]
)
def test_keys_that_are_none_are_refused(
    there: Table, key: VapidKey, p256dh: str, auth: str
) -> None:
    given = Registration("https://push.example/1", p256dh, auth)
    with pytest.raises(InvalidRequest):
        using(there.house, key).register(there.second, given)
    short = PushedTo("https://push.example/1").registration._replace(auth="AAAA")
    with pytest.raises(InvalidRequest):
        using(there.house, key).register(there.second, short)
    assert there.house.browsers.list_by_player(there.second) == []


def test_an_address_belongs_to_who_registers_there_last(there: Table, key: VapidKey) -> None:
    browser = registered(there, key, "http://127.0.0.1:9/")
    using(there.house, key).choose(there.second, view(there).id, [OVER])
    using(there.house, key).register(there.second, browser.registration)
    assert view(there).types == [OVER]
    using(there.house, key).register(there.first, browser.registration)
    assert there.house.browsers.list_by_player(there.second) == []
    assert view(there, there.first).types == [*TYPES]


@ON_SQLITE_ALONE
def test_who_registers_again_misses_nothing_and_has_no_more_tests(
    there: Table, key: VapidKey, receiver: Receiver
) -> None:
    browser, using_key = registered(there, key, f"{receiver.url}/ok"), using(there.house, key)
    there.start().play({"steps": 1})
    for _ in range(MOST_TESTS):
        using_key.test(there.second, view(there).id)
        using_key.register(there.second, browser.registration)
    with pytest.raises(TooOften):
        using_key.test(there.second, view(there).id)
    assert sending(there.house, key).deliver()["sent"] == 1 + MOST_TESTS


@ON_SQLITE_ALONE
def test_there_are_so_many_browsers_and_so_many_tests(there: Table, key: VapidKey) -> None:
    for number in range(browsers.MOST):
        registered(there, key, f"https://push.example/{number}")
    with pytest.raises(InvalidRequest):
        registered(there, key, "https://push.example/more")
    one = there.house.browsers.list_by_player(there.second)[0].id
    with pytest.raises(NotFound):
        there.house.browsers.test(there.first, one)
    for _ in range(MOST_TESTS):
        there.house.browsers.test(there.second, one)
    with pytest.raises(TooOften):
        there.house.browsers.test(there.second, one)


@ON_SQLITE_ALONE
def test_a_closed_account_has_no_browsers(there: Table, key: VapidKey, receiver: Receiver) -> None:
    registered(there, key, f"{receiver.url}/ok")
    there.start().play({"steps": 1})
    there.house.closing.close("brook")
    assert sending(there.house, key).deliver() == {"sent": 0, "not_sent": 0}
    assert there.house.browsers.list_by_player(there.second) == []


def test_the_key_is_made_once_for_its_owner_alone(key: VapidKey) -> None:
    made = key.load_public()
    assert key.load_public() == VapidKey(key.path).load_public() == made
    assert [*key.path.parent.iterdir()] == [key.path]
    assert key.path.stat().st_mode & 0o777 == 0o600
    key.path.chmod(0o604)
    with pytest.raises(NoKey, match="chmod o="):
        key.load_public()
    key.path.chmod(0o600)
    key.path.write_text("no key")
    with pytest.raises(NoKey, match="P-256"):
        key.load_public()


def test_who_makes_moves_does_not_load_what_encrypts() -> None:
    code = (
        "import sys, services.container, web.app\n"
        "sys.exit(' '.join({'http_ece', 'py_vapid', 'httpcore'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ran.stderr.strip() == b""
