"""Another release of the program: a copy whose ``domain`` may be changed, in a process of its own.

    copy_to(place)
    (place / "domain" / ...).write_text(...)
    with running(place) as plybook:
        assert plybook("verify", "--all", url=url).exit_code == 0

One process does all that a test asks of a release: most of what a command costs is its start.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import NamedTuple, Protocol

ROOT = Path(__file__).parents[2]
LINKED = ("cli", "migrations", "seeds", "services", "tests", "web")

_RUNS = """
import json, sys
from click.testing import CliRunner
from cli.main import main
for line in sys.stdin:
    words, url = json.loads(line)
    ran = CliRunner().invoke(main, words, env={"PLYBOOK_DATABASE_URL": url}, prog_name="plybook")
    print(json.dumps([ran.exit_code, ran.stdout, ran.stderr]), flush=True)
"""


class Ran(NamedTuple):
    """How a command has ended, and what it has written."""

    exit_code: int
    stdout: str
    stderr: str


class Plybook(Protocol):
    """Runs the program of a release."""

    def __call__(self, *words: str, url: str) -> Ran:
        """Run a command on a database."""


def copy_to(place: Path) -> None:
    """Make a release like this one."""
    copytree(ROOT / "domain", place / "domain")
    for room in LINKED:
        (place / room).symlink_to(ROOT / room)


@contextmanager
def running(place: Path) -> Iterator[Plybook]:
    """Give what runs the program of the release there, for as long as the block lasts."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", _RUNS], cwd=place, stdin=pipe, stdout=pipe, text=True
    ) as process:
        asked, told = process.stdin, process.stdout
        assert asked is not None
        assert told is not None

        def run(*words: str, url: str) -> Ran:
            print(json.dumps([words, url]), file=asked, flush=True)
            return Ran(*json.loads(told.readline()))

        yield run
