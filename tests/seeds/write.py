"""Add demo matches where an ending of a game is not shown: `python -m tests.seeds.write`.

The moves are drawn among the legal ones, the shortest match of a batch is taken. What is there
stays. Who wants matches that show more writes them by hand, in the game's `demo.toml`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from domain.game.game import AnyGame
from domain.games import load_games
from seeds.scripts import Script, read_scripts
from tests.support.scenario import Table

GAMES = Path(__file__).parents[2] / "domain" / "games"
PLAYERS = (("ada", "brook"), ("cleo", "dov"), ("esra", "finn"))

BATCH = 25
"""Among so many matches the shortest that fits is taken ..."""

MOST = 2_000
"""... and none beyond this number is looked at."""

HEAD = "# Matches for show; seeds/scripts.py says what the members mean.\n"


def course(game: AnyGame, script: Script, seed: int) -> tuple[list[str], Table]:
    """Play a random match with the dice of a script; return its moves in notation."""
    table = Table.started(game, match=script.match_id, secret=script.secret)
    random, moves = Random(seed), list[str]()
    while not table.match.over:
        move = random.choice(table.legal_moves())
        moves.append(game.notation.write(move))
        table.play(move)
    return moves, table


def found(game: AnyGame, script: Script, ending: str) -> tuple[list[str], int | None] | None:
    """Return moves of a short match that comes to an ending, and its winner."""
    for start in range(0, MOST, BATCH):
        courses = [course(game, script, seed) for seed in range(start, start + BATCH)]
        fitting = [one for one in courses if one[1].match.reason == ending]
        if fitting:
            moves, table = min(fitting, key=lambda one: len(one[0]))
            return moves, table.match.winner
    return None


def entries(game: AnyGame) -> list[str]:
    """Return the tables that the `demo.toml` of a game lacks."""
    there = read_scripts(game.slug)
    shown = {script.result["reason"] for script in there if script.result is not None}
    made = []
    for number, ending in enumerate(game.endings, len(there)):
        if ending not in shown:
            made.append(_entry(game, ending, PLAYERS[number % len(PLAYERS)], first=not number))
    return made


def _entry(game: AnyGame, ending: str, players: tuple[str, str], *, first: bool) -> str:
    script = Script(f"{game.slug}-{ending}", game.slug, players, "")
    match = found(game, script, ending)
    if match is None:
        raise SystemExit(f"{game.slug}: no random match ends by {ending}; write one into demo.toml")
    moves, winner = match
    about = f"A match of {game.name} that ends by {ending.replace('-', ' ')}."
    won = "" if winner is None else f"winner = {winner}, "
    lines = [
        "[[match]]",
        f"name = {json.dumps(script.name)}",
        *([f"examples = [0, {len(moves)}]"] if first else []),
        f"players = {json.dumps(players)}",
        f"about = {json.dumps(about)}",
        "moves = [" + ", ".join(map(json.dumps, moves)) + "]",
        f"result = {{ {won}reason = {json.dumps(ending)} }}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Add to each game what it lacks."""
    for game in load_games():
        made = entries(game)
        if made:
            path = GAMES / game.slug.replace("-", "_") / "demo.toml"
            there = path.read_text(encoding="utf-8") if path.exists() else HEAD
            path.write_text("\n".join([there, *made]), encoding="utf-8")
            sys.stdout.write(f"{game.slug}: {len(made)} demo matches added\n")


if __name__ == "__main__":
    main()
