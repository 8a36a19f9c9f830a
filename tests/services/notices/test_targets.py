"""Where notices may go: into the internet, whatever an address looks like and a name leads to."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from services.errors import InvalidWebhook
from services.notices.messages import Outcome, Parcel
from services.notices.push.vapid_key import VapidKey
from services.notices.senders import PATIENCE, Sender
from services.notices.targets import Resolve, check_url, is_public
from services.store.notices.channels import WEBHOOK, ChannelRow
from services.store.notices.deliveries import DeliveryRow
from tests.services.conftest import Clock
from tests.support.receiver import receiving

AT = "2026-11-27T22:00:00.000000Z"
OWN = (
    *("127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1"),
    *("2002:7f00:1::", "2002:a00:1::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::a00:1"),
    *("2001:0:7f00:1::", "2001:db8::1", "nonsense"),
)
PUBLIC = ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e")


@pytest.mark.parametrize("address", OWN)
def test_addresses_of_own_networks_are_told_apart(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_are_taken(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *("", "bot.example", "ftp://bot.example/", "http://bot.example/", "https://", "https:///x"),
        *("https://user@bot.example/", "https://a:b@bot.example/", "https://bot.example/#part"),
        *("https://bot.example:port/", "https://bot.example:70000/", "https://bot example/"),
        *("https://localhost/", "https://bot.localhost/", "https://127.0.0.1/", "https://[::1]/"),
        *(
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest",
            "https://b\u00f6t.example/",
        ),
        *(
            "https://bot.example/\n",
            f"https://bot.example/{'x' * 500}",
            "https://[::1",
            "https://:1/",
        ),
    ],
)
def test_addresses_that_cannot_be_are_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(InvalidWebhook) as refused:
        check_url(url, private=False)
    assert refused.value.pointer == "/url"


def test_the_settings_may_allow_any_network_and_http() -> None:
    for url in ("http://127.0.0.1:8080/x", "https://localhost/"):
        assert check_url(url, private=True) == url
    assert check_url("https://bot.example:8443/a?b=c", private=False)


def channel_to(url: str) -> ChannelRow:
    return ChannelRow("w", "p", WEBHOOK, "", AT, address=url, secret="whsec_aaaa")


TEST = DeliveryRow(1, "w", "test", None, None, "test", AT)


def sender(resolver: Resolve, *, private: bool = False, patience: float = PATIENCE) -> Sender:
    key = VapidKey(Path("none"))
    return Sender(private, key, "", lambda _: NullTranslations(), resolver, patience)


def sent(url: str, *resolved: str) -> Outcome:
    """Send to an address whose name leads somewhere else each time that it is looked up."""
    answers = iter(resolved)

    def resolver(*_: object) -> Sequence[str]:
        return [next(answers)]

    channel = channel_to(url)
    with sender(resolver=resolver).open_way(channel) as line:
        return line.send(Parcel([TEST]), Clock().now)


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254"])
def test_a_name_that_leads_into_an_own_network_is_refused(address: str) -> None:
    with receiving() as receiver:
        url = f"http://bot.example:{receiver.server_port}/ok"
        assert sent(url, address).reason == "private"
        assert receiver.received == []


def test_an_own_address_among_those_of_a_name_is_enough() -> None:
    channel = channel_to("http://bot.example/")
    with sender(resolver=lambda *_: ["93.184.215.14", "10.0.0.1"]).open_way(channel) as line:
        assert line.send(Parcel([TEST]), Clock().now).reason == "private"


def test_what_a_name_means_a_moment_later_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once: what was judged is what is connected to."""
    with receiving() as receiver:
        # As if the receiver stood at an address of the internet.
        monkeypatch.setattr(
            "services.notices.http_client.is_public", lambda one: one == "127.0.0.1"
        )
        url = f"http://bot.example:{receiver.server_port}/ok"
        assert sent(url, "127.0.0.1", "10.0.0.1") == Outcome(200)
        assert receiver.received[0].headers["host"] == f"bot.example:{receiver.server_port}"


def test_a_redirect_into_an_own_network_is_not_followed() -> None:
    with receiving() as receiver:
        channel = channel_to(f"{receiver.url}/301")
        asked: list[str] = []

        def resolver(host: str, _: int) -> Sequence[str]:
            asked.append(host)
            return [host]

        with sender(resolver=resolver, private=True).open_way(channel) as line:
            assert line.send(Parcel([TEST]), Clock().now) == Outcome(301, "redirect")
        assert (asked, len(receiver.received)) == (["127.0.0.1"], 1)


def test_a_name_that_takes_long_to_be_found_holds_nobody_up() -> None:
    ended = Event()

    def resolver(*_: object) -> Sequence[str]:
        ended.wait(30)
        return ["93.184.215.14"]

    began = monotonic()
    with sender(resolver=resolver, patience=0.1).open_way(
        channel_to("http://slow.example/")
    ) as line:
        outcome = line.send(Parcel([TEST]), Clock().now)
    ended.set()
    assert outcome == Outcome(reason="unknown-host")
    assert monotonic() - began < 5


def test_a_name_that_nobody_has() -> None:
    def resolver(*_: object) -> Sequence[str]:
        raise OSError("no such name")

    channel = channel_to("http://nobody.example/")
    with sender(resolver=resolver).open_way(channel) as line:
        outcome = line.send(Parcel([TEST]), Clock().now)
    assert outcome == Outcome(reason="unknown-host")
