"""Proofs in exports: behind each match that a signed checkpoint has, for whoever kept an older."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import orjson
import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.errors import InvalidRequest, NotFound
from services.exchange.exports import ExportFilter, ExportRequest
from services.exchange.file_audit import TrustedCheckpoint, compare_file
from services.exchange.proofs import ProofRequest
from tests.services.exchange.matches import LOCAL, finished, lines
from tests.services.exchange.test_exports_schemas import validator

ROOT = Path(__file__).resolve().parents[3]
STANDALONE = ROOT / "services" / "exchange" / "verify_match.py"
LINKED = ProofRequest(proof=True, link=1)


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Keep to SQLite: proofs are made of what both databases have alike."""
    return migrated_sqlite_url


@pytest.fixture
def matches(house: Services) -> list[str]:
    """Give two matches that are each in a checkpoint of its own, and one that is in none."""
    made = []
    for _ in range(2):
        made.append(finished(house).match)
        house.sequencer.run()
    return [*made, finished(house).match]


def many(house: Services, proofs: ProofRequest) -> bytes:
    found = house.exports.export_many(LOCAL, ExportFilter(), proofs=proofs)
    return b"".join(b"".join(one.chunks) for one in found)


def behind(file: bytes) -> dict[str, list[JsonObject]]:
    """Return the documents that stand behind the events of each match."""
    found: dict[str, list[JsonObject]] = {}
    match = ""
    for line in lines(file):
        if line.get("format") == "plybook/match":
            match = line["match"]
            found[match] = []
        elif "format" in line:
            found[match].append(line)
    return found


def test_each_match_of_many_comes_with_the_proof_that_it_is_in_the_checkpoint(
    house: Services, matches: list[str]
) -> None:
    file = many(house, ProofRequest(proof=True))
    found = behind(file)
    assert {match: [one["format"] for one in found[match]] for match in found} == {
        matches[0]: ["plybook/proof"],
        matches[1]: ["plybook/proof"],
        matches[2]: [],
    }
    keys, kept = house.signing_keys.list_all(), house.checkpoints.get()
    compared = list(compare_file(BytesIO(file), TrustedCheckpoint(kept, keys)))
    covered = {one.match: one.coverage.version == one.events for one in compared}
    assert covered == {matches[0]: True, matches[1]: True, matches[2]: False}


def test_with_a_link_an_older_checkpoint_is_enough(house: Services, matches: list[str]) -> None:
    keys, kept = house.signing_keys.list_all(), house.checkpoints.get(1)
    for proofs, holds in ((ProofRequest(proof=True), False), (LINKED, True)):
        file = BytesIO(many(house, proofs))
        compared = list(compare_file(file, TrustedCheckpoint(kept, keys)))
        [first] = [one for one in compared if one.match == matches[0]]
        assert (not first.coverage.mismatches) == holds


def test_a_file_with_proofs_is_read_by_all_that_read_one_without(
    house: Services, elsewhere: Services, matches: list[str], tmp_path: Path
) -> None:
    file = many(house, LINKED)
    assert [told.outcome for told in elsewhere.imports.read(BytesIO(file))] == ["imported"] * 3
    path = tmp_path / "it.ndjson"
    path.write_bytes(file)
    ran = subprocess.run(
        [sys.executable, STANDALONE, path], capture_output=True, check=False, text=True
    )
    assert (ran.returncode, ran.stdout.count("holds")) == (0, len(matches))


def test_proofs_are_what_their_schemas_say(house: Services, matches: list[str]) -> None:
    proof, consistency = behind(many(house, LINKED))[matches[0]]
    validator("proof").validate(proof)
    validator("consistency").validate(consistency)
    wish = ExportRequest("json", proofs=LINKED)
    document = orjson.loads(b"".join(house.exports.export_one(LOCAL, matches[0], wish).chunks))
    assert (document["proof"], document["consistency"]) == (proof, consistency)
    validator("replay").validate(document)


def test_a_bundle_has_the_proofs_as_files(house: Services, matches: list[str]) -> None:
    plain = b"".join(house.exports.export_one(LOCAL, matches[0], ExportRequest("bundle")).chunks)
    assert "consistency.json" not in ZipFile(BytesIO(plain)).namelist()
    made = b"".join(
        house.exports.export_one(LOCAL, matches[0], ExportRequest("bundle", proofs=LINKED)).chunks
    )
    archive = ZipFile(BytesIO(made))
    assert orjson.loads(archive.read("consistency.json"))["from"]["size"] == 1
    assert archive.read(f"{matches[0]}.ndjson").count(b"plybook/consistency") == 1


def test_what_cannot_be_proved_is_refused_at_once(house: Services) -> None:
    match = finished(house).match
    with pytest.raises(NotFound, match="no checkpoint yet"):
        house.exports.export_many(LOCAL, ExportFilter(), proofs=ProofRequest(proof=True))
    with pytest.raises(NotFound, match="in no checkpoint yet"):
        house.exports.export_one(LOCAL, match, ExportRequest(proofs=ProofRequest(proof=True)))
    house.sequencer.run()
    with pytest.raises(NotFound, match="of size 9"):
        house.exports.export_many(LOCAL, ExportFilter(), proofs=ProofRequest(proof=True, link=9))
    with pytest.raises(InvalidRequest, match="come with"):
        house.exports.export_many(LOCAL, ExportFilter(), "csv", proofs=ProofRequest(proof=True))
    with pytest.raises(InvalidRequest, match="belongs to"):
        house.exports.export_one(LOCAL, match, ExportRequest(proofs=ProofRequest(link=1)))
