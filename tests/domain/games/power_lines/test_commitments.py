"""A hand, a deck, a face-down card cannot be guessed from the commitment to it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement

from domain.game.game import Viewer
from domain.game.options import fill
from domain.json_types import JsonObject
from domain.log.event_format import compute_commitment
from domain.match.events import Event, Seal
from domain.match.views import show_event
from tests.domain.games.power_lines.pictures import GAME, random_match
from tests.support.scenario import Table

EMPTY = ""
SUGGESTED = fill(GAME.settings, {})["deck"]


def hands(most: int) -> Iterable[JsonObject]:
    """Return every hand of so many cards at most: all that a guesser has to try."""
    for size in range(most + 1):
        for cards in combinations_with_replacement(range(11), size):
            yield {"hand": list(cards)}


def guessed(sealed: str, salt: str, most: int) -> JsonObject | None:
    """Return the hand that a commitment is to, found by trying them all."""
    return next((hand for hand in hands(most) if compute_commitment(salt, hand) == sealed), None)


def passed() -> tuple[Event, Seal]:
    """Return a forced pass of a match that showed a hand of a few cards, and its seal."""
    for number in range(60):
        for event in random_match(number, gap=3, turn_limit=60).events:
            if event.kind == "turn-passed" and 1 <= len(event.sealed[0].value["hand"]) <= 4:
                return event, event.sealed[0]
    raise AssertionError("no forced pass with a small hand in 60 matches")


def test_guessing_a_hand_succeeds_when_the_salt_is_emptied_and_fails_with_it() -> None:
    event, seal = passed()
    most = len(seal.value["hand"])
    unsalted = compute_commitment(EMPTY, seal.value)
    assert guessed(unsalted, EMPTY, most) == seal.value
    assert seal.salt is not None
    assert len(seal.salt) == 64
    assert guessed(seal.commitment, EMPTY, most) is None
    assert guessed(seal.commitment, "00" * 32, most) is None
    assert guessed(seal.commitment, seal.salt, most) == seal.value
    spectator = show_event(event, Viewer.SPECTATOR, finished=False)
    assert seal.salt not in repr(spectator)


def test_a_face_down_card_cannot_be_guessed_from_its_commitment() -> None:
    table = Table.started(GAME)
    move = table.legal_moves()[0]
    [event] = table.play(move)
    [seal] = event.sealed
    tries = [{**move, "card": card} for card in range(11)]
    assert [one for one in tries if compute_commitment(EMPTY, one) == seal.commitment] == []
    assert seal.salt is not None
    assert [one for one in tries if compute_commitment(seal.salt, one) == seal.commitment] == [move]
    own = {Viewer.SEAT_1: 1, Viewer.SEAT_2: 2}
    for viewer in (Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR):
        shown = repr(show_event(event, viewer, finished=False))
        assert (seal.salt in shown) == (own.get(viewer) == table.events[-1].fact._asdict()["seat"])


def test_equal_decks_commit_differently_and_the_suggested_deck_is_sealed_like_any_other() -> None:
    table = Table.started(GAME)
    seats = [event for event in table.events if event.kind == "seat-taken"]
    [first], [second] = (event.sealed for event in seats)
    assert first.value == second.value == {"deck": SUGGESTED}
    assert first.commitment != second.commitment
    assert (first.audience, second.audience) == (("seat-1",), ("seat-2",))
    assert compute_commitment(EMPTY, first.value) not in (first.commitment, second.commitment)


def test_deck_orders_are_sealed_for_the_server_alone() -> None:
    table = Table.started(GAME)
    shuffles = [event for event in table.events if event.fact._asdict().get("purpose") == "shuffle"]
    assert len(shuffles) == 2
    for event in shuffles:
        [seal] = event.sealed
        assert seal.audience == ("server",)
        assert sorted(seal.value) == SUGGESTED
        for viewer in (Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR):
            [entry] = show_event(event, viewer, finished=False)["sealed"]
            assert set(entry) == {"for", "commitment"}
