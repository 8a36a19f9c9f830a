"""The event format byte for byte: worked values, and RFC 8785 as an independent oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from domain.game.game import Draw, Viewer
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource, Dice, pick, shuffle, toss_coin
from domain.log.event_format import (
    GENESIS,
    compute_commitment,
    hash_bytes,
    restore_body,
    write_canonical,
)
from domain.match.decisions.draft import draw_provably
from domain.match.events import BOTH_SEATS, SERVER, Proposal, Secret, TurnPassed, chain_events
from domain.match.views import show_event
from tests.support.games import test_games

VECTORS: dict[str, Any] = orjson.loads(Path(__file__).with_name("vectors.json").read_bytes())
BYTES = bytes(range(32)).hex()
SOURCE = ChanceSource(BYTES, "0" * 16, (None, None))
SUGGESTED = [card for card in range(11) for _ in range(3 if 3 <= card <= 6 else 2)]

texts = st.text(st.characters(exclude_categories=["Cs"]))
keys = st.text(st.characters(max_codepoint=127))
whole = st.integers(-(2**53) + 1, 2**53 - 1)
json_values = st.recursive(
    st.none() | st.booleans() | whole | texts,
    lambda inner: st.lists(inner) | st.dictionaries(keys, inner),
    max_leaves=20,
)


def passed() -> list[Any]:
    secret = Secret(BOTH_SEATS, VECTORS["seal"]["value"])
    return chain_events(
        [Proposal(TurnPassed(1, "no-legal-move"), SERVER, (secret,))],
        match="0" * 16,
        version=0,
        previous=GENESIS,
        at="2026-11-27T22:03:11.482913Z",
        salt=lambda: BYTES,
    )


def test_a_seal_has_its_worked_commitment() -> None:
    seal = VECTORS["seal"]
    assert compute_commitment(BYTES, seal["value"]) == seal["commitment"]


def test_an_event_has_its_worked_bytes_and_hash() -> None:
    [event] = passed()
    assert event.body == VECTORS["event"]["canonical"].encode()
    assert event.hash == hash_bytes(event.body) == VECTORS["event"]["hash"]


@pytest.mark.parametrize("viewer", Viewer)
def test_what_a_viewer_is_shown_hashes_to_the_same(viewer: Viewer) -> None:
    [event] = passed()
    shown = show_event(event, viewer, finished=False)
    assert hash_bytes(restore_body(shown)) == shown["hash"] == VECTORS["event"]["hash"]


@pytest.mark.parametrize(
    ("name", "number", "draw"),
    [
        ("coin, draw 1", 1, Draw("first", toss_coin)),
        ("shuffle of the suggested deck, draw 2", 2, Draw("shuffle", shuffle(SUGGESTED[::-1]))),
    ],
)
def test_a_draw_has_its_worked_outcome(name: str, number: int, draw: Draw) -> None:
    assert draw_provably(SOURCE, number, draw) == VECTORS["dice"][name]


def test_the_setup_of_a_game_has_its_worked_outcome() -> None:
    game = test_games().get("energy-capture")
    options: JsonObject = {option.name: option.default for option in game.options}
    draw = game.get_next_step(game.set_up(options, ({}, {})))
    assert isinstance(draw, Draw)
    outcome = draw_provably(SOURCE, 1, draw)
    assert outcome == VECTORS["dice"]["setup of Energy Capture, draw 1"]


@given(json_values)
@example('\u0000\b\t\n\f\r\u001f"\\/\u007f\u0080\u2028\ufeff\U0001f600')
@example({"b": 1, "a": 2, "A": 3, "": 4, "aa": 5, "\u007f": 6, "\u0000": 7})
@example([2**53 - 1, 1 - 2**53, 0, [], {}, None, True, False])
def test_canonical_json_is_that_of_rfc_8785(value: Json) -> None:
    assert write_canonical(value) == rfc8785.dumps(value)


@given(st.integers(1, 2**64 - 1), st.integers(0, 50))
def test_a_number_is_below_its_bound_and_always_the_same(bound: int, draw: int) -> None:
    numbers = [Dice(SOURCE, draw).draw_below(bound) for _ in range(2)]
    assert 0 <= numbers[0] < bound
    assert numbers[0] == numbers[1]


def test_words_beyond_the_last_whole_multiple_are_skipped() -> None:
    # Nearly every second word is refused by this bound, so that the stream goes on.
    bound = 2**63 + 1
    dice, words = Dice(SOURCE, 1), Dice(SOURCE, 1)
    stream = [words.draw_below(2**64) for _ in range(100)]
    fitting = [word for word in stream if word < bound]
    assert len(fitting) < len(stream)
    assert [dice.draw_below(bound) for _ in fitting] == fitting


@pytest.mark.parametrize("items", [[], [7], [3, 1, 2], [2, 2, 2, 1]])
def test_a_shuffle_keeps_the_cards_whatever_their_order_before(items: list[int]) -> None:
    shuffled = shuffle(items)(Dice(SOURCE, 3))
    assert sorted(shuffled) == sorted(items)
    assert shuffled == shuffle(items[::-1])(Dice(SOURCE, 3))


def test_every_input_of_the_dice_matters() -> None:
    sources = [
        SOURCE,
        ChanceSource("01" * 32, "0" * 16, (None, None)),
        ChanceSource(BYTES, "1" * 16, (None, None)),
        ChanceSource(BYTES, "0" * 16, (BYTES, None)),
        ChanceSource(BYTES, "0" * 16, (None, BYTES)),
    ]
    streams = [(source, draw) for source in sources for draw in (1, 2)]
    numbers = {Dice(source, draw).draw_below(2**64) for source, draw in streams}
    assert len(numbers) == len(streams)


def test_coins_and_picks_are_fair() -> None:
    coins = [toss_coin(Dice(SOURCE, draw)) for draw in range(2_000)]
    assert set(coins) == {1, 2}
    assert 900 < coins.count(1) < 1_100
    picks = [pick(5)(Dice(SOURCE, draw)) for draw in range(2_000)]
    assert set(picks) == set(range(5))
    assert all(300 < picks.count(number) < 500 for number in range(5))
