"""Being logged in with a browser."""

import pytest
from sqlalchemy import text

from services.accounts.sessions import Session, Sessions
from services.container import Services
from services.errors import NameTaken, Unauthenticated
from tests.services.conftest import Clock

PASSWORD = "a password, long enough"


@pytest.fixture
def sessions(house: Services) -> Sessions:
    house.accounts.sign_up("Ada", PASSWORD)
    return house.sessions


def stored(house: Services) -> list[str]:
    with house.database.read() as connection:
        return list(connection.execute(text("SELECT digest FROM sessions")).scalars())


def test_a_session_tells_who_is_logged_in(house: Services, sessions: Sessions) -> None:
    ada = house.accounts.find("ada")
    assert ada is not None
    assert sessions.find(sessions.log_in("ADA", PASSWORD, None)) == Session(ada.id, "Ada")
    assert sessions.find("somebody's guess") is None


def test_whoever_signs_up_is_logged_in(house: Services, sessions: Sessions) -> None:
    found = sessions.find(sessions.sign_up("brook", PASSWORD, None))
    assert found is not None
    assert found.name == "brook"
    with pytest.raises(NameTaken):
        sessions.sign_up("BROOK", PASSWORD, None)
    assert len(stored(house)) == 1


@pytest.mark.parametrize(("name", "password"), [("Ada", "wrong password"), ("nobody", PASSWORD)])
def test_an_unknown_name_and_a_wrong_password_get_the_same_words(
    house: Services, sessions: Sessions, name: str, password: str
) -> None:
    with pytest.raises(Unauthenticated, match="Name or password is wrong"):
        sessions.log_in(name, password, None)
    assert stored(house) == []


def test_a_player_without_a_password_cannot_log_in(house: Services, sessions: Sessions) -> None:
    house.accounts.get_local_player("brook")
    with pytest.raises(Unauthenticated):
        sessions.log_in("brook", "", None)


def test_the_id_itself_is_stored_nowhere(house: Services, sessions: Sessions) -> None:
    session = sessions.log_in("Ada", PASSWORD, None)
    assert len(stored(house)) == 1
    assert session not in stored(house)


def test_a_log_in_gives_a_new_id_and_ends_the_former_one(sessions: Sessions) -> None:
    planted = sessions.log_in("Ada", PASSWORD, None)
    other = sessions.log_in("Ada", PASSWORD, None)
    session = sessions.log_in("Ada", PASSWORD, planted)
    assert len({planted, other, session}) == 3
    assert sessions.find(planted) is None
    assert sessions.find(other) is not None
    assert sessions.find(session) is not None


def test_a_log_out_ends_one_session(sessions: Sessions) -> None:
    here, there = (sessions.log_in("Ada", PASSWORD, None) for _ in range(2))
    sessions.log_out(here)
    assert sessions.find(here) is None
    assert sessions.find(there) is not None


def test_a_session_expires_and_is_cleared_away_at_the_next_log_in(
    house: Services, sessions: Sessions, clock: Clock
) -> None:
    session = sessions.log_in("Ada", PASSWORD, None)
    clock.advance(days=house.settings.session_days, seconds=-1)
    assert sessions.find(session) is not None
    clock.advance(seconds=2)
    assert sessions.find(session) is None
    assert len(stored(house)) == 1
    sessions.sign_up("brook", PASSWORD, None)
    assert len(stored(house)) == 1


def test_a_new_password_logs_out_everywhere(house: Services, sessions: Sessions) -> None:
    session = sessions.log_in("Ada", PASSWORD, None)
    other = sessions.sign_up("brook", PASSWORD, None)
    house.accounts.set_password("ada", "another password, long too")
    assert sessions.find(session) is None
    assert sessions.find(other) is not None
