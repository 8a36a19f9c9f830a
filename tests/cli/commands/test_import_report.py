"""What ``plybook import`` tells at a terminal: a table of what was taken, and of what was not."""

from __future__ import annotations

from pathlib import Path

from cli.commands.import_report import SINGLY
from tests.cli.calls import Plybook
from tests.cli.processes import Terminal, environment
from tests.services.planting import honest, lines_of, written
from tests.support.games import test_games
from tests.support.scenario import Table

OVER = ({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})


def told(database: Path, *words: str) -> list[list[str]]:
    """Return the words of each line that a terminal shows in the end."""
    with Terminal(("import", *words), environment(database), columns=120) as terminal:
        assert terminal.ends() == 1
        return [line.split() for line in terminal.plain().splitlines()]


def test_a_few_matches_are_told_one_by_one_with_what_became_of_each(
    database: Path, tmp_path: Path
) -> None:
    file = tmp_path / "few.ndjson"
    kept = [honest()[name] for name in ("path-capture capture", "contributed", "aborted")]
    file.write_bytes(b"".join([kept[0], *kept]))
    shown = told(database, str(file))
    head = shown.index(["Line", "Match", "Game", "Events", "Outcome", "Why"])
    rows = shown[head + 1 :]
    assert [row[-1] for row in rows if row[:2] == ["1", "0123456789abcdef"]] == ["imported"]
    flat = " ".join(word for row in rows for word in row)
    assert "here already" in flat
    assert "A different match with this id is here." in flat
    assert "Only finished matches are imported; this one is aborted." in flat
    assert "1 imported, 1 here already, 2 refused." in flat


def test_many_matches_are_counted_by_their_game_and_the_refused_told_singly(
    database: Path, tmp_path: Path, plybook: Plybook
) -> None:
    game, file = test_games().get("path-capture"), tmp_path / "many.ndjson"
    blocks = []
    for number in range(SINGLY + 5):
        table = Table.started(game, match=f"{number:016}")
        table.play(*OVER)
        blocks.append(written(lines_of(table)))
    bad = blocks[2].replace(b'"steps":3', b'"steps":4')
    file.write_bytes(b"".join([*blocks[:2], bad, *blocks[3:], blocks[0]]))
    shown = told(database, str(file))
    head = ["Game", "Imported", "Here", "already", "Refused", "Events"]
    row = shown[shown.index(head) + 1]
    assert row == ["path-capture", str(SINGLY + 4), "1", "1", str(9 * (SINGLY + 6))]
    assert sum("refused." in line for line in shown) == 2
    again = plybook("import", "--dry-run", str(file))
    assert (again.exit_code, " ".join(again.stdout.split()).count("is refused")) == (1, 1)
    assert "0 would be imported" in again.stderr
