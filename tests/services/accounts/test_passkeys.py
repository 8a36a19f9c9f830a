"""Passkeys: each answer is good once, at our address, for who has verified themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from services.accounts.passkeys import RelyingParty
from services.accounts.sessions import Expiry
from services.container import Services
from services.errors import Suspended, Unauthenticated
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import together
from tests.support.authenticator import PRESENT, VERIFIED, Authenticator

SITE = RelyingParty("https://play.example", "play.example")
PASSWORD, NEW = "correct horse battery", "quite another password"


@pytest.fixture
def ada(house: Services) -> str:
    return house.accounts.sign_up("ada", PASSWORD).id


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(SITE)


def add(house: Services, player: str, device: Authenticator, name: str = "ada") -> None:
    asked = house.passkeys.ask_to_add(SITE, name, PASSWORD)
    house.passkeys.add(SITE, player, "my phone", asked.ticket, device.make(asked))


def log_in(house: Services, device: Authenticator) -> str:
    asked = house.passkeys.ask_to_log_in(SITE)
    return house.sessions.begin(
        house.passkeys.authenticate(SITE, asked.ticket, device.sign(asked)), None
    )


def test_an_answer_that_was_seen_is_good_for_nothing_more(
    house: Services, ada: str, device: Authenticator
) -> None:
    asked = house.passkeys.ask_to_add(SITE, "ada", PASSWORD)
    made = device.make(asked)
    house.passkeys.add(SITE, ada, "my phone", asked.ticket, made)
    get_in = house.passkeys.ask_to_log_in(SITE)
    signed = device.sign(get_in)
    done = together(*[lambda: house.passkeys.authenticate(SITE, get_in.ticket, signed)] * 2)
    assert sorted(type(one) is Unauthenticated for one in done) == [False, True]
    with pytest.raises(Unauthenticated):
        house.passkeys.authenticate(SITE, get_in.ticket, signed)
    # Nor does what was made once come back when it was removed.
    house.passkeys.remove(ada, house.passkeys.list_by_player(ada)[0].id)
    with pytest.raises(Unauthenticated):
        house.passkeys.add(SITE, ada, "my phone", asked.ticket, made)
    assert house.passkeys.list_by_player(ada) == []


@ON_SQLITE_ALONE
@pytest.mark.parametrize(
    "wrong",
    [
        lambda device: setattr(
            device, "site", RelyingParty("https://play.example.evil", SITE.host)
        ),
        lambda device: setattr(device, "site", RelyingParty("http://play.example", SITE.host)),
        lambda device: setattr(device, "site", RelyingParty(SITE.origin, "example")),
        lambda device: setattr(device, "flags", PRESENT),
        lambda device: setattr(device, "flags", VERIFIED),
        lambda device: setattr(device, "id", b"x" * 1024),
        lambda device: setattr(device, "id", b""),
    ],
    ids=["origin", "scheme", "host", "unverified", "absent", "long id", "no id"],
)
def test_what_is_not_as_it_should_be_adds_nothing_and_lets_nobody_in(
    house: Services, ada: str, device: Authenticator, wrong: Callable[[Authenticator], None]
) -> None:
    add(house, ada, device)
    wrong(device)
    with pytest.raises(Unauthenticated):
        log_in(house, device)
    with pytest.raises(Unauthenticated):
        add(house, ada, device)
    assert len(house.passkeys.list_by_player(ada)) == 1


def test_a_device_that_counts_counts_on(house: Services, ada: str, device: Authenticator) -> None:
    device.uses = 4
    add(house, ada, device)
    most = 2**32 - 1
    for uses, good in ((4, False), (6, True), (5, False), (0, False), (most, True), (6, False)):
        device.uses = uses
        if good:
            assert log_in(house, device)
        else:
            with pytest.raises(Unauthenticated):
                log_in(house, device)


def test_a_passkey_is_one_players_and_stays_theirs(
    house: Services, ada: str, device: Authenticator
) -> None:
    brook = house.accounts.sign_up("brook", PASSWORD).id
    add(house, ada, device)
    with pytest.raises(Unauthenticated):
        add(house, brook, device, "brook")
    # A form of Brook's adds nothing to Ada's account, nor one for a log-in.
    for asked in (
        house.passkeys.ask_to_add(SITE, "brook", PASSWORD),
        house.passkeys.ask_to_log_in(SITE),
    ):
        with pytest.raises(Unauthenticated):
            house.passkeys.add(SITE, ada, "x", asked.ticket, Authenticator(SITE).make(asked))
    other = Authenticator(SITE, id=device.id)
    with pytest.raises(Unauthenticated):
        log_in(house, other)
    assert [len(house.passkeys.list_by_player(one)) for one in (ada, brook)] == [1, 0]


def test_a_form_is_good_for_five_minutes_and_for_the_password_that_was_shown(
    house: Services, ada: str, device: Authenticator, clock: Clock
) -> None:
    session = house.sessions.log_in("ada", PASSWORD, None)
    asked = house.passkeys.ask_to_add(SITE, "ada", PASSWORD)
    session = house.sessions.change_password(session, PASSWORD, NEW)
    with pytest.raises(Unauthenticated):
        house.passkeys.add(SITE, ada, "x", asked.ticket, device.make(asked))
    house.sessions.change_password(session, NEW, PASSWORD)
    add(house, ada, device)
    late = house.passkeys.ask_to_log_in(SITE)
    clock.advance(minutes=5)
    with pytest.raises(Unauthenticated):
        house.passkeys.authenticate(SITE, late.ticket, device.sign(late))
    assert log_in(house, device)
    assert Expiry(house.database, clock).clear() == 0
    clock.advance(minutes=6)
    # What nobody takes any more is forgotten.
    assert Expiry(house.database, clock).clear() == 2


def test_who_is_suspended_or_has_gone_does_not_get_in(
    house: Services, ada: str, device: Authenticator
) -> None:
    add(house, ada, device)
    house.moderation.suspend(None, "ada", "abuse")
    with pytest.raises(Suspended):
        log_in(house, device)
    house.moderation.lift(None, "ada", "it was another one")
    assert log_in(house, device)
    asked = house.passkeys.ask_to_log_in(SITE)
    row = house.passkeys.authenticate(SITE, asked.ticket, device.sign(asked))
    house.closing.close("ada")
    with pytest.raises(Unauthenticated):
        house.sessions.begin(row, None)
    with pytest.raises(Unauthenticated):
        log_in(house, device)


def test_nobody_gets_in_by_a_passkey_behind_a_new_password(
    house: Services, ada: str, device: Authenticator
) -> None:
    add(house, ada, device)
    asked = house.passkeys.ask_to_log_in(SITE)
    row = house.passkeys.authenticate(SITE, asked.ticket, device.sign(asked))
    house.accounts.set_password("ada", NEW)
    with pytest.raises(Unauthenticated):
        house.sessions.begin(row, None)
    assert house.passkeys.list_by_player(ada) == []


@ON_SQLITE_ALONE
@pytest.mark.parametrize(
    "attested",
    [
        b"",
        b"\xff",
        b"\x9f" * 400,
        b"\xa0",
        b"\xa3cfmtfpackedgattStmt\xa0hauthDataA\x00",
        b"\xa3cfmtctpmgattStmt\x80hauthDataC\x00\x00\x00",
    ],
)
def test_what_is_no_answer_at_all_is_refused_like_a_wrong_one(
    house: Services, ada: str, device: Authenticator, attested: bytes
) -> None:
    asked = house.passkeys.ask_to_add(SITE, "ada", PASSWORD)
    answer = device._answer(  # noqa: SLF001 - a browser sends what it likes
        clientDataJSON=device._client("webauthn.create", asked),  # noqa: SLF001
        attestationObject=attested,
    )
    with pytest.raises(Unauthenticated):
        house.passkeys.add(SITE, ada, "x", asked.ticket, answer)
