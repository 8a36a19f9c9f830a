"""Players and tokens."""

from functools import partial

import pytest

from domain.errors import Refusal
from services.accounts.accounts import Accounts
from services.accounts.tokens import ADMIN, DEFAULT_SCOPES
from services.container import Services
from services.errors import (
    InvalidPlayer,
    InvalidRequest,
    MissingScope,
    NameTaken,
    NotFound,
    Unauthenticated,
)
from tests.services.conftest import Clock
from tests.services.people import together

PASSWORD = "a password, long enough"


@pytest.fixture
def accounts(house: Services) -> Accounts:
    house.accounts.sign_up("Ada", PASSWORD)
    return house.accounts


@pytest.mark.parametrize("name", ["a", "x" * 25, "two words", "", "ünï", "a\u0000b", "ada\n", "٣٤"])
def test_a_name_that_does_not_fit_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(InvalidPlayer) as refused:
        accounts.sign_up(name, PASSWORD)
    assert refused.value.pointer == "/name"


@pytest.mark.parametrize("password", ["", "too short", "x" * 257])
def test_a_password_that_does_not_fit_is_refused(accounts: Accounts, password: str) -> None:
    with pytest.raises(InvalidPlayer) as refused:
        accounts.sign_up("brook", password)
    assert refused.value.pointer == "/password"
    assert accounts.find("brook") is None


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA"])
def test_a_name_is_taken_whatever_its_case(accounts: Accounts, name: str) -> None:
    with pytest.raises(NameTaken):
        accounts.sign_up(name, PASSWORD)


def test_a_token_tells_whose_it_is_and_how_far_it_reaches(accounts: Accounts) -> None:
    issued = accounts.issue_token("ADA", PASSWORD, "laptop")
    caller = accounts.authenticate(issued.token)
    assert (caller.name, caller.scopes) == ("Ada", frozenset(DEFAULT_SCOPES))


@pytest.mark.parametrize(("name", "password"), [("Ada", "wrong password"), ("nobody", PASSWORD)])
def test_an_unknown_name_and_a_wrong_password_get_the_same_words(
    accounts: Accounts, name: str, password: str
) -> None:
    with pytest.raises(Unauthenticated, match="Name or password is wrong"):
        accounts.issue_token(name, password, "x")


def test_a_local_player_cannot_log_in(accounts: Accounts) -> None:
    accounts.get_local_player("local")
    with pytest.raises(Unauthenticated):
        accounts.issue_token("local", "", "x")


def test_a_local_player_is_made_once(accounts: Accounts) -> None:
    assert accounts.get_local_player("Ada").id == accounts.get_local_player("ada").id


def test_a_local_player_whom_two_need_at_once_is_made_once(house: Services) -> None:
    for number in range(6):
        need = partial(house.accounts.get_local_player, f"local{number}")
        made = together(need, need, need)
        assert len({one.id for one in made}) == 1  # type: ignore[attr-defined]


def test_who_has_a_password_is_told_apart_from_local_players(accounts: Accounts) -> None:
    ada, local = accounts.find("Ada"), accounts.get_local_player("local")
    assert ada is not None
    assert accounts.list_with_passwords([local.id, ada.id, None, "p_nobody"]) == ["Ada"]


def test_an_expired_token_is_no_token(accounts: Accounts, house: Services, clock: Clock) -> None:
    token = accounts.issue_token("Ada", PASSWORD, "x").token
    clock.advance(days=house.settings.token_days, microseconds=-1)
    assert accounts.authenticate(token)
    clock.advance(microseconds=1)
    with pytest.raises(Unauthenticated):
        accounts.authenticate(token)


def test_a_revoked_token_is_no_token(accounts: Accounts) -> None:
    issued = accounts.issue_token("Ada", PASSWORD, "x")
    player = accounts.authenticate(issued.token).player
    accounts.revoke(player, issued.id)
    assert accounts.list_tokens(player) == []
    with pytest.raises(Unauthenticated):
        accounts.authenticate(issued.token)


def test_nobody_revokes_the_token_of_another(accounts: Accounts) -> None:
    issued = accounts.issue_token("Ada", PASSWORD, "x")
    other = accounts.sign_up("brook", PASSWORD)
    with pytest.raises(NotFound):
        accounts.revoke(other.id, issued.id)
    assert accounts.authenticate(issued.token)


def test_only_an_administrator_gets_the_scope_admin(accounts: Accounts) -> None:
    with pytest.raises(MissingScope):
        accounts.issue_token("Ada", PASSWORD, "x", [ADMIN])
    accounts.set_admin("Ada", admin=True)
    token = accounts.issue_token("Ada", PASSWORD, "x", [ADMIN]).token
    assert accounts.authenticate(token).scopes == {ADMIN}


@pytest.mark.parametrize("scopes", [[], ["match:read", "match:win"], ["MATCH:READ"]])
def test_scopes_that_there_are_not_are_refused(accounts: Accounts, scopes: list[str]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        accounts.issue_token("Ada", PASSWORD, "x", scopes)
    assert refused.value.pointer == "/scopes"


@pytest.mark.parametrize(
    "label",
    ["", "x" * 81, "two\nlines", "a\u0000b", "\u202eevil", " ", "\u3164", "\u115f\u2800",
     "a\ufffe", "a\ud800"],
)  # fmt: skip
def test_labels_that_do_not_fit_are_refused(accounts: Accounts, label: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        accounts.issue_token("Ada", PASSWORD, label)
    assert refused.value.pointer == "/label"


def test_a_new_password_takes_the_place_of_the_old_one(accounts: Accounts) -> None:
    accounts.set_password("Ada", "another password")
    assert accounts.issue_token("Ada", "another password", "x")
    with pytest.raises(Unauthenticated):
        accounts.issue_token("Ada", PASSWORD, "x")


def test_chores_on_a_player_who_is_not_there_are_refused(accounts: Accounts) -> None:
    for chore in (
        lambda: accounts.set_password("nobody", PASSWORD),
        lambda: accounts.set_admin("nobody", admin=True),
        lambda: accounts.get("p_0000000000000000"),
    ):
        with pytest.raises(Refusal):
            chore()
