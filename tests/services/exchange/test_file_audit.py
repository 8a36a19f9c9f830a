"""Each fault planted in an export is found by the house and by the standalone verifier."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import orjson
import pytest

from domain.log.event_format import hash_bytes, restore_body, write_canonical
from services.container import Services
from services.exchange.exports import ExportRequest
from services.exchange.file_audit import judge_file
from services.matches.queries import Asker
from tests.services.people import Table

STANDALONE = Path(__file__).parents[3] / "services" / "exchange" / "verify_match.py"


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Give one kind of database: what is looked at are files."""
    return migrated_sqlite_url


def exported(house: Services, match: str) -> list[bytes]:
    download = house.exports.export_one(Asker(local=True), match, ExportRequest())
    return b"".join(download.chunks).splitlines(keepends=True)


def rejected(house: Services, lines: list[bytes], path: Path) -> tuple[bool, bool]:
    """Say whether we, and the standalone verifier, find something in a file."""
    content = b"".join(lines)
    path.write_bytes(content)
    ours = not all(one.holds for one in judge_file(BytesIO(content), house.games))
    ran = subprocess.run([sys.executable, STANDALONE, path], capture_output=True, check=False)
    assert ran.returncode in (0, 3), ran.stderr
    return ours, ran.returncode == 3


def rerolled(lines: list[bytes]) -> list[bytes]:
    """Change the first drawn value, and make the chain and the header anew."""
    made, previous = [], "0" * 64
    for line in lines[1:]:
        event = orjson.loads(line)
        if event["kind"] == "chance-drawn":
            cell = event["data"]["outcome"][0]
            cell["value"] = 1 + cell["value"] % 5
        event["previous"] = previous
        event["hash"] = previous = hash_bytes(restore_body(event))
        made.append(write_canonical(event) + b"\n")
    header = {**orjson.loads(lines[0]), "head": previous}
    return [write_canonical(header) + b"\n", *made]


def test_an_honest_export_holds_for_both(house: Services, finished: Table, tmp_path: Path) -> None:
    lines = exported(house, finished.match)
    assert rejected(house, lines, tmp_path / "it") == (False, False)


PLANTS: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a tail cut, by the header's count": lambda lines: lines[:-1],
    "removed, by the chain": lambda lines: [*lines[:3], *lines[4:]],
    "doubled, by the header's count": lambda lines: [*lines, lines[-1]],
    "swapped, by the chain": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "changed seal, by the seals": lambda lines: [
        lines[0], lines[1].replace(b'"salt":"', b'"salt":"0', 1), *lines[2:]
    ],
    "nested, by the reader": lambda lines: [lines[0], b"[" * 5_000 + b"\n"],
    "no UTF-8, by the reader": lambda lines: [lines[0], b"\xff\xfe\n"],
    "a huge line, by the reader": lambda _: [b"x" * (1 << 21)],
    "re-rolled, by the dice": rerolled,
}  # fmt: skip


def test_both_verifiers_find_a_planted_fault(
    house: Services, finished: Table, tmp_path: Path
) -> None:
    honest = exported(house, finished.match)
    for name, plant in PLANTS.items():
        planted = plant(honest)
        assert planted != honest, name
        assert rejected(house, planted, tmp_path / "it") == (True, True), name
