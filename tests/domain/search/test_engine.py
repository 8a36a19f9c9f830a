"""A house player makes legal moves, the same ones each time, and knows what its seat sees."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from domain.game.game import Act, AnyGame, Over, Viewer
from domain.games import load_games
from domain.games.path_capture import PATH_CAPTURE
from domain.games.power_lines import POWER_LINES
from domain.match.state import Match
from domain.search.engine import Question, choose, count_levels
from tests.domain.games.power_lines.test_twin_matches import decks, other_truth
from tests.domain.playouts import Case, playout
from tests.domain.twins import step, twins
from tests.support.games import MARATHON, WHISPER, test_games
from tests.support.scenario import Table


def asked(match: Match) -> Question:
    """Return what the seat to act knows of a match."""
    acting = match.find_step()
    assert isinstance(acting, Act)
    viewer = Viewer.from_seat(acting.seat)
    sight = match.game.view(match.started, viewer, False)  # noqa: FBT003 - as Game has it
    return Question(sight, acting.seat, match.options)


def games() -> list[AnyGame]:
    """Return the games that a house player plays."""
    return [game for game in test_games().iter_versions() if count_levels(game)]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.slug}-{game.rules_version}")
def test_every_level_makes_a_legal_move_and_makes_it_again(game: AnyGame) -> None:
    acting = playout(Case(game.slug, game.rules_version, 0)).acting
    for number, moment in enumerate(acting[:: len(acting) // 3]):
        for level in range(1, count_levels(game) + 1 if moment.to_act else 1):
            move = choose(game, asked(moment), level, seed=number)
            assert move in [*game.iter_legal_moves(moment.started)]
            assert choose(game, asked(moment), level, seed=number) == move


def test_each_of_our_games_has_levels() -> None:
    carried = {game.slug: count_levels(game) for game in load_games()}
    assert carried.pop("path-capture") == 2
    assert set(carried.values()) <= {4, 5}
    assert count_levels(test_games().get(WHISPER.slug)) == 0, "nobody can complete a view of it"
    assert count_levels(test_games().get(MARATHON.slug)) == 4, (
        "a game that offers nothing but its rules"
    )


def test_what_a_seat_does_not_see_changes_no_move() -> None:
    compared = 0
    for number in range(4):
        viewer, random = Viewer.from_seat(1 + number % 2), Random(number)
        pair = twins(
            POWER_LINES, POWER_LINES, viewer, number, settings=decks, other_truth=other_truth
        )
        for _ in range(24):
            if pair.differ and pair.first.match.to_act == viewer.seat:
                level = 1 + compared % count_levels(pair.first.game)
                moves = [
                    choose(table.game, asked(table.match), level, seed=5)
                    for table in (pair.first, pair.second)
                ]
                assert moves[0] == moves[1]
                compared += 1
            if not step(pair, random):
                break
    assert compared > 15


def test_perfect_play_of_path_capture_wins_what_can_be_won() -> None:
    for length in range(5, 20):
        table = Table.started(PATH_CAPTURE, options={"length": length})
        wins = (length - 1) % 4 != 0
        random = Random(length)
        while not table.match.over:
            game, match = table.game, table.match
            if (match.to_act == 1) == wins:
                move = choose(game, asked(match), 2, seed=length)
            else:
                move = random.choice([*game.iter_legal_moves(match.started)])
            table.play(game.dump_move(move))
        end = table.game.get_next_step(table.match.started)
        assert isinstance(end, Over)
        assert end.winner == (1 if wins else 2)


GOLDEN = {
    "energy-capture": ("2,1 2,1 3,1 3,1 5,2 3,2 5,5 3,5 5,1 5,1"),
    "grid-power": ("9@2,2 9@2,2 9@2,2 9@2,2 6@1,2 6@1,2 2@1,1 2@1,1 9@2,1 9@2,1"),
    "marathon": ("1 1 1 1 3 1"),
    "power-line": ("0=1 1=1 1=5 1=5 1=3 1=1 1=4 1=5 2=5 2=5 2=1 2=1"),
    "power-lines": ("place 0@1,0 place 0@1,0 draw draw draw draw 8@3,0 -9 8@3,0 -9"),
}
"""The moves of levels 2 and 3 at some moments of a match that was played at random.

Whatever changes one of them raises the engine's ``VERSION``, by which ``verify --house`` knows that
a match of the release before is not to be repeated.
"""


@pytest.mark.parametrize("slug", GOLDEN)
def test_the_same_moves_are_made_on_every_machine(slug: str) -> None:
    assert " ".join(chosen(slug)) == GOLDEN[slug]


def chosen(slug: str) -> Iterator[str]:
    """Yield what is chosen, in the game's notation."""
    acting = playout(Case(slug, 1, 1)).acting
    for number, moment in enumerate(acting[:: max(1, len(acting) // 4)]):
        for level in (2, 3) if count_levels(moment.game) > 2 and moment.to_act else ():
            move = choose(moment.game, asked(moment), level, seed=number)
            yield moment.game.notation.write(moment.game.dump_move(move))
