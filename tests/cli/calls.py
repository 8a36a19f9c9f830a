"""What several tests of the commands do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from click.testing import Result

Plybook: TypeAlias = Callable[..., Result]
"""Call the program with words; ``typed`` is what comes in on standard input."""


def lines(*typed: str) -> str:
    return "".join(f"{one}\n" for one in typed)


def json_lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def match_of(result: Result) -> str:
    """Return the id that `play` told, at its start."""
    found = re.search(r"\b[0-9a-z]{16}\b", result.stdout)
    assert found is not None, result.output
    return found[0]


def begun(plybook: Plybook, game: str, *typed: str, words: tuple[str, ...] = ()) -> str:
    """Play a few moves between ada and bob, and leave; return the match's id."""
    result = plybook("play", game, "--names", "ada", "bob", *words, typed=lines(*typed, "quit"))
    assert result.exit_code == 0, result.output
    return match_of(result)
