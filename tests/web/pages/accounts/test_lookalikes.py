"""Names that look like somebody's are not given out; those that are there stay."""

from __future__ import annotations

from contextlib import suppress
from threading import Barrier, Thread

import pytest
from sqlalchemy import text

from services.container import Services
from services.errors import NameTaken
from tests.support.games import test_games
from tests.web.pages.browsing import Browser
from tests.web.pages.readers import read
from tests.web.people import PASSWORD, Person, problem

LOOKALIKES = [
    ("Ian", ["lan", "1an", "IAN", "LAN"]),
    ("bob", ["b0b", "B0B", "BOB"]),
    ("Tim-1", ["Tirn-1", "Tim-l", "Tim-I", "TIM-1"]),
    ("willow", ["vvillow", "willovv", "wi1low", "wiIIow", "will0w"]),
    ("ll", ["Il", "lI", "11", "II"]),
]

OTHERS = [("ball", "bill"), ("a_b", "a-b"), ("ana", "anna"), ("moon", "noon"), ("ab", "ba")]
"""Names of other people."""


ON_BOTH_DATABASES = True


def sign_up(person: Person, name: str) -> int:
    return person.post("/players", {"name": name, "password": PASSWORD}).status_code


@pytest.mark.parametrize(("name", "others"), LOOKALIKES)
def test_a_name_that_looks_like_somebody_s_is_not_given_out(
    anyone: Person, somebody: Browser, name: str, others: list[str]
) -> None:
    assert sign_up(anyone, name) == 201
    for other in others:
        refused = anyone.post("/players", {"name": other, "password": PASSWORD})
        body = problem(refused, 409, "name-taken")
        assert body["errors"][0]["pointer"] == "/name"
        assert ("looks like one" in body["detail"]) == (other.casefold() != name.casefold())
        assert name not in body["detail"].replace(other, "")
        answer = somebody.send(
            "/sign-up", "/sign-up", name=other, password=PASSWORD, again=PASSWORD
        )
        assert answer.status_code == 409
        assert read(answer.text).one("input", name="name").attributes["aria-invalid"] == "true"


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_names_that_do_not_look_alike_are_free(anyone: Person, name: str, other: str) -> None:
    assert [sign_up(anyone, one) for one in (name, other)] == [201, 201]


def test_a_name_that_looks_like_one_of_a_closed_account_is_not_given_out(
    anyone: Person, house: Services
) -> None:
    assert sign_up(anyone, "Ian") == 201
    house.closing.close("Ian")
    assert [sign_up(anyone, name) for name in ("lan", "Ian")] == [409, 409]


def test_names_that_look_alike_already_stay(anyone: Person, house: Services) -> None:
    assert sign_up(anyone, "Ian") == 201
    local = house.accounts.get_local_player("lan")
    assert house.accounts.get_local_player("lan") == local
    house.accounts.set_password("lan", PASSWORD)
    for name in ("Ian", "lan"):
        assert Person(anyone.client, name, anyone.log_in(name)).get("/me").json["name"] == name
    assert sign_up(anyone, "1an") == 409


def test_of_two_who_sign_up_at_once_with_names_that_look_alike_one_gets_it(house: Services) -> None:
    elsewhere = Services(house.settings, games=test_games())
    for number in range(8):
        both, got = Barrier(2, timeout=30), []

        def begin(of: Services, name: str) -> None:
            both.wait()  # noqa: B023 - run in this round
            with suppress(NameTaken):
                got.append(of.accounts.sign_up(name, PASSWORD).name)  # noqa: B023

        names = (f"Ian-{number}", f"lan-{number}")
        threads = [
            Thread(target=begin, args=one) for one in zip((house, elsewhere), names, strict=True)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(got) == 1
    with house.database.read() as connection:
        assert (
            connection.execute(
                text("SELECT count(*) FROM players WHERE name NOT LIKE 'house:%'")
            ).scalar()
            == 8
        )
    elsewhere.close()
