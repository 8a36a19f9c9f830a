"""Readers are woken after the answer to a move, few at a time, and for what others did, too."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from services.runtime import notifier
from services.runtime.notifier import Ear, Notifier

HEADS: dict[str, str] = {}
LOG: list[str] = []
"""Whose match each event was of."""


def since(place: object) -> tuple[int, list[str | None]]:
    return len(LOG), [None, *LOG[place:]] if isinstance(place, int) else []


@pytest.fixture
def waker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notifier]:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 60.0)
    HEADS.clear()
    LOG.clear()
    made = Notifier(lambda matches: {one: HEADS[one] for one in matches if one in HEADS}, since)
    yield made
    made.close()


def rung(ears: list[Ear]) -> int:
    return sum(ear.wait(0) for ear in ears)


def test_nobody_is_woken_before_the_answer_has_had_its_moment(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[int] = []
    ears = [waker.watch("m") for _ in range(3)]
    monkeypatch.setattr(notifier, "sleep", lambda _: slept.append(rung(ears)))
    waker.wake("m", "ab")
    assert all(ear.wait(30) for ear in ears)
    assert slept[0] == 0


def test_a_thousand_readers_are_woken_in_portions(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[int] = []
    ears = [waker.watch("m") for _ in range(1000)]
    last = waker.watch("other")
    monkeypatch.setattr(notifier, "sleep", lambda _: woken.append(rung(ears)))
    waker.wake("m", "ab")
    waker.wake("other", "cd")
    assert last.wait(30)
    woken.append(rung(ears))
    assert sum(woken) == 1000
    assert max(woken) <= notifier.PORTION


def test_what_other_processes_did_is_seen_by_a_look(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 0.02)
    HEADS.update({"m": "1", "other": "1"})
    ear, other = waker.watch("m"), waker.watch("other")
    # The first look cannot know what came before it.
    assert ear.wait(30)
    assert other.wait(30)
    before = waker.get_last_progress("m")
    HEADS["m"] = "2"
    assert ear.wait(30)
    assert waker.get_last_progress("m") > before
    assert not other.wait(0.2)


def test_what_is_announced_here_is_not_announced_again_by_a_look(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 0.02)
    HEADS["m"] = "1"
    ear = waker.watch("m")
    assert ear.wait(30)
    HEADS["m"] = "2"
    waker.wake("m", "2")
    assert ear.wait(30)
    assert not ear.wait(0.2)


def test_players_are_called_and_everybody_is_woken_at_the_end(waker: Notifier) -> None:
    ada, bob, match = waker.listen("ada"), waker.listen("bob"), waker.watch("m")
    waker.hint("ada", None)
    assert ada.wait(30)
    assert not bob.wait(0.05)
    waker.wake_all()
    assert all(ear.wait(0) for ear in (ada, bob, match))


def test_who_listens_is_called_for_what_other_processes_did(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 0.02)
    LOG.append("ada")
    ada, bob = waker.listen("ada"), waker.listen("bob")
    # The first look cannot know what came before it.
    assert ada.wait(30)
    assert bob.wait(30)
    before = waker.get_last_hint("ada"), waker.get_last_hint("bob")
    LOG.append("ada")
    assert ada.wait(30)
    assert not bob.wait(0.2)
    assert waker.get_last_hint("ada") > before[0]
    assert waker.get_last_hint("bob") == before[1]


def test_nothing_is_looked_for_where_nobody_waits(
    waker: Notifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY", 0.02)
    asked: list[object] = []

    def look(what: object) -> tuple[object, tuple[()]]:
        asked.append(what)
        return what, ()

    monkeypatch.setattr(waker, "_heads", look)
    monkeypatch.setattr(waker, "_since", look)
    waker.leave("ada", waker.listen("ada"))
    waker.leave("m", waker.watch("m"))
    time.sleep(0.1)
    asked.clear()
    time.sleep(0.1)
    assert asked == []


def test_who_has_left_is_not_woken(waker: Notifier) -> None:
    gone, there = waker.watch("m"), waker.watch("m")
    waker.leave("m", gone)
    waker.wake("m", "ab")
    assert there.wait(30)
    assert not gone.wait(0)


def test_what_was_known_before_everybody_left_is_never_taken_for_present(waker: Notifier) -> None:
    def known(*, gone_on: bool) -> int:
        ear = waker.watch("m")
        if gone_on:
            waker.wake("m", "ab")
        number = waker.get_last_progress("m")
        waker.leave("m", ear)
        return number

    numbers = [known(gone_on=gone_on) for gone_on in (False, True, False, True)]
    assert len(set(numbers)) == len(numbers)
