"""Random matches held against the page said once more."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.game.game import Act, Draw, Over, Pass, Step
from domain.game.options import fill
from domain.games.power_lines.position import Position
from domain.json_types import JsonObject
from domain.log.chance import ChanceSource, Dice
from tests.domain.games.power_lines import reference as page
from tests.domain.games.power_lines import reference_play as again
from tests.domain.games.power_lines.pictures import GAME, random_deck, random_move, state

LIMIT = 20


def dealt(random: Random, gap: int, number: int) -> Position:
    options = fill(GAME.options, {"gap": gap, "turn_limit": LIMIT})
    settings = ({"deck": random_deck(random)}, {"deck": random_deck(random)})
    position = GAME.set_up(options, settings)
    for draw in range(3):
        step = GAME.get_next_step(position)
        assert isinstance(step, Draw)
        position = GAME.draw(position, step.purpose, step.seat, outcome(step, number, draw))
    return thinned(position, random) if number % 2 else position


def thinned(position: Position, random: Random) -> Position:
    """Take most of both decks away, so that what happens without cards happens soon."""
    for seat in (1, 2):
        side = position.get_side(seat)
        position = position.replace_side(
            seat, side._replace(deck=side.deck[: random.randint(0, 4)])
        )
    return position


def outcome(step: Draw, number: int, draw: int) -> Any:  # noqa: ANN401 - JSON
    return step.sample(Dice(ChanceSource(f"{number:064x}", "reference", (None, None)), draw))


def agrees(position: Position, expected: JsonObject, reason: str, gap: int) -> Step:
    """Hold a position against the reference's state and end; return what comes next."""
    assert again.plain(state(position)) == again.plain(expected)
    step = GAME.get_next_step(position)
    if reason:
        assert step == Over(again.winner(expected, gap), reason)
        return step
    seat = page.to_act(expected)
    moves = page.moves(expected, seat, expected["actions_left"])
    hand = {"hand": expected["players"][seat - 1]["hand"]}
    assert step == (Act(seat) if moves else Pass(seat, shown=hand))
    assert [GAME.dump_move(move) for move in GAME.iter_legal_moves(position)] == moves
    return step


def followed(position: Position, gap: int, number: int) -> set[str]:
    """Play a random match beside the reference; return the kinds of things that happened."""
    random, seen, draws = Random(number), set[str](), 3
    step = agrees(position, state(position), "", gap)
    while not isinstance(step, Over):
        before = state(position)
        if isinstance(step, Pass):
            position = GAME.forfeit(position)
            after, reason = again.passed(before, LIMIT)
            seen.add("pass")
        else:
            move = random_move([GAME.dump_move(m) for m in GAME.iter_legal_moves(position)], random)
            position = GAME.play(position, GAME.parse_move(move))
            awaited = again.play(before, move)
            waiting = GAME.get_next_step(position)
            assert isinstance(waiting, Draw) == bool(awaited.purpose)
            after = awaited.state
            if isinstance(waiting, Draw):
                assert (waiting.purpose, waiting.seat) == awaited[1:]
                drawn = outcome(waiting, number, draws)
                draws += 1
                position = GAME.draw(position, waiting.purpose, waiting.seat, drawn)
                after = again.draw(awaited, drawn)
                seen.add(waiting.purpose)
            after, reason = again.settled(after, LIMIT)
            seen |= {move["action"], *(one["kind"] for one in after["pending"])}
        step = agrees(position, after, reason, gap)
    return seen | {step.reason}


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 6))
@example(1, 3)
def test_random_matches_agree_with_the_page_said_again(number: int, gap: int) -> None:
    assert followed(dealt(Random(number), gap, number), gap, number)


def test_the_matches_compared_have_everything_in_them() -> None:
    seen = set[str]()
    for number in (0, 1, 3, 4, 9, 20, 21):
        seen |= followed(dealt(Random(number), 3, number), 3, number)
    assert seen >= {"place", "draw", "shuffle", "dominate", "play", "discard", "decline"}
    assert seen >= {"free_discard", "free_dominate", "free_play", "trash", "pass"}
    assert seen >= {"stalled", "turn-limit"}
