"""Texts name only what there is: modules and files by their paths, classes and functions by names.

Names are looked for in the pages, in the settings of the project, and in docstrings and comments.
"""

import ast
import builtins
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from domain.match.notices import TYPES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("cli", "docs", "domain", "migrations", "seeds", "services", "tests", "web")
PAGES = sorted([*ROOT.glob("*.md"), ROOT / "pyproject.toml", *ROOT.glob("docs/**/*.md")])
CODE = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

PLACE = re.compile(rf"(?<![\w./<-])(?:{'|'.join(ROOMS)})(?:[./]\w+(?:-\w+)*)+")
"""As ``services.store.log`` or ``web/api/resources``: from a room on."""

COMMENT = re.compile(r"^(?:.*\s)?# (.+)$", re.MULTILINE)

IMPORT = re.compile(rf"^\s*from ((?:{'|'.join(ROOMS)})[.\w]*) import ([\w, ]+)$", re.MULTILINE)
CALLED = re.compile(r"(?:\w+\.)*(\w+)\([^)]*\)")
MEMBER = re.compile(r"(?:\w+\.)*(\w+)\.(\w+)")


@dataclass(frozen=True)
class Manner:
    """How code is quoted in a text, and which of what is quoted must be a name of ours."""

    quoted: re.Pattern[str]
    name: re.Pattern[str]


ON_PAGES = Manner(
    re.compile(r"(?<!`)`([^`\n]+)`(?!`)"),
    re.compile(r"[A-Z][a-z]\w*[a-z0-9]|_?[a-z0-9]+(?:_[a-z0-9]+)+"),
)
IN_CODE = Manner(re.compile(r"``([^`\n]+)``"), re.compile(r"[A-Z][a-z]\w*[a-z0-9]|_*[a-z]\w+"))

MADE_UP = ("high_number", "high-number", "path_capture/rulebook-1", "LANGUAGE")
"""What stands in examples for something that a reader makes."""

HEADERS = {"Authorization", "Vary"}
KEYS = {"Down", "Enter", "Esc", "Home", "Right"}
PEOPLE = {"Ian"}
OF_LIBRARIES = {"trans", "wait_for_function"}
ACTIONS = {"decline_abort", "decline_pause", "decline_resume"}
"""These are put together from the names of offers."""


