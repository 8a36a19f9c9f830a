"""House players are accounts like others, but that nobody gets into them in any way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import text

from domain.match.house_players import PLAYERS, name_of
from services.container import Services
from services.errors import InvalidPlayer, Unauthenticated
from services.store import accounts
from services.store.accounts import make_skeleton

NAMES = [name_of(level) for level in PLAYERS]
PASSWORD = "a password, long enough"


def test_they_are_there_from_the_start(house: Services) -> None:
    found = [house.accounts.find(name) for name in NAMES]
    assert [one and (one.id, one.name) for one in found] == [
        (PLAYERS[level], name_of(level)) for level in PLAYERS
    ]
    with house.database.read() as connection:
        rows = [accounts.find_by_id(connection, player) for player in PLAYERS.values()]
        kept = connection.execute(text("SELECT name, skeleton FROM players")).all()
    assert [(row and row.password_hash, row and row.admin) for row in rows] == [(None, False)] * 5
    assert {name: like for name, like in kept if name in NAMES} == {
        name: make_skeleton(name) for name in NAMES
    }


@pytest.mark.parametrize("name", [*NAMES, "HOUSE:3", "house:9", "house:", "house:0"])
def test_nobody_signs_up_with_such_a_name(house: Services, name: str) -> None:
    with pytest.raises(InvalidPlayer):
        house.accounts.sign_up(name, PASSWORD)
    with pytest.raises(InvalidPlayer):
        house.accounts.get_local_player(name)


@pytest.mark.parametrize("password", ["", "house:3", PASSWORD, "the password of nobody at all"])
def test_nobody_logs_in_as_one(house: Services, password: str) -> None:
    refused = []
    for name in ("house:3", "nobody"):
        with pytest.raises(Unauthenticated) as token:
            house.accounts.issue_token(name, password, "laptop")
        with pytest.raises(Unauthenticated) as session:
            house.sessions.log_in(name, password, None)
        refused.append((token.value.detail, session.value.detail))
    assert refused[0] == refused[1]


def test_nobody_gives_one_a_password_or_rights_or_closes_it(house: Services) -> None:
    changes: list[Callable[[], None]] = [
        lambda: house.accounts.set_password("house:3", PASSWORD),
        lambda: house.accounts.set_password("HOUSE:3", PASSWORD),
        lambda: house.accounts.set_admin("house:3", admin=True),
        lambda: house.closing.close("house:3"),
    ]
    for change in changes:
        with pytest.raises(InvalidPlayer, match="plays for the service"):
            change()
    with house.database.read() as connection:
        row = accounts.find_by_id(connection, PLAYERS[3])
    assert row is not None
    assert (row.name, row.password_hash, row.admin) == ("house:3", None, False)
