"""Write what the analysis says of a golden match of each game: `python -m tests.golden.analyses`.

A file that is there is written anew only for another version of the engine: an analysis that has
changed under the same version is a fault, since a stored one is taken to be what the engine gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from domain.json_types import JsonObject
from domain.match.state import FINISHED
from domain.search.analysis import ENGINE
from services.replays.analysis import analyse_position, list_turns
from tests.golden.transcript import Record, parse, played
from tests.golden.wanted import HERE
from tests.support.games import test_games

MOST_MOVES: Final = 40
BUDGET: Final = 300
"""So many positions are looked at for each of the match: enough that all parts of a search act."""


def matches() -> Iterator[tuple[Path, Record]]:
    """Yield for each game the longest golden match played to its end in at most 40 moves.

    With the file that its analysis stands in.
    """
    for game in test_games():
        paths = sorted((HERE / game.slug).glob("*.txt"))
        records = [(path, parse(path.read_text())) for path in paths]
        fitting = [
            (path, record)
            for path, record in records
            if record.rules_version == game.rules_version
            and len(record.steps) <= MOST_MOVES
            and played(record).match.reason in game.endings
        ]
        if fitting:
            path, record = max(fitting, key=lambda one: len(one[1].steps))
            yield path.with_suffix(".analysis"), record


def rendered(record: Record) -> str:
    """Return the engine's version, then a line for each position of a match."""
    table = played(record)
    assert table.match.status == FINISHED
    lines = [ENGINE]
    for turn in list_turns(table.events, table.games):
        found = analyse_position(table.match, turn, BUDGET)
        lines.append(f"{found['version']} {_judged(found)}")
        if found["truth"] is not None:
            lines.append(f"  true: {_judged(found['truth'])}")
    return "\n".join(lines) + "\n"


def _judged(found: JsonObject) -> str:
    value = orjson.dumps(found["value"]).decode()
    best = "; ".join(" ".join(line["line"]) for line in found["best"])
    mark = f" ({found['loss']} {found['mark']})" if found.get("mark") else ""
    return f"{value} {best}{mark}"


def main() -> None:
    """Write those of all games; refuse to hide a change."""
    for path, record in matches():
        text = rendered(record)
        there = path.read_text() if path.exists() else ""
        if there != text and there.partition("\n")[0] == ENGINE:
            raise SystemExit(f"{path.name} has changed: raise ENGINE in domain/search/analysis.py.")
        path.write_text(text)


if __name__ == "__main__":
    main()
