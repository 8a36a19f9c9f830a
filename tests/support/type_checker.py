"""What the type checker says of code that uses ours.

It begins with a copy of what ``./dev types`` has learned here, which takes a tenth of the time.
"""

from __future__ import annotations

import fcntl
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
LEARNED = ROOT / ".mypy_cache"
TURN = ROOT / ".types.lock"
PATIENCE = 120.0  # seconds that a test waits for `./dev types`; then it learns all by itself


def checked(root: Path, folder: Path, *paths: str) -> list[str]:
    """Check files in a tree as ``./dev types`` would; return what is said.

    ``folder``: where the checker may write.
    """
    _copy_what_was_learned(folder / "cache")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--no-error-summary",
        f"--cache-dir={folder / 'cache'}",
    ]
    command += [f"--config-file={ROOT / 'pyproject.toml'}", *paths]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert not ran.stderr, ran.stderr
    return ran.stdout.splitlines()


def faults_of(code: str, folder: Path) -> list[tuple[int, str]]:
    """Write code to a folder and check it; return each fault, by its line."""
    path = folder / "checked.py"
    path.write_text(code)
    told = checked(ROOT, folder, str(path))
    found = (line.removeprefix(f"{path}:").split(": ", 1) for line in told)
    return [(int(line), text) for line, text in found]


def _copy_what_was_learned(place: Path) -> None:
    with TURN.open("a") as turn:
        if not _has_come(turn):
            return
        for known in LEARNED.glob("*/*.db"):
            copy = place / known.relative_to(LEARNED)
            copy.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(known)) as one, closing(sqlite3.connect(copy)) as other:
                one.backup(other)


def _has_come(turn: IO[str]) -> bool:
    """Wait for the end of a ``./dev types`` that runs; tell whether it came in time."""
    ends = monotonic() + PATIENCE
    while monotonic() < ends:
        try:
            fcntl.flock(turn, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(0.2)
        else:
            return True
    return False
