"""The page of the architecture names every module of the rooms, and the contracts as they are."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = PAGE[PAGE.index("## Rooms") : PAGE.index("## Contracts")]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]

SHOWN_AS_PATTERNS = ("domain/games/*", "services/drawing/*")
"""Games are all alike, and pictures have folders with a module for each piece."""

BY_FEATURE = ("cli/commands", "cli/remote", "web/api/resources", "web/pages/")
"""Their modules are called by the words of the features, which stand above."""

WORDS_OF_THEIR_OWN = {
    "cli/commands": {"import_report"},
    "cli/remote": {"moves", "offers"},
    "web/api/resources/people": {"players"},
    "web/pages/accounts": {"account"},
    "web/pages/boards": {"cards", "turn"},
    "web/pages/common": {"badge", "forms", "news", "preferences", "visitors", "words"},
    "web/pages/lobby": {"invitations", "promises"},
    "web/pages/matches": {"offers", "panels"},
    "web/pages/replays": {"frames", "steps", "timeline"},
}
"""What commands and pages have beside the features that stand in other rooms."""

EVERY_WORD = set(re.findall(r"`(?:\w+/)*(\w+)`", ROOMS))


def packages() -> list[str]:
    inits = (path for room in ("cli", "domain", "services", "web") for path in files(room))
    folders = sorted({str(path.parent.relative_to(ROOT)) for path in inits})
    return [one for one in folders if not any(Path(one).match(name) for name in SHOWN_AS_PATTERNS)]


def files(room: str) -> list[Path]:
    return [path for path in (ROOT / room).rglob("*.py") if path.with_name("__init__.py").exists()]


def rows(room: str) -> list[tuple[str, str]]:
    """Return the packages and the modules of each row of a room's table."""
    table = ROOMS.partition(f"### `{room}`")[2].partition("###")[0]
    return re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)


def words(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)/?`", text))


def named(package: str) -> set[str]:
    """Return what the row of a package names; at the root of a room, what no package has."""
    room, _, inner = package.partition("/")
    if inner:
        return {
            one for first, second in rows(room) if f"`{inner}/`" in first for one in words(second)
        }
    return {one for row in rows(room) if "/`" not in row[0] for one in words(" ".join(row))}


@pytest.mark.parametrize("package", packages())
def test_every_module_is_named(package: str) -> None:
    there = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
    if not package.startswith(BY_FEATURE):
        assert there - named(package) == set()
        return
    own = WORDS_OF_THEIR_OWN.get(package, set())
    assert there - EVERY_WORD - own == set()
    room, *_, last = package.split("/")
    assert any(last in words(" ".join(row)) for row in rows(room))


def test_every_contract_is_named_and_its_layers_are_as_they_are_checked() -> None:
    rows = dict(
        re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE[PAGE.index("## Contracts") :], re.MULTILINE)
    )
    assert list(rows) == [contract["id"] for contract in CONTRACTS]
    for contract in CONTRACTS:
        if contract["type"] == "layers":
            layers = (f"`{layer}`".replace("|", "\\|") for layer in contract["layers"])
            assert rows[contract["id"]] == " -> ".join(layers)
