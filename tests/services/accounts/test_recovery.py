"""A forgotten password is set anew by a code that is good once."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from services.accounts.recovery import CODES
from services.container import Services
from services.errors import InvalidPlayer, Unauthenticated
from tests.services.people import together

PASSWORD, NEW = "correct horse battery", "quite another password"


@pytest.fixture
def codes(house: Services) -> list[str]:
    house.accounts.sign_up("Ada", PASSWORD)
    return house.recovery.make("ada", PASSWORD)


def left(house: Services) -> int:
    return house.recovery.count(house.accounts.get_by_name("ada").id).left


def test_a_code_sets_a_new_password_and_ends_all_log_ins(house: Services, codes: list[str]) -> None:
    assert (len(set(codes)), left(house)) == (CODES, CODES)
    session = house.sessions.log_in("ada", PASSWORD, None)
    token = house.accounts.issue_token("ada", PASSWORD, "x").token
    house.recovery.recover("ADA", f" {codes[3].upper().replace('-', ' ')} ", NEW)
    assert house.sessions.find(session) is None
    with pytest.raises(Unauthenticated):
        house.accounts.authenticate(token)
    with pytest.raises(Unauthenticated):
        house.sessions.log_in("ada", PASSWORD, None)
    assert house.sessions.log_in("ada", NEW, None)
    found = house.recovery.count(house.accounts.get_by_name("ada").id)
    assert (found.left, found.made) == (CODES - 1, CODES)
    assert found.used_at is not None


def test_a_code_is_good_once(house: Services, codes: list[str]) -> None:
    done = together(
        *(
            lambda word=word: house.recovery.recover("ada", codes[0], word)
            for word in (NEW, PASSWORD)
        )
    )
    assert [type(one) for one in done if one is not None] == [Unauthenticated]
    with pytest.raises(Unauthenticated):
        house.recovery.recover("ada", codes[0], NEW)
    assert left(house) == CODES - 1


def test_what_does_not_fit_is_refused_in_the_same_words(house: Services, codes: list[str]) -> None:
    house.accounts.sign_up("brook", PASSWORD)
    house.accounts.get_local_player("carl")
    told = set()
    for name, code in (
        ("nobody", codes[0]),
        ("brook", codes[0]),
        ("carl", codes[0]),
        ("ada", "0000-0000-0000-0000"),
        ("ada", ""),
        ("ada", "x" * 500),
    ):
        with pytest.raises(Unauthenticated) as refused:
            house.recovery.recover(name, code, NEW)
        told.add(str(refused.value))
    assert told == {"Name or code is wrong, or the code was used before."}
    with pytest.raises(InvalidPlayer):
        house.recovery.recover("ada", codes[0], "short")
    assert left(house) == CODES
    assert house.sessions.log_in("ada", PASSWORD, None)


def test_new_codes_take_the_place_of_the_old_ones(house: Services, codes: list[str]) -> None:
    with pytest.raises(Unauthenticated):
        house.recovery.make("ada", "a wrong password")
    house.recovery.recover("ada", codes[0], NEW)
    newer = house.recovery.make("ada", NEW)
    assert house.recovery.count(house.accounts.get_by_name("ada").id).used_at is None
    with pytest.raises(Unauthenticated):
        house.recovery.recover("ada", codes[1], PASSWORD)
    house.recovery.recover("ada", newer[0], PASSWORD)


def test_codes_themselves_are_stored_nowhere_and_go_with_the_account(
    house: Services, codes: list[str]
) -> None:
    asked = text("SELECT digest FROM recovery_codes")
    with house.database.read() as connection:
        stored = " ".join(connection.execute(asked).scalars())
    assert not [one for one in codes if one in stored or one.replace("-", "") in stored]
    house.closing.close("ada")
    with house.database.read() as connection:
        assert connection.execute(asked).all() == []
    with pytest.raises(Unauthenticated):
        house.recovery.recover("ada", codes[0], NEW)
