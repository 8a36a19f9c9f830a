"""``./dev bench first-seat``: what it is worth to begin, written beside the rules of each game.

The strongest level of the house plays itself. Each match begins with another opening of two random
moves; since both seats are played alike, to play one again with the seats swapped would be the same
match once more. What came of each match for who began is written into ``first_seat.toml`` of the
game's package, which its page tells of. The same numbers give the same matches on every machine.

    ./dev bench first-seat                       # all games: some four minutes of processor time
    ./dev bench first-seat path-capture 20       # one of them, with 20 matches: nothing is written
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from domain.game.game import AnyGame
from domain.game.options import fill
from domain.games import load_games
from domain.json_types import JsonObject
from domain.search.engine import VERSION, Choice, Question, consider, count_levels
from services.first_seat import DRAWN, FILE, LOST, WON, FirstSeat
from tests.bench.strength import OPTIONS, Contest

GAMES: Final = Path(__file__).parents[2] / "domain" / "games"

MATCHES: Final = {"path-capture": 100, "power-line": 20}
USUAL_MATCHES: Final = 40
"""Of games that are not named in ``MATCHES``, whose matches take longest."""

LEVELS: Final = {"power-lines": 3}
"""In the place of the strongest one, which thinks for minutes in a match."""

HEAD = """\
# Made by: ./dev bench first-seat
# What came of each match for who began it (+ won, = drawn, - lost), both seats being played by this
# level of the house.
"""


def level_of(slug: str) -> int:
    """Return which level plays a game here."""
    return LEVELS.get(slug) or count_levels(load_games().get(slug))


def played(slug: str, options: JsonObject, number: int) -> str:
    """Play the match of this number; return what came of it for who began."""
    game, level = load_games().get(slug), level_of(slug)
    match = Contest(game, fill(game.options, options), number)

    def play(game: AnyGame, question: Question, seed: int) -> Choice:
        return consider(game, question, level, seed)

    winner = match.play((play, play))
    return DRAWN if winner is None else WON if winner == match.began else LOST


def main(arguments: list[str]) -> int:
    """Measure the games that are named, all without names; a number: so many matches of each."""
    numbers = [int(one) for one in arguments if one.isdecimal()]
    slugs = [one for one in arguments if not one.isdecimal()]
    known = {game.slug for game in load_games()}
    if not known.issuperset(slugs):
        print(f"There are: {', '.join(sorted(known))}, and a number of matches.", file=sys.stderr)
        return 2
    with ProcessPoolExecutor() as pool:
        for slug in slugs or sorted(known):
            found = list(_measured(pool, slug, *numbers))
            if not numbers:
                path = GAMES / slug.replace("-", "_") / FILE
                path.write_text(written(found), encoding="utf-8")
    return 0


def _measured(pool: ProcessPoolExecutor, slug: str, most: int = 0) -> Iterator[FirstSeat]:
    matches = most or MATCHES.get(slug, USUAL_MATCHES)
    for options in ({}, *([OPTIONS[slug]] if slug in OPTIONS else [])):
        results = pool.map(played, [slug] * matches, [options] * matches, range(matches))
        one = FirstSeat(options, "".join(results), level_of(slug), VERSION)
        told = f"{slug} {options or ''}: who begins has {one.per_mille / 10} of 100"
        print(f"{told} in {one.matches} matches of level {one.level}", flush=True)
        yield one


def written(found: list[FirstSeat]) -> str:
    """Return the file of what was measured of a game."""
    lines = [HEAD, f'engine = "{found[0].engine}"', f"level = {found[0].level}"]
    for one in found:
        options = ", ".join(f"{name} = {value}" for name, value in one.options.items())
        lines += ["", "[[measured]]", f"options = {{ {options} }}".replace("{  }", "{}")]
        lines.append(f'results = "{one.results}"')
    return "\n".join(lines) + "\n"
