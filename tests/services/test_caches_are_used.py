"""What was read or folded once is not asked for again: a cache nobody looks into would show here.

That a cache never says anything but what the log says is held elsewhere; here it is counted what
is done again in spite of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from domain.match.fold import Fold
from services.accounts import accounts as known_tokens
from services.container import Services
from services.matches.repository import SNAPSHOT_EVERY, Repository
from services.matches.requests import ChangeRequest
from services.store import accounts
from services.store.log import codec
from services.store.people import profiles
from tests.services.people import Table, table

Counting: TypeAlias = Callable[[object, str], list[str]]


@pytest.fixture(autouse=True)
def _a_moment_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is known for a moment be known to the end of the test, on however slow a machine."""
    monkeypatch.setattr(known_tokens, "SECONDS", 3_600)
    monkeypatch.setattr(known_tokens, "NAMES_FOR", 3_600)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """Give a function that notes each call of another one in the list that it returns."""

    def begin(owner: object, name: str) -> list[str]:
        calls: list[str] = []
        original = getattr(owner, name)

        def counted(*values: Any, **named: Any) -> object:  # noqa: ANN401 - whatever it is given
            calls.append(name)
            return original(*values, **named)

        monkeypatch.setattr(owner, name, counted)
        return calls

    return begin


MOVES = 20


@pytest.fixture
def there(house: Services) -> Table:
    """Give a match of some moves, fewer than a snapshot is taken after."""
    long = table(house).start("marathon", {"length": 1_000})
    long.play(*[{"strides": 1}] * MOVES)
    assert long.version < SNAPSHOT_EVERY
    return long


def test_a_match_in_memory_is_shown_without_folding_it(there: Table, counting: Counting) -> None:
    read, folded = counting(codec, "decode_event"), counting(Fold, "add")
    there.shown()
    # The event that the state in memory is of, whose hash is compared.
    assert len(read) == 1
    assert folded == []


def test_a_move_is_decided_on_the_match_in_memory(there: Table, counting: Counting) -> None:
    view = there.shown().view
    request = ChangeRequest(there.player(view.to_act or 1), view.version)
    read, folded = counting(codec, "decode_event"), counting(Fold, "add")
    there.house.matches.play(request, there.match, {"strides": 1})
    assert read == []
    assert folded == []


def test_another_process_remembers_what_it_loaded(there: Table, counting: Counting) -> None:
    house = there.house
    other = Repository(house.games, house.now, house.matches.repository.randomness)
    folded = counting(Fold, "add")
    for expected in (there.version, 0):
        folded.clear()
        with house.database.read() as connection:
            assert other.load(connection, there.match) is not None
        assert len(folded) == expected


def test_a_long_match_is_folded_from_its_newest_snapshot(there: Table, counting: Counting) -> None:
    house = there.house
    there.play(*[{"strides": 1}] * (SNAPSHOT_EVERY + 10 - there.version))
    nobody_remembers = Repository(house.games, house.now, house.matches.repository.randomness)
    read = counting(codec, "decode_event")
    with house.database.read() as connection:
        loaded = nobody_remembers.load(connection, there.match)
    assert loaded is not None
    assert loaded.version == SNAPSHOT_EVERY + 10
    # With the event that the snapshot is of, whose hash is compared.
    assert len(read) == 11


def test_an_earlier_state_is_folded_from_a_snapshot_before_it(
    there: Table, counting: Counting
) -> None:
    house = there.house
    there.play(*[{"strides": 1}] * (SNAPSHOT_EVERY + 10 - there.version))
    repository = house.matches.repository
    folded = counting(Fold, "add")
    with house.database.read() as connection:
        match = repository.load(connection, there.match)
        assert match is not None
        folded.clear()
        earlier = repository.make_past(connection, match.id)(SNAPSHOT_EVERY + 5)
    assert earlier.version == SNAPSHOT_EVERY + 5
    assert len(folded) == 5


def test_a_token_is_looked_up_once_in_a_moment(house: Services, counting: Counting) -> None:
    house.accounts.sign_up("ada", "correct horse battery")
    token = house.accounts.issue_token("ada", "correct horse battery", "laptop")
    asked = counting(accounts, "find_bearer")
    callers = {house.accounts.authenticate(token.token) for _ in range(5)}
    assert len(callers) == 1
    assert len(asked) == 1


def test_names_of_players_are_looked_up_once_in_a_while(there: Table, counting: Counting) -> None:
    there.house.accounts.known_names.forget()
    asked = counting(profiles, "find_names")
    shown = [there.shown() for _ in range(5)]
    assert all(one == shown[0] for one in shown)
    assert len(asked) == 1
