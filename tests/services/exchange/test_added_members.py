"""A kind of event gets an optional member, by a second schema: what was stays as it was.

Practised on ``match-ended`` in a copy of the program, in the steps of docs/adding-an-event-kind.md.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import orjson
import pytest

from domain.errors import Corruption
from domain.match.events import ADDED, FACTS
from services.exchange.file_audit import judge_file
from services.store.log import codec
from tests.services.planting import honest
from tests.support.games import test_games
from tests.support.release import copy_to, running

ROOT = Path(__file__).parents[3]
EARLIER = Path(__file__).parent / "earlier"
MATCHES = EARLIER / "matches.ndjson"
VERIFIERS = (EARLIER / "verify_match.txt", ROOT / "services" / "exchange" / "verify_match.py")

REGRETTING = """(
    3 - command.seat, "resignation", None, draft.match.options.get("length") == 7 or None
)"""

STEPS = (
    (
        "events.py",
        "    forfeits: bool | None = None\n",
        "    forfeits: bool | None = None\n    regrets: bool | None = None\n",
    ),
    (
        "events.py",
        '"match-ended": ("forfeits",),',
        '"match-ended": ("forfeits", "regrets"),',
    ),
    ("decisions/decide.py", '(3 - command.seat, "resignation")', REGRETTING),
)
"""Who resigns on a path of seven nodes regrets it."""

RESIGNED = """
import sys
from domain.match import commands
from tests.services.planting import lines_of, written
from tests.support.games import test_games
from tests.support.scenario import Table

table = Table.started(test_games().get("path-capture"), options={"length": 7})
table.play({"steps": 1}, {"steps": 1})
table.do(commands.Resign(1))
sys.stdout.buffer.write(written(lines_of(table)))
"""


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a later release, in which the kind has the member."""
    place = tmp_path_factory.mktemp("later")
    copy_to(place)
    for name, before, after in STEPS:
        path = place / "domain" / "match" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, before
        path.write_text(text.replace(before, after), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def plybook(later: Path) -> Iterator[Callable[..., str]]:
    """Give what runs the later release's program, and returns what it has written."""
    with running(later) as run:

        def written(*words: str, url: str = "") -> str:
            ran = run(*words, url=url)
            assert ran.exit_code == 0, ran
            return ran.stdout

        yield written


@pytest.fixture(scope="module")
def file(later: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an export of the later release in which an event has the member."""
    made = subprocess.run(
        [sys.executable, "-c", RESIGNED], cwd=later, capture_output=True, check=False
    )
    assert made.returncode == 0, made.stderr
    path = tmp_path_factory.mktemp("file") / "match.ndjson"
    path.write_bytes(made.stdout)
    return path


def alone(program: Path, path: Path) -> int:
    """Give the verdict of a verifier that stands alone on a file."""
    loader = SourceFileLoader("verify_match", str(program))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    with contextlib.redirect_stdout(io.StringIO()):
        code: int = module.main(str(path))
    return code


def test_only_the_event_that_has_the_member_is_of_the_next_schema(file: Path) -> None:
    *events, ended = [orjson.loads(line) for line in file.read_bytes().splitlines()[1:]]
    assert {event["schema"] for event in events} == {1}
    assert (ended["kind"], ended["schema"]) == ("match-ended", 3)
    assert ended["data"] == {"winner": 2, "reason": "resignation", "regrets": True}


def test_the_later_release_takes_its_own_files_and_old_ones(
    plybook: Callable[..., str], file: Path, migrated_url: str
) -> None:
    whole = MATCHES.read_bytes() + file.read_bytes()
    both = file.with_name("both.ndjson")
    both.write_bytes(whole)
    count = whole.count(b'"format":"plybook/match"')
    assert plybook("verify", str(both)).count("holds") >= count
    plybook("import", str(file), url=migrated_url)
    assert "1 hold, 0 do not" in plybook("verify", "--all", "--jobs", "1", url=migrated_url)
    exported = plybook("export", "--all", "--out", "-", url=migrated_url)
    assert exported.encode() == file.read_bytes()


def test_this_release_stops_at_a_schema_that_it_does_not_know(file: Path) -> None:
    [verdict] = judge_file(io.BytesIO(file.read_bytes()), test_games())
    assert "regrets" not in ADDED["match-ended"]
    assert any("schema 3" in fault.detail for fault in verdict.faults), verdict.faults


@pytest.mark.parametrize("program", VERIFIERS, ids=["as it was", "as it is"])
def test_every_verifier_that_was_given_away_takes_old_files_and_new_ones(
    program: Path, file: Path, tmp_path: Path
) -> None:
    now = tmp_path / "now"
    now.write_bytes(b"".join(honest().values()))
    assert [alone(program, one) for one in (MATCHES, now, file)] == [0, 0, 0]


def test_what_an_earlier_release_exported_holds() -> None:
    verdicts = list(judge_file(io.BytesIO(MATCHES.read_bytes()), test_games()))
    assert len(verdicts) == MATCHES.read_bytes().count(b'"format":"plybook/match"')
    assert [one.match for one in verdicts if not one.holds] == []


@pytest.mark.parametrize("kind", FACTS)
def test_an_event_of_a_later_schema_stops_the_reader(kind: str) -> None:
    schema = 2 + len(ADDED.get(kind, ()))
    body = {
        "match": "m", "version": 1, "kind": kind, "schema": schema, "actor": "server", "at": "",
        "data": {}, "sealed": [], "previous": "",
    }  # fmt: skip
    with pytest.raises(Corruption, match=f"schema {schema}; this release knows {schema - 1}"):
        codec.decode([(orjson.dumps(body), "", None)])
