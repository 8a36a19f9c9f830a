"""How often one may ask."""

from collections.abc import Callable

import pytest
from flask import Flask

from services.container import Services
from tests.web.people import PASSWORD, Person, problem


def test_too_many_requests_of_one_client_are_refused_with_a_time_to_wait(
    make_app: Callable[..., Flask],
) -> None:
    client = make_app(rate_limit=3).test_client()
    person = Person(client)
    assert [person.get("/games").status_code for _ in range(3)] == [200] * 3
    answer = person.get("/matches")
    problem(answer, 429, "rate-limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    elsewhere = client.get("/api/v1/games", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 200
    for path in ("/healthz", "/readyz"):
        assert client.get(path).status_code == 200


def test_pages_are_limited_with_a_page(make_app: Callable[..., Flask]) -> None:
    client = make_app(rate_limit=1).test_client()
    client.get("/")
    answer = client.get("/")
    assert (answer.status_code, answer.mimetype) == (429, "text/html")
    assert int(answer.headers["Retry-After"]) >= 1


def test_addresses_of_one_network_are_one_client(make_app: Callable[..., Flask]) -> None:
    client = make_app(rate_limit=1).test_client()

    def ask(address: str) -> int:
        environ = {"REMOTE_ADDR": address}
        return client.get("/api/v1/games", environ_base=environ).status_code

    assert ask("2001:db8:1:2::1") == 200
    assert ask("2001:db8:1:2:ffff::9") == 429
    assert ask("2001:db8:1:3::1") == 200


def test_addresses_of_ipv4_are_themselves_at_a_server_that_listens_for_ipv6(
    make_app: Callable[..., Flask],
) -> None:
    client = make_app(rate_limit=1).test_client()

    def ask(address: str) -> int:
        environ = {"REMOTE_ADDR": address}
        return client.get("/api/v1/games", environ_base=environ).status_code

    assert ask("::ffff:192.0.2.1") == 200
    assert ask("::ffff:192.0.2.2") == 200
    assert ask("192.0.2.1") == 429


def test_sign_ups_and_log_ins_have_limits_of_their_own(make_app: Callable[..., Flask]) -> None:
    person = Person(make_app(rate_limit=100, sign_up_limit=1, log_in_limit=2).test_client())
    account = {"name": "ada", "password": PASSWORD}
    assert person.post("/players", account).status_code == 201
    problem(person.post("/players", {**account, "name": "bob"}), 429, "rate-limited")
    wrong = {"name": "ada", "password": "a guess that fails"}
    assert [person.post("/tokens", wrong).status_code for _ in range(3)] == [401, 401, 429]
    assert person.get("/games").status_code == 200


def test_zero_turns_all_of_it_off(make_app: Callable[..., Flask]) -> None:
    person = Person(make_app(rate_limit=0, sign_up_limit=1, log_in_limit=1).test_client())
    for name in ("ada", "bob"):
        person.sign_up(name)
    assert {person.get("/games").status_code for _ in range(20)} == {200}


@pytest.mark.parametrize(("trusted", "status"), [(1, 200), (0, 429)])
def test_a_forwarded_address_counts_only_from_a_trusted_proxy(
    trusted: int, status: int, make_app: Callable[..., Flask]
) -> None:
    client = make_app(rate_limit=1, trusted_proxies=trusted).test_client()
    client.get("/api/v1/games", headers={"X-Forwarded-For": "192.0.2.1"})
    answer = client.get("/api/v1/games", headers={"X-Forwarded-For": "192.0.2.2"})
    assert answer.status_code == status


def test_a_limit_below_the_body_is_kept(make_app: Callable[..., Flask], house: Services) -> None:
    person = Person(make_app(max_body_bytes=50).test_client())
    problem(person.post("/players", {"name": "x" * 60, "password": "x"}), 413, "payload-too-large")
    assert house.accounts.find("x" * 60) is None
