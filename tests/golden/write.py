"""Write the golden matches: `python -m tests.golden.write`.

A match that is there keeps its moves, as long as the rules still allow them and it still
comes to its end; else one is looked for among random matches, the shortest of a batch.
What is too rare for that begins as a file with nothing but the record, its steps made by hand.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from random import Random

from domain.errors import Refusal
from tests.golden.transcript import Record, parse, played, render
from tests.golden.wanted import HERE, Wanted, wanted
from tests.support.games import test_games
from tests.support.scenario import Table

BATCH = 25
"""Among so many matches the shortest that fits is taken ..."""

MOST = 5_000
"""... and none beyond this number is looked at."""


def record(match: Wanted, seed: int) -> Record | None:
    """Play one random match; return it if it fits."""
    secret = sha256(f"{match.slug} {seed}".encode()).hexdigest()
    game, random = test_games().get(match.slug, match.rules_version), Random(seed)
    settings = (match.settings, match.settings)
    table = Table.started(game, options=match.options, settings=settings, secret=secret)
    steps: list[str] = []
    while not table.match.over and not (match.steps and len(steps) == match.moves):
        move = random.choice(table.legal_moves())
        steps.append(game.notation.write(move))
        table.play(move)
    if match.steps and table.match.over:
        return None  # before anybody could do what the match is to end by
    made = Record(
        match.slug,
        match.rules_version,
        match.options,
        [*settings],
        secret,
        [*steps, *match.steps],
    )
    final = played(made).match if match.steps else table.match
    return made if match.fits(final) else None


def found(match: Wanted) -> Record:
    """Return the shortest fitting match of the first batch that has one."""
    for start in range(0, MOST, BATCH):
        made = [record(match, seed) for seed in range(start, start + BATCH)]
        if any(made):
            return min(filter(None, made), key=lambda one: len(one.steps))
    raise SystemExit(f"No match of {match.slug} comes to {match.name}.")


def kept(match: Wanted) -> Record | None:
    """Return the match that is there, if it is still one."""
    if not match.path.exists():
        return None
    there = parse(match.path.read_text())
    try:
        is_there = (there.rules_version, there.options, there.settings[0])
        as_wished = is_there == (match.rules_version, match.options, match.settings)
        return there if as_wished and match.fits(played(there).match) else None
    except Refusal:
        return None


def main() -> None:
    """Write those of the games named on the command line, or all; remove what nobody wants."""
    slugs = sys.argv[1:]
    due = [match for match in wanted() if not slugs or match.slug in slugs]
    paths = {match.path for match in due}
    for path in HERE.glob("*/*.txt"):
        if path not in paths and (not slugs or path.parent.name in slugs):
            path.unlink()
    for match in due:
        text = render(kept(match) or found(match))
        match.path.parent.mkdir(exist_ok=True)
        match.path.write_text(text)


if __name__ == "__main__":
    main()
