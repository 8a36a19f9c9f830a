"""The puzzles of the demo: ten a game, proven, the same whoever composes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import process_time

import pytest

from domain.games import load_games
from domain.search.puzzles import PuzzleSearch
from seeds import puzzles
from services.container import Services
from services.puzzles.stored import play_start
from services.runtime.settings import Settings
from tests.seeds.puzzles import EACH, PLAYS, of_match


@pytest.fixture
def house(migrated_url: str) -> Iterator[Services]:
    built = Services(Settings(database_url=migrated_url))
    yield built
    built.close()


OPEN = {"energy-capture", "grid-power", "path-capture", "power-line"}
"""The games of the demo without secrets; a game that comes later need not have puzzles."""


def test_there_are_ten_a_game_for_every_game_without_secrets() -> None:
    assert PLAYS.keys() == OPEN
    assert Counter(one.game for one in puzzles.read_composed()) == dict.fromkeys(OPEN, EACH)
    assert len({row.id for row in puzzles.list_rows()}) == EACH * len(OPEN)
    paths = [one.options["length"] for one in puzzles.read_composed() if one.game == "path-capture"]
    assert min(paths) > 11


@pytest.mark.parametrize("slug", sorted(OPEN))
def test_each_game_has_easy_and_hard_ones_and_each_second_is_proven_anew(slug: str) -> None:
    ours = [one for one in puzzles.read_composed() if one.game == slug]
    assert len({one.difficulty for one in ours}) >= 3
    for one in ours[::2]:
        game = load_games().get(slug)
        board = play_start(game, one.start)
        found = PuzzleSearch(game, board.options, 200_000).find_puzzle(board.position, one.seat)
        assert found is not None
        line = tuple(board.show_move(move)["text"] for move in found.line)
        assert (found.aim, line, found.difficulty) == (one.aim, one.line, one.difficulty)


def test_the_moves_that_lead_there_are_legal() -> None:
    for one in puzzles.read_composed():
        game = load_games().get(one.game)
        board = play_start(game, one.start._replace(moves=()))
        for text in (*one.moves, *one.line):
            move = board.read(text)
            assert game.check_move(board.position, move) is None
            board.play(move)


def test_who_composes_them_anew_gets_the_same() -> None:
    made = of_match(load_games().get("energy-capture"), 0)
    assert made == of_match(load_games().get("energy-capture"), 0)
    again = [one for number in range(6) for one in of_match(load_games().get("grid-power"), number)]
    ours = [one for one in puzzles.read_composed() if one.game == "grid-power"]
    assert [one for one in again if one in ours]


def test_loading_them_takes_next_to_no_time_and_once_is_enough(house: Services) -> None:
    """Nothing is proven: 40 puzzles are moves played in memory."""
    begun = process_time()
    assert house.puzzle_finder.add(puzzles.list_rows()) == 40
    assert process_time() - begun < 1.5
    assert house.puzzle_finder.add(puzzles.list_rows()) == 0
    assert len(house.puzzles.list_page(None, limit=100).listed) == 40
