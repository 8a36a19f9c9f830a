"""Glicko-2: what matches do to a rating, the same integers everywhere.

Source: Mark Glickman, *Example of the Glicko-2 system* (glicko.net/glicko/glicko2.pdf), whose steps
and letters these are. A binary fraction may differ in its last digit from one C library to another,
and every rating rests on those before it. So all is done in ``decimal`` with ``CONTEXT``, whose
``exp``, ``ln`` and ``sqrt`` are correctly rounded: there is one right result, and every Python
finds it. What is kept between two periods are integers.

The library ``glicko2`` (2.1.0) computes with ``float``, and can do nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import NamedTuple

from domain.match.clock import DAY, measure_span

CONTEXT = Context(prec=28, rounding=ROUND_HALF_EVEN)
"""How ratings are computed: never by what the process has set."""

TAU = Decimal("0.5")
"""How fast a volatility may change."""

SCALE = Decimal("173.7178")
MIDDLE = Decimal(1500)
_PI = Decimal("3.141592653589793238462643383")
_NEAR = Decimal("1E-20")
"""Step 5 ends here. The paper stops at 1E-6; then the last stored digit would depend on where."""

HUNDREDTHS, MILLIONTHS = 100, 1_000_000

IDLE = 30 * DAY
"""Microseconds without a match that make a period without one."""

PROVISIONAL_FROM = 110 * HUNDREDTHS
"""With such a deviation a rating says little yet."""

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


class Rating(NamedTuple):
    """A rating and its deviation in hundredths, and its volatility in millionths."""

    rating: int = 1500 * HUNDREDTHS
    deviation: int = 350 * HUNDREDTHS
    volatility: int = 60_000

    @property
    def provisional(self) -> bool:
        """Whether it rests on too few matches to say much."""
        return self.deviation >= PROVISIONAL_FROM


INITIAL = Rating()
"""Of who has never played a rated match."""


def round_rating(hundredths: int) -> int:
    """Return a rating in whole points, as people read it.

    >>> round_rating(166250), round_rating(166251)
    (1662, 1663)
    """
    return round(Decimal(hundredths) / HUNDREDTHS)


class Against(NamedTuple):
    """A match of a period: the other player's rating before it, and the score of one's own."""

    rating: Rating
    score: Decimal


class _Scaled(NamedTuple):
    """A rating on the scale of Glicko-2."""

    mu: Decimal
    phi: Decimal
    sigma: Decimal


def rate_period(own: Rating, period: Sequence[Against]) -> Rating:
    """Return a rating after a period in which these matches were played, at least one.

    >>> rate_period(INITIAL, [Against(INITIAL, WIN)])
    Rating(rating=166231, deviation=29032, volatility=60000)
    """
    with localcontext(CONTEXT):
        mu, phi, sigma = _scale(own)
        steps = [_compute_step(mu, one) for one in period]
        variance = 1 / sum((g * g * e * (1 - e) for g, e, _ in steps), Decimal(0))
        gained = sum((g * (score - e) for g, e, score in steps), Decimal(0))
        sigma = _compute_volatility(phi, sigma, variance, variance * gained)
        phi = 1 / (1 / (phi * phi + sigma * sigma) + 1 / variance).sqrt()
        mu += phi * phi * gained
        return Rating(
            round((mu * SCALE + MIDDLE) * HUNDREDTHS),
            round(phi * SCALE * HUNDREDTHS),
            round(sigma * MILLIONTHS),
        )


def rate_idle(own: Rating, periods: int) -> Rating:
    """Return a rating after periods without a match: it is less sure, at most as for a newcomer.

    >>> rate_idle(Rating(150000, 5000), 1), rate_idle(Rating(150000, 5000), 10**6).deviation
    (Rating(rating=150000, deviation=5107, volatility=60000), 35000)
    """
    if not periods:
        return own
    with localcontext(CONTEXT):
        _, phi, sigma = _scale(own)
        grown = round((phi * phi + periods * sigma * sigma).sqrt() * SCALE * HUNDREDTHS)
        return own._replace(deviation=max(own.deviation, min(grown, INITIAL.deviation)))


def count_idle_periods(last_at: str, at: str) -> int:
    """Return how many periods without a match lie between two instants."""
    return max(0, measure_span(last_at, at)) // IDLE


def _compute_step(mu: Decimal, other: Against) -> tuple[Decimal, Decimal, Decimal]:
    """Return g and E of a match (steps 3 and 4), and its score."""
    theirs = _scale(other.rating)
    g = 1 / (1 + 3 * theirs.phi * theirs.phi / (_PI * _PI)).sqrt()
    return g, 1 / (1 + (-g * (mu - theirs.mu)).exp()), other.score


def _compute_volatility(phi: Decimal, sigma: Decimal, variance: Decimal, delta: Decimal) -> Decimal:
    """Return the new volatility: step 5, the Illinois algorithm."""
    start = (sigma * sigma).ln()

    def f(x: Decimal) -> Decimal:
        power = x.exp()
        whole = phi * phi + variance + power
        curve = power * (delta * delta - whole) / (2 * whole * whole)
        return curve - (x - start) / (TAU * TAU)

    a, b = start, _compute_other_end(f, start, delta * delta - phi * phi - variance)
    f_a, f_b = f(a), f(b)
    while abs(b - a) > _NEAR:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return (a / 2).exp()


def _compute_other_end(
    f: Callable[[Decimal], Decimal], start: Decimal, surprise: Decimal
) -> Decimal:
    """Return the end of the interval in which the new volatility lies: step 5.2."""
    if surprise > 0:
        return surprise.ln()
    end = start - TAU
    while f(end) < 0:
        end -= TAU
    return end


def _scale(own: Rating) -> _Scaled:
    return _Scaled(
        (Decimal(own.rating) / HUNDREDTHS - MIDDLE) / SCALE,
        Decimal(own.deviation) / HUNDREDTHS / SCALE,
        Decimal(own.volatility) / MILLIONTHS,
    )
