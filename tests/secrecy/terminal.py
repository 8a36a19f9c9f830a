"""What the program prints for somebody who looks through one viewer's eyes."""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from click.testing import CliRunner

from cli.main import main
from domain.game.game import Viewer
from tests.secrecy.outlets import Answer
from tests.secrecy.worlds import World


def commands(world: World, match: str, viewer: Viewer, *, all_of_them: bool) -> Iterator[Answer]:
    """Run every command that shows a match (or two), as ``viewer``, with and without ``--json``."""
    eyes = [] if viewer.seat is None else ["--as", viewer.value]
    asked = [
        ("match", "show", match, *eyes),
        ("match", "log", match, *eyes, "--json"),
        ("replay", match, *eyes),
        ("replay", match, *eyes, "--json"),
        ("match", "show", match, *eyes, "--at", "9", "--json"),
        ("match", "log", match, *eyes),
        ("diff", f"{match}@5..9", *eyes),
        ("diff", f"{match}@5..9", *eyes, "--json"),
        ("find", match, *eyes, "--where", "version > 0", "--every"),
        ("find", match, *eyes, "--where", "version > 0", "--every", "--json"),
        ("stats", "--json"),
        ("match", "list"),
        ("match", "list", "--json"),
    ]
    for words in asked if all_of_them else asked[:2]:
        yield f"plybook {' '.join(words)}", run(world, *words)


def run(world: World, *words: str) -> bytes:
    """Run the program on a world's database; return all that it printed."""
    environment = {
        "PLYBOOK_DATABASE_URL": world.url,
        "PLYBOOK_LOG_LEVEL": "debug",
        "COLUMNS": "100",
    }
    logging = structlog.get_config()
    try:
        result = CliRunner().invoke(main, list(words), env=environment, prog_name="plybook")
    finally:
        # The log of a command goes to its own standard error, which is closed by now.
        structlog.configure(**logging)
    assert result.exit_code == 0, result.output
    return result.output.encode()
