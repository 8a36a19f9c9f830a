"""Tokens that were looked up a moment ago."""

import pytest

from services.accounts import accounts
from services.accounts.accounts import KnownTokens


def test_what_was_learned_is_known_for_a_moment() -> None:
    now = 0.0
    known: KnownTokens[str] = KnownTokens(alone=True, clock=lambda: now)
    known.learn("digest", "ada", known.generation)
    assert known.get("digest") == "ada"
    assert known.get("another") is None
    now = accounts.SECONDS
    assert known.get("digest") is None


def test_a_revocation_forgets_all_and_what_was_being_learned() -> None:
    known: KnownTokens[str] = KnownTokens(alone=True)
    before = known.generation
    known.learn("digest", "ada", before)
    known.forget()
    assert known.get("digest") is None
    known.learn("digest", "ada", before)
    assert known.get("digest") is None


def test_one_among_several_processes_keeps_nothing() -> None:
    known: KnownTokens[str] = KnownTokens(alone=False)
    known.learn("digest", "ada", known.generation)
    assert known.get("digest") is None


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "SIZE", 2)
    known: KnownTokens[int] = KnownTokens(alone=True)
    for number in range(3):
        known.learn(str(number), number, known.generation)
    assert [known.get(str(number)) for number in range(3)] == [None, 1, 2]
