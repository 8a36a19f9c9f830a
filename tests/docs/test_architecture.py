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

BY_FEATURE = ("cli/commands", "cli/remote", "web/api/resources", "web/pages")
"""Their modules are called by the words of the features, which stand above."""


def packages() -> list[str]:
    inits = (path for room in ("cli", "domain", "services", "web") for path in files(room))
    folders = sorted({str(path.parent.relative_to(ROOT)) for path in inits})
    return [one for one in folders if not any(Path(one).match(name) for name in SHOWN_AS_PATTERNS)]


def files(room: str) -> list[Path]:
    return [path for path in (ROOT / room).rglob("*.py") if path.with_name("__init__.py").exists()]


@pytest.mark.parametrize("package", packages())
def test_every_module_is_named(package: str) -> None:
    if package.startswith(BY_FEATURE):
        assert f"{package.split('/')[1]}/" in ROOMS
        return
    named = set(re.findall(r"`(?:\w+/)*(\w+)`", ROOMS))
    there = {path.stem for path in (ROOT / package).glob("*.py")} - {"__init__"}
    assert there <= named


def test_every_contract_is_named_and_its_layers_are_as_they_are_checked() -> None:
    rows = dict(
        re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE[PAGE.index("## Contracts") :], re.MULTILINE)
    )
    assert list(rows) == [contract["id"] for contract in CONTRACTS]
    for contract in CONTRACTS:
        if contract["type"] == "layers":
            layers = (f"`{layer}`".replace("|", "\\|") for layer in contract["layers"])
            assert rows[contract["id"]] == " -> ".join(layers)
