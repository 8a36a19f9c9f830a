"""Mutants: changed modules of the domain's rules, `decide`, chain and store, drawn by a seed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.mutants.changes import Change, changes
from tests.mutants.equivalent import EQUIVALENT

CHANGED = (
    *(f"domain/games/*/{name}.py" for name in ("rules", "setup", "plays", "cards", "position")),
    "domain/match/decisions/*.py",
    *(f"domain/match/{name}.py" for name in ("clock", "events", "evolve", "fold", "state")),
    "domain/log/*.py",
    "services/store/log/*.py",
    "services/store/matches.py",
    "services/audits/chain.py",
)
"""The modules whose changes are drawn."""


class Mutant(NamedTuple):
    """One change of one module. ``path``: of the module, from the root."""

    path: str
    change: Change

    def made(self, root: Path) -> bytes:
        """Return the changed module."""
        return self.change.made((root / self.path).read_bytes())

    def line(self, root: Path) -> int:
        """Return the number of the line that changes first."""
        return (root / self.path).read_bytes().count(b"\n", 0, self.change.start) + 1

    def difference(self, root: Path) -> tuple[str, str]:
        """Return the lines that change, before and after."""
        content = (root / self.path).read_bytes()
        first = content.rfind(b"\n", 0, self.change.start) + 1
        last = content.find(b"\n", self.change.end)
        before = content[first:last]
        after = self.made(root)[first : len(self.made(root)) - (len(content) - last)]
        return _flat(before), _flat(after)


def _flat(lines: bytes) -> str:
    return " ".join(lines.decode().split())


def modules(root: Path, patterns: tuple[str, ...] = CHANGED) -> list[str]:
    """Return the paths of the modules whose changes are drawn, in order."""
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return sorted(path.relative_to(root).as_posix() for path in found)


def drawn(root: Path, number: int, seed: int, patterns: tuple[str, ...] = CHANGED) -> list[Mutant]:
    """Draw so many mutants; fewer of the same seed are the first of more."""
    every = [
        Mutant(path, change)
        for path in modules(root, patterns)
        for change in changes((root / path).read_bytes())
    ]
    Random(seed).shuffle(every)
    found: list[Mutant] = []
    for mutant in _meaningful(root, every):
        if len(found) == number:
            break
        found.append(mutant)
    return found


def _meaningful(root: Path, mutants: list[Mutant]) -> Iterator[Mutant]:
    """Leave out what is no module, or the same one, or known to do the same."""
    for mutant in mutants:
        try:
            changed = ast.dump(ast.parse(mutant.made(root)))
        except SyntaxError:
            continue
        same = changed == ast.dump(ast.parse((root / mutant.path).read_bytes()))
        if not same and (mutant.path, *mutant.difference(root)) not in EQUIVALENT:
            yield mutant
