"""Mutants are drawn alike from the same seed, and one that a test holds is killed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants import running
from tests.mutants.changes import changes
from tests.mutants.choice import STAGES, stages
from tests.mutants.drawing import Mutant, drawn, modules
from tests.mutants.equivalent import EQUIVALENT
from tests.mutants.running import Copy, NothingLearnedError, Runner, copies

ROOT = Path(__file__).resolve().parents[2]


def test_the_same_seed_draws_the_same_and_fewer_are_the_first_of_more() -> None:
    ten = drawn(ROOT, 10, 1)
    assert len(set(ten)) == 10
    assert drawn(ROOT, 10, 1) == ten
    assert drawn(ROOT, 4, 1) == ten[:4]
    assert drawn(ROOT, 10, 2) != ten


@pytest.mark.parametrize("path", modules(ROOT))
def test_there_are_tests_that_concern_each_module(path: str) -> None:
    assert stages(path)


def test_what_concerns_a_module_is_there() -> None:
    assert all(any(path.startswith(one) for path in modules(ROOT)) for one in STAGES)
    named = {word for chosen in STAGES.values() for stage in chosen for word in stage}
    paths = {word.removeprefix("--ignore=") for word in named if "tests/" in word}
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.slow
def test_a_stage_that_chooses_by_a_game_s_name_chooses_of_every_file() -> None:
    (chosen,) = (one for one in stages("domain/games/power_line/rules.py") if one[0] == "-k")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "--collect-only", *chosen]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = {line.partition("::")[0] for line in listed.splitlines() if "::" in line}
    missed = [path for path in chosen[2:] if not any(one.startswith(path) for one in files)]
    assert missed == []


def test_what_is_known_to_do_the_same_is_still_made_of_what_is_there() -> None:
    made = {
        (path, *Mutant(path, change).difference(ROOT))
        for path in {one[0] for one in EQUIVALENT}
        for change in changes((ROOT / path).read_bytes())
    }
    assert [one for one in EQUIVALENT if one not in made] == []


def made_of(source: str) -> set[str]:
    content = source.encode()
    return {change.made(content).decode().strip() for change in changes(content)}


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("a < b", {"a <= b", "a >= b"}),
        ("a not in b", {"a in b"}),
        ("a + b", {"a - b"}),
        ("a - b", {"a + b"}),
        ("a += b", {"a -= b", "pass"}),
        ("a + [b]", set()),
        ("7", set()),
        ("a = 7", {"a = 8", "a = 6"}),
        ("a = True", {"a = False"}),
        ("a and b", {"a or b"}),
        ("not a", {"a"}),
        ("if a: b", {"if True: b", "if False: b"}),
        ("a = b if c else d", {"a = b if True else d", "a = b if False else d"}),
        ("def f() -> bool: return a", {"def f() -> bool: return not (a)"}),
        ("def f() -> A | None: return a", {"def f() -> A | None: return None"}),
        ("def f() -> str: return a", set()),
        ("a()", {"pass"}),
        ("range(a)", {"pass", "range((a) + 1)", "range((a) - 1)"}),
        ("a[b:]", {"a[(b) + 1:]", "a[(b) - 1:]"}),
        (
            "a = 'SELECT b FROM c WHERE d < ?'",
            {f"a = 'SELECT b FROM c WHERE d {o} ?'" for o in ("<=", ">")},
        ),
    ],
)
def test_each_kind_of_change_is_made(source: str, made: set[str]) -> None:
    assert made_of(source) == made


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring 1 < 2."""',
        "def f(a: Literal[1]) -> Literal[2]: return a",
        "a: Literal[1]",
        "say('{count} < 1', count=1)",
        "_log.warning('text', count=1)",
        "a = f'{b + 1}'",
        "from a import b",
        "@dataclass(frozen=True)\nclass A: b: int",
    ],
)
def test_what_no_test_is_to_hold_is_left_alone(source: str) -> None:
    assert made_of(source) == set()


SUMS = """
def two():
    return 1 + 1

def nobody_asks():
    return 1 - 1
"""


ADDOPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"][
    "addopts"
]
LEFT_OUT = [f"-p {word}" for word in ADDOPTS if word.startswith("no:")]


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    """Give a copy of a tree of which a test holds one sum and not the other."""
    root = tmp_path / "original"
    root.mkdir()
    # What the project leaves out of a start takes most of the time here.
    (root / "pytest.ini").write_text(f"[pytest]\naddopts = {' '.join(LEFT_OUT)}\n")
    (root / "rules.py").write_text(SUMS)
    (root / "test_rules.py").write_text("import rules\n\ndef test_two(): assert rules.two() == 2\n")
    with copies(root, 1) as [one]:
        yield one


def test_a_mutant_is_killed_by_the_test_that_fails_and_survives_without(copy: Copy) -> None:
    swapped = [("return 1 + 1", "return 1 - 1"), ("return 1 - 1", "return 1 + 1")]
    every = drawn(copy.original, 99, 1, ("rules.py",))
    mutants = [one for one in every if one.difference(copy.original) in swapped]
    runner = Runner([copy], lambda _: [("test_rules.py",)])
    killed = {one.mutant.line(copy.original): one.killed for one in runner.outcomes(mutants)}
    assert killed == {3: True, 6: False}
    for name in ("rules.py", "test_rules.py"):
        assert (copy.root / name).read_bytes() == (copy.original / name).read_bytes()


def test_what_never_ends_is_stopped(copy: Copy) -> None:
    copy.write("rules.py", b"import time\nwhile True: time.sleep(0.1)\n")
    assert copy.passes(("test_rules.py",), 3.0) is None


ENDLESS = """
import time

def two():
    n = 0
    while n < 2:
        time.sleep(0.1)
        n = n + 1
    return n
"""


def test_a_mutant_whose_tests_never_end_is_killed(
    copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PATIENCE", 3.0)
    monkeypatch.setattr(running, "TIMES", 0)
    (copy.original / "rules.py").write_text(ENDLESS)
    every = drawn(copy.original, 99, 1, ("rules.py",))
    change = ("n = n + 1", "n = n - 1")
    [endless] = [one for one in every if one.difference(copy.original) == change]
    [outcome] = Runner([copy], lambda _: [("test_rules.py",)]).outcomes([endless])
    assert outcome.killed


def test_nothing_is_learned_from_tests_that_fail_anyway(copy: Copy) -> None:
    (copy.original / "rules.py").write_text("def two(): return 3\n")
    mutants = drawn(copy.original, 1, 1, ("rules.py",))
    with pytest.raises(NothingLearnedError, match=r"test_rules\.py"):
        list(Runner([copy], lambda _: [("test_rules.py",)]).outcomes(mutants))