@cache
def files() -> frozenset[str]:
    """Return every file and folder of the project, as a path from its root."""
    listing = subprocess.run(
        ("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"),
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("this is no checkout: git does not say which files are the project's")
    known = [Path(line) for line in listing.stdout.splitlines() if (ROOT / line).exists()]
    return frozenset(str(path) for file in known for path in (file, *file.parents))


@cache
def file_names() -> frozenset[str]:
    """Return the names of all files, with and without their endings, and of all folders."""
    return frozenset(name for file in files() for name in (Path(file).name, Path(file).stem))


@dataclass(frozen=True)
class Read:
    """What a module uses or gives by name, and the words of its texts; its docstrings.

    Docstrings (those of constants as well) are what is looked at. Other texts hold SQL and members
    of JSON. The tree itself is not kept: where a thousand of them are, looking for garbage takes
    seconds.
    """

    names: frozenset[str]
    docstrings: tuple[str, ...]
    classes: tuple[str, ...]


@cache
def read(path: Path) -> Read:
    said: dict[int, str] = {}
    names: set[str] = set()
    classes: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring)) as text):
                said[id(text)] = docstring
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.ClassDef(name=name):
                classes.append(name)
                names.add(name)
            case ast.FunctionDef(name=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.update((*name.split("."), other or ""))
            case ast.Constant(value=str(text)) if id(node) not in said:
                names.update(re.findall(r"\w+", text))
            case _:
                pass
    return Read(frozenset(names), tuple(said.values()), tuple(classes))


def names_in(path: Path) -> frozenset[str]:
    return read(path).names


@cache
def all_names() -> frozenset[str]:
    names = (names_in(path) for path in CODE if path != Path(__file__).resolve())
    others = (dir(builtins), HEADERS, KEYS, PEOPLE, OF_LIBRARIES, ACTIONS)
    return frozenset().union(*others, *names)


def told_in_code(path: Path) -> Iterator[str]:
    """Yield docstrings and comments of a module."""
    yield from read(path).docstrings
    yield from COMMENT.findall(path.read_text(encoding="utf-8"))


def told_on_page(path: Path) -> list[str]:
    return [path.read_text(encoding="utf-8")]


def is_there(place: str) -> bool:
    """Whether a place is a file, a folder, or a name in the module or package on its way.

    The ending of a file may stand behind it, and the number of a decision for its name.
    """
    parts = re.split(r"[./]", place)
    for size in range(len(parts), 1, -1):
        start, rest = "/".join(parts[:size]), parts[size:]
        if not rest and any(file.startswith(f"{start}-") for file in files()):
            return True
        if len(rest) == 1 and f"{start}.{rest[0]}" in files():
            return True
        for module in (f"{start}.py", f"{start}/__init__.py"):
            if module in files():
                return names_in(ROOT / module).issuperset(rest)
        if not rest and start in files():
            return True
    return False


def imported(text: str) -> Iterator[str]:
    """Yield what examples import from our modules."""
    for module, names in IMPORT.findall(text):
        for name in names.split(","):
            yield f"{module}.{name.split()[0]}"


def is_known(name: str, manner: Manner) -> bool:
    """Whether there is what a name means, if it looks like one of a class or a function."""
    if name in file_names() or name in TYPES or PLACE.fullmatch(name):
        return True
    if called := CALLED.fullmatch(name):
        return called[1] in all_names()
    if manner.name.fullmatch(name):
        return name in all_names()
    if (member := MEMBER.fullmatch(name)) and member[1] in file_names():
        modules = [path for path in CODE if path.stem == member[1]]
        return not modules or any(member[2] in names_in(path) for path in modules)
    return True


def unknown(texts: Iterable[str], manner: Manner) -> list[str]:
    wrong = set()
    for text in texts:
        wrong |= {place for place in PLACE.findall(text) if not is_there(place)}
        wrong |= {place for place in imported(text) if not is_there(place)}
        wrong |= {name for name in manner.quoted.findall(text) if not is_known(name, manner)}
    return sorted(name for name in wrong if not any(made in name for made in MADE_UP))


@pytest.mark.parametrize(
    ("paths", "told", "manner"),
    [
        pytest.param(PAGES, told_on_page, ON_PAGES, id="pages"),
        pytest.param(CODE, told_in_code, IN_CODE, id="code"),
    ],
)
def test_what_is_named_is_there(
    paths: list[Path], told: Callable[[Path], Iterable[str]], manner: Manner
) -> None:
    found = {str(path.relative_to(ROOT)): unknown(told(path), manner) for path in paths}
    assert not {path: names for path, names in found.items() if names}


@pytest.mark.parametrize(
    "text",
    [
        "see services.store.nowhere",
        "see ``services.store.log.snapshots.forget``",
        "the file web/api/nothing.py",
        "docs/decisions/9999 says why",
        "from domain.game.options import Option, NoSuchOption",
        "a ``NoSuchClass`` is made",
        "``nosuchfunction`` as well",
        "``no_such_function`` does it",
        "``view_nothing(state)`` shows it",
        "``views.show_nothing``",
    ],
)
def test_what_is_not_there_is_noticed(text: str) -> None:
    assert unknown([text], IN_CODE)


def test_no_name_of_a_class_means_two_things() -> None:
    apart = (ROOT / "domain/games", ROOT / "services/exchange/verify_match.py")
    rooms = [ROOT / room for room in ("cli", "domain", "seeds", "services", "web")]
    modules = [path for path in CODE if any(path.is_relative_to(room) for room in rooms)]
    # Games never meet, and the verifier stands alone.
    met = [path for path in modules if not any(path.is_relative_to(one) for one in apart)]
    count = Counter(name for path in met for name in read(path).classes)
    assert [name for name, number in count.items() if number > 1] == []
