"""What holds the house up: the chores, the locks, the wheel, and laws that no tool keeps."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
HATCH = (sys.executable, "-m", "hatchling")
ROOMS = ("cli", "domain", "migrations", "seeds", "services", "web")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = {
    name: (ROOT / "requirements" / f"{name}.txt").read_text()
    for name in ("runtime", "dev", "bench")
}


def run(
    *command: str | Path, cwd: Path = Path("/"), **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def tracked_files() -> list[Path]:
    listing = run("git", "-C", ROOT, "ls-files", "-z")
    if listing.returncode:
        pytest.skip("this is no checkout: git does not say which files are the project's")
    return [path for name in listing.stdout.split("\0") if (path := ROOT / name).is_file()]


def locked(lock: str) -> list[Requirement]:
    """Give what a lock names, without the hashes."""
    lines = re.findall(r"^(?! )(.+?) *\\$", LOCKS[lock], flags=re.MULTILINE)
    return [Requirement(line) for line in lines]


def pins(lock: str) -> dict[str, set[str]]:
    """Give the releases that a lock names for each package (more than one if markers tell)."""
    found: dict[str, set[str]] = {}
    for requirement in locked(lock):
        (pin,) = requirement.specifier
        found.setdefault(canonicalize_name(requirement.name), set()).add(pin.version)
    return found


def wanted(lock: str) -> list[Requirement]:
    groups = dict(PROJECT["dependency-groups"])
    beside = groups.pop("bench")
    names = [line for line in PROJECT["project"]["dependencies"] if isinstance(line, str)]
    if lock == "dev":
        names += [line for group in groups.values() for line in group if isinstance(line, str)]
    return [Requirement(name) for name in (beside if lock == "bench" else names)]


# --- The chores ---


def test_help_lists_every_chore_and_no_other() -> None:
    dispatched = re.findall(
        r"^  ([a-z]+)(?: \| [^)]+)?\)", (ROOT / "dev").read_text(), re.MULTILINE
    )
    listed = re.findall(r"^  ([a-z]+) {2,}\S", run(ROOT / "dev", "help").stdout, re.MULTILINE)
    assert listed == dispatched
    assert {"setup", "demo", "test", "lint", "types", "bench", "lock"} <= set(listed)


def test_an_unknown_chore_is_refused_with_the_list() -> None:
    answer = run(ROOT / "dev", "levitate")
    assert answer.returncode == 2
    assert "there is no chore 'levitate'" in answer.stderr
    assert "  setup " in answer.stderr
    assert not answer.stdout


def test_a_python_that_does_not_run_is_refused_in_plain_words() -> None:
    answer = run(ROOT / "dev", "setup", PYTHON="/bin/false")
    assert answer.returncode == 1
    assert answer.stderr == "dev: PYTHON=/bin/false is not a Python 3.11, 3.12 or 3.13 that runs.\n"


def test_ci_runs_what_people_run() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines()[1:] == [
        'exec "$(dirname "${BASH_SOURCE[0]}")/../dev" test'
    ]


# --- The locks ---


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_hashes_for_everything_and_says_nothing_of_where_from(lock: str) -> None:
    entry = re.compile(r"^\S+==[^\\\n]+(\\\n    --hash=sha256:[0-9a-f]{64} ?)+\n", re.MULTILINE)
    assert entry.sub("", LOCKS[lock]) == ""
    assert len(entry.findall(LOCKS[lock])) == len(locked(lock))


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_satisfies_what_the_project_asks_for(lock: str) -> None:
    pinned = pins(lock)
    for requirement in wanted(lock):
        versions = pinned[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_what_is_tested_is_what_is_served() -> None:
    developing = pins("dev")
    assert {name: developing[name] for name in pins("runtime")} == pins("runtime")


def test_whom_the_house_meets_in_the_bench_is_installed_for_nothing_else() -> None:
    named = {canonicalize_name(requirement.name) for requirement in wanted("bench")}
    assert named
    assert named.isdisjoint(pins("dev"))
    assert all(pins("dev").get(name, pin) == pin for name, pin in pins("bench").items())


# --- The wheel ---


def test_the_wheel_carries_every_file_of_the_rooms(tmp_path: Path) -> None:
    built = run(*HATCH, "build", "-t", "wheel", "-d", tmp_path, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = {path.relative_to(ROOT).as_posix() for path in tracked_files()}
    ours = {name for name in names if name.split("/")[0] in ROOMS}
    assert any(name.endswith("/rulebook.md") for name in ours)
    assert ours <= set(zipfile.ZipFile(wheel).namelist())


# --- Laws that no tool keeps ---


def test_every_exception_to_a_rule_has_its_reason_beside_it() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    lists = re.findall(
        r'^(?:ignore|filterwarnings|"[a-z/*]+") = \[\n(.*?)^\]', text, re.MULTILINE | re.DOTALL
    )
    assert len(lists) >= 4
    for line in "".join(lists).splitlines():
        assert line == '    "error",' or re.search(r"# \S", line), line


def test_no_file_knows_the_machine_that_it_was_written_on() -> None:
    homes = re.compile(r"(?<![\w.~:/-])/(?:work|root)/")
    for path in tracked_files():
        text = path.read_bytes().decode(errors="replace")
        assert not homes.search(text), path


def test_domain_asks_nobody_what_time_it_is_and_says_nothing_aloud() -> None:
    forbidden = {"now", "today", "utcnow", "open", "print", "input", "exec", "eval"}
    for path in (ROOT / "domain").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", None))
                assert name not in forbidden, f"{path}:{node.lineno}"
