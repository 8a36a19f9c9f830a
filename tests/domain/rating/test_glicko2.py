"""Glicko-2: the paper's worked example, and the same integers whatever the process has set."""

import decimal
from decimal import Decimal

import pytest

from domain.match.house_players import LEVELS
from domain.rating.glicko2 import (
    DRAW,
    INITIAL,
    LOSS,
    WIN,
    Against,
    Rating,
    count_idle_periods,
    rate_idle,
    rate_period,
)
from domain.rating.house_levels import find_level_rating, list_level_scores


def of(rating: float, deviation: float, volatility: float = 0.06) -> Rating:
    return Rating(round(rating * 100), round(deviation * 100), round(volatility * 1_000_000))


EXAMPLE = [
    Against(of(1400, 30), WIN),
    Against(of(1550, 100), LOSS),
    Against(of(1700, 300), LOSS),
]
"""Source: the last section of the paper."""


def test_the_worked_example_of_the_paper() -> None:
    """It says 1464.06, 151.52 and 0.05999, having rounded on its way."""
    found = rate_period(of(1500, 200), EXAMPLE)
    assert found == Rating(146405, 15152, 59996)
    assert abs(found.rating - 146406) <= 1
    assert abs(found.volatility - 59990) < 10


def test_a_first_match_of_two_newcomers() -> None:
    assert rate_period(INITIAL, [Against(INITIAL, WIN)]) == Rating(166231, 29032, 60000)
    assert rate_period(INITIAL, [Against(INITIAL, LOSS)]) == Rating(133769, 29032, 60000)
    assert rate_period(INITIAL, [Against(INITIAL, DRAW)]) == Rating(150000, 29032, 59999)


MANY = [
    (of(1500 + 137 * n % 900, 30 + 53 * n % 320, 0.03 + n % 7 / 100), (WIN, DRAW, LOSS)[n % 3])
    for n in range(60)
]


CHAINED = Rating(192752, 7634, 60024)


def chain() -> Rating:
    own = INITIAL
    for other, score in MANY:
        own = rate_period(own, [Against(other, score)])
    return own


def test_a_chain_of_matches_comes_to_these_integers_everywhere() -> None:
    """They were found on Python 3.11, 3.12 and 3.13; a library that rounds otherwise shows here."""
    assert chain() == CHAINED


def test_what_the_process_has_set_changes_nothing() -> None:
    before = chain()
    with decimal.localcontext() as context:
        context.prec, context.rounding = 5, decimal.ROUND_UP
        assert chain() == before
        assert find_level_rating("grid-power", 5) == HOUSE["grid-power"][4]


@pytest.mark.parametrize("score", [WIN, DRAW, LOSS])
@pytest.mark.parametrize("apart", [0, 500, 2500])
@pytest.mark.parametrize("deviation", [30, 350])
def test_every_search_for_a_volatility_ends(score: Decimal, apart: int, deviation: int) -> None:
    for volatility in (0.000001, 0.06, 0.5):
        own = of(1500, deviation, volatility)
        for other in (of(1500 + apart, 0, 0), of(1500 - apart, 350)):
            found = rate_period(own, [Against(other, score)])
            assert found.deviation > 0
            assert found.volatility >= 0


def test_a_win_never_costs_and_a_surprise_brings_more() -> None:
    weak, strong = of(1300, 80), of(1700, 80)
    own = of(1500, 80)
    against_weak, against_strong = (rate_period(own, [Against(one, WIN)]) for one in (weak, strong))
    assert own.rating < against_weak.rating < against_strong.rating


def test_idle_days_make_periods() -> None:
    day = "2026-{}T22:00:00.000000Z".format
    assert [
        count_idle_periods(day("01-01"), day(then)) for then in ("01-30", "01-31", "03-02")
    ] == [
        0,
        1,
        2,
    ]
    assert count_idle_periods(day("03-02"), day("01-01")) == 0
    assert rate_idle(INITIAL, 5) == INITIAL


def test_a_newcomer_is_provisional_and_who_is_known_is_not() -> None:
    assert INITIAL.provisional
    assert not of(1500, 109.99).provisional


HOUSE = {
    game: [find_level_rating(game, level) for level in range(1, len(points) + 2)]
    for game, points in list_level_scores().items()
}


@pytest.mark.parametrize("game", list_level_scores())
def test_levels_lie_where_their_scores_put_them(game: str) -> None:
    found = [one.rating for one in HOUSE[game] if one]
    assert found == sorted(found)
    assert found[min(3, len(found)) - 1] == 150000
    for weaker, stronger, points in zip(found, found[1:], list_level_scores()[game], strict=False):
        expected = 1 / (1 + 10 ** ((weaker - stronger) / 40000))
        assert abs(expected * 1000 - points) < 0.1
    assert all(one is not None and one.deviation == 0 for one in HOUSE[game])
    assert find_level_rating(game, len(found) + 1) is None
    assert len(found) <= LEVELS
