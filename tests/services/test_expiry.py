"""What is kept for a while is gone after it: the sweep, which runs by itself, removes it."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from services.container import Services
from services.errors import Unauthenticated
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from tests.services.conftest import Clock

PASSWORD = "correct horse battery"


def rows(house: Services, table: str) -> int:
    with house.database.read() as connection:
        return int(connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


def create(house: Services, player: str, key: str) -> CommandResult:
    record: Repeatable[CommandResult] = Repeatable(
        key, "f" * 64, lambda _: StoredAnswer(201, {}, b"{}")
    )
    new = NewMatch("path-capture", visibility="unlisted")
    return house.matches.create(ChangeRequest(player, record=record), new)


def test_answers_are_forgotten_behind_the_day_that_is_promised(
    house: Services, clock: Clock
) -> None:
    player = house.accounts.get_local_player("ada").id
    for number in range(3):
        create(house, player, f"early {number}")
    clock.advance(hours=24)
    assert house.sweeping.sweep().expired == 0
    create(house, player, "late")
    assert rows(house, "idempotency") == 4
    clock.advance(hours=24, seconds=1)
    assert house.sweeping.sweep().expired == 3
    assert rows(house, "idempotency") == 1
    clock.advance(days=2)
    assert house.sweeping.sweep().expired == 1
    assert rows(house, "idempotency") == 0


def test_many_answers_are_forgotten_in_one_sweep(house: Services, clock: Clock) -> None:
    player = house.accounts.get_local_player("ada").id
    create(house, player, "one")
    with house.database.write() as connection:
        for number in range(1_200):
            connection.execute(
                text(
                    "INSERT INTO idempotency SELECT player, :k, fingerprint, status, headers, body,"
                    " created_at FROM idempotency WHERE \"key\" = 'one'"
                ),
                {"k": f"many {number}"},
            )
    clock.advance(days=3)
    assert house.sweeping.sweep().expired == 1_201
    assert rows(house, "idempotency") == 0


def test_sessions_go_when_they_expire_though_nobody_logs_in(house: Services, clock: Clock) -> None:
    session = house.sessions.sign_up("ada", PASSWORD, None)
    assert house.sweeping.sweep().expired == 0
    assert house.sessions.find(session) is not None
    clock.advance(days=house.settings.session_days, seconds=1)
    assert house.sweeping.sweep().expired == 1
    assert rows(house, "sessions") == 0


def test_tokens_are_listed_for_a_while_behind_their_end_and_go_then(
    house: Services, clock: Clock
) -> None:
    ada = house.accounts.sign_up("ada", PASSWORD)
    token = house.accounts.issue_token("ada", PASSWORD, "bot", ("match:read",))
    clock.advance(days=house.settings.token_days, seconds=1)
    with pytest.raises(Unauthenticated):
        house.accounts.authenticate(token.token)
    assert house.sweeping.sweep().expired == 0
    assert len(house.accounts.list_tokens(ada.id)) == 1
    clock.advance(days=30)
    assert house.sweeping.sweep().expired == 1
    assert house.accounts.list_tokens(ada.id) == []
