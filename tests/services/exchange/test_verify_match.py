"""The verifier that comes with every export: readable, alone, and of one mind with ours."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from domain.game.game import Viewer
from services.exchange.file_audit import judge_file
from services.exchange.formats import VERIFIER_NAME, read_verifier
from tests.services.planting import Planted, honest, planted
from tests.support.games import test_games

FILE = Path(__file__).parents[3] / "services" / "exchange" / VERIFIER_NAME
VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13")
CHANGES = 150
LINES = 300
"""More than that nobody reads before running it."""

PLANTED_IN = (
    "energy-capture resignation", "power-lines base-dominated", "power-lines turn-limit",
    "power-line resignation", "grid-power resignation", "path-capture capture",
    "contributed", "taken back", "given back", "aborted", "running",
)  # fmt: skip
"""Of each game at least one; the dominated base has a card trashed by chance."""

DRIVER = """
import contextlib, io, runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
with contextlib.redirect_stdout(io.StringIO()):
    codes = [main(name) for name in sys.argv[2:]]
print(*codes)
"""


@pytest.fixture(scope="module")
def alone() -> Callable[[Path], int]:
    """Give the program's verdict on a file, run in this process."""
    spec = importlib.util.spec_from_file_location("verify_match", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def verdict(path: Path) -> int:
        with contextlib.redirect_stdout(io.StringIO()):
            code: int = module.main(str(path))
        return code

    return verdict


def ours(file: bytes) -> bool:
    verdicts = list(judge_file(io.BytesIO(file), test_games()))
    return bool(verdicts) and all(one.holds for one in verdicts)


@pytest.mark.parametrize("name", honest())
def test_an_honest_export_holds_for_both(
    name: str, tmp_path: Path, alone: Callable[[Path], int]
) -> None:
    file = honest()[name]
    path = tmp_path / "it"
    path.write_bytes(file)
    assert (ours(file), alone(path)) == (True, 0)


@pytest.mark.parametrize("name", PLANTED_IN)
def test_both_verifiers_find_whatever_is_planted_in_header_chain_seals_and_dice(
    name: str, tmp_path: Path, alone: Callable[[Path], int]
) -> None:
    found = list(planted(name))
    path = tmp_path / "it"
    missed = []
    for one in found:
        path.write_bytes(one.file)
        # Who is to have won, the standalone verifier does not judge, but who sees all of it.
        judged = one.kind != "result" or one.what != "seen by server"
        if ours(one.file) or alone(path) != 3 * judged:
            missed.append((one.kind, one.what, ours(one.file), alone(path)))
    assert missed == []
    assert {"header", "chain"} <= {one.kind for one in found}


def test_a_forged_end_is_judged_whoever_is_said_to_see_it() -> None:
    forged = [one for one in planted("path-capture capture") if one.kind == "result"]
    assert {one.what for one in forged} == {f"seen by {viewer.value}" for viewer in Viewer}
    for one in forged:
        [verdict] = judge_file(io.BytesIO(one.file), test_games())
        assert "decisions" in {fault.check for fault in verdict.faults}, one.what
        assert verdict.unchecked == ()


@pytest.mark.parametrize("name", PLANTED_IN)
def test_both_verifiers_say_the_same_of_any_changed_byte(
    name: str, tmp_path: Path, alone: Callable[[Path], int]
) -> None:
    """Only in the header can it be nothing: names stand outside of the chain."""
    file, choice = honest()[name], Random(name)
    path = tmp_path / "it"
    for _ in range(CHANGES):
        at, flip = choice.randrange(len(file)), choice.choice((1, 2, 32))
        changed = file[:at] + bytes([file[at] ^ flip]) + file[at + 1 :]
        path.write_bytes(changed)
        holds = ours(changed)
        assert alone(path) == (0 if holds else 3), (at, flip)
        assert not holds or at < file.index(b"\n"), (at, flip)


def test_each_purpose_of_chance_is_planted_somewhere() -> None:
    what = {one.what for name in PLANTED_IN for one in planted(name) if one.kind == "dice"}
    assert what == {
        "seat", "setup", "first", "shuffle", "trash", "secret", "contribution",
        "number of the draw",
    }  # fmt: skip


def python(version: str) -> str | None:
    """Return a Python of that version that runs, wherever it is usually found."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = shutil.which(f"python{version}")
    for candidate in ([named] if named else []) + [*map(str, root.glob(f"{version}.*/bin/python"))]:
        asked = [candidate, "-c", "import sys; print(*sys.version_info[:2], sep='.')"]
        if (
            subprocess.run(asked, capture_output=True, text=True, check=False).stdout
            == version + "\n"
        ):
            return candidate
    return None


def chosen() -> list[Planted]:
    """Return one file for each thing that can be planted."""
    return list(
        {
            (one.kind, one.what): one
            for name in PLANTED_IN
            for one in planted(name)
            if one.what != "seen by server"
        }.values()
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_says_the_same_with_nothing_but_its_own_library(
    version: str, tmp_path: Path
) -> None:
    program = python(version)
    if program is None:
        pytest.skip(f"There is no Python {version} on this machine.")
    files = {f"good-{number}": file for number, file in enumerate(honest().values())}
    files |= {f"bad-{number}": one.file for number, one in enumerate(chosen())}
    for name, file in files.items():
        (tmp_path / name).write_bytes(file)
    # Isolated, without site-packages: what it needs is in the standard library.
    words = [program, "-I", "-S", "-c", DRIVER, str(FILE), *files]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    codes = dict(zip(files, map(int, ran.stdout.split()), strict=True))
    assert {name: code for name, code in codes.items() if code != 3 * name.startswith("bad")} == {}


def test_the_program_tells_what_does_not_hold_and_ends_with_3(tmp_path: Path) -> None:
    path = tmp_path / "it"
    for file, code, said in (
        (honest()["path-capture capture"], 0, "legality was not judged"),
        (honest()["path-capture capture"].replace(b'"winner":', b'"winner": '), 3, "canonical"),
        (b"", 3, "it is empty"),
        (honest()["path-capture capture"] + b'{"a":1}\n', 3, "the file does not hold"),
        (b'{"match":"\\u001b[2K"}\n', 3, "\\x1b[2K does not hold"),
        (None, 2, "cannot be read"),
    ):
        path.unlink(missing_ok=True)
        if file is not None:
            path.write_bytes(file)
        words = [sys.executable, "-I", str(FILE), str(path)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (ran.returncode, said in ran.stdout) == (code, True), ran.stdout
    ran = subprocess.run([sys.executable, str(FILE)], capture_output=True, text=True, check=False)
    assert "python verify_match.py FILE" in ran.stderr


def test_it_is_short_enough_to_be_read_first() -> None:
    assert read_verifier() == FILE.read_bytes()
    assert read_verifier().count(b"\n") < LINES
