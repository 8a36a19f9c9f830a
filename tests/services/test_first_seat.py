"""What it is worth to begin: the files are what the command makes, and their sums are right."""

from __future__ import annotations

from importlib.resources import files

import pytest

from domain.games import load_games
from domain.search.engine import VERSION, count_levels
from services.first_seat import DRAWN, FILE, LOST, WON, FirstSeat, find_usual, load_first_seat
from tests.bench.first_seat import level_of, played, written
from tests.support.games.whisper import WHISPER

GAMES = {game.slug: game for game in load_games()}


@pytest.mark.parametrize("slug", GAMES)
def test_a_file_is_what_the_command_writes_with_this_engine(slug: str) -> None:
    """If it is not any more: ./dev bench first-seat."""
    found = load_first_seat(slug)
    path = files("domain.games") / slug.replace("-", "_") / FILE
    assert written([*found]) == path.read_text(encoding="utf-8")
    assert not found[0].options
    for one in found:
        assert set(one.results) <= {WON, DRAWN, LOST}
        assert one.engine == VERSION
        assert one.level == level_of(slug) <= count_levels(GAMES[slug])


def test_its_matches_can_be_played_again() -> None:
    [kept] = load_first_seat("path-capture")
    assert "".join(played("path-capture", {}, number) for number in range(3)) == kept.results[:3]


@pytest.mark.parametrize(
    ("results", "per_mille", "give"),
    [("+", 1000, 0), ("-", 0, 0), ("=", 500, 0), ("+-=", 500, 47), ("+" * 60 + "-" * 40, 600, 10)],
)
def test_a_win_is_a_point_and_a_draw_is_half_of_one(
    results: str, per_mille: int, give: int
) -> None:
    one = FirstSeat({}, results, 1, VERSION)
    assert (one.matches, one.per_mille, one.give) == (len(results), per_mille, give)


def test_a_game_that_was_not_measured_has_nothing() -> None:
    assert load_first_seat(WHISPER.slug) == ()
    assert find_usual(WHISPER.slug) is None
