"""One table says what each kind of event is, and nothing that goes by kinds misses a new one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from inspect import getsource
from pathlib import Path

import pytest

from domain.match.commands import Command
from domain.match.kinds import ENDINGS, KINDS, SET_UP
from domain.match.state import ABORTED, FINISHED
from domain.match.state import OFFER_KINDS as OFFERS
from services.audits import decisions
from services.audits.decisions import repeat
from services.exchange import verify_match
from tests.golden.test_golden import FILES
from tests.golden.transcript import parse, played
from tests.support.type_checker import checked

ROOT = Path(__file__).parents[3]

NEW = '''
class DealStruck(NamedTuple):
    """Of a kind that nobody has heard of."""

    seat: int

'''
FOLLOWING = {"seat-kept", "match-started", "chance-drawn", "turn-passed"}

NEW_COMMAND = '''
@dataclass(frozen=True, slots=True)
class StrikeADeal:
    """Ask for what nobody has heard of."""

    seat: int

'''


def test_every_kind_of_offer_is_made_and_turned_down_by_one_kind_of_event() -> None:
    for made in ("offers", "declines"):
        assert sorted(filter(None, (getattr(kind, made) for kind in KINDS.values()))) == sorted(
            OFFERS
        )


def test_an_audit_finds_each_command_that_there_is_behind_some_event() -> None:
    named = re.findall(r"(?<!-> )commands\.([A-Z]\w+)", getsource(decisions))
    inferred = {*named} - {"Command"}
    assert inferred == {command.__name__ for command in Command.__args__}


def test_what_ends_a_match_ends_it_in_one_of_both_ways() -> None:
    assert set(ENDINGS.values()) == {FINISHED, ABORTED}
    assert not SET_UP & ENDINGS.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_event_ends_a_match_as_the_table_says(path: Path) -> None:
    table = played(parse(path.read_text()))
    for event in table.events:
        match = table.state_at(event.version)
        assert (match.status if match.over else None) == ENDINGS.get(event.kind)


def test_no_event_that_only_follows_is_answered_by_itself() -> None:
    assert KINDS.keys() >= FOLLOWING
    table = played(parse(FILES[0].read_text()))
    assert FOLLOWING - {one.kind for one in table.events} == {"seat-kept"}
    for index, event in enumerate(table.events):
        if index and event.kind in FOLLOWING:
            match = table.state_at(index)
            with pytest.raises(Exception, match="does not stand by itself"):
                repeat(match, table.events, index, table.games, table.state_at)


def test_the_verifier_that_stands_alone_is_of_one_mind_with_the_table() -> None:
    assert verify_match.ENDS == ENDINGS
    assert set(verify_match.CLOCKS) <= KINDS.keys()
    text = Path(verify_match.__file__).read_text()
    names = set(re.findall(r'"([a-z]+-[a-z]+)"', text)) - {"seat-1", "seat-2"}
    assert {name for name in names if name.split("-")[0] in _first_words()} <= KINDS.keys()


def _first_words() -> set[str]:
    return {name.split("-")[0] for name in KINDS} - {"seat"}


def test_the_page_about_the_format_has_a_row_for_each_kind() -> None:
    page = (ROOT / "docs" / "event-format.md").read_text()
    told = {
        name
        for line in page.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", line.split("|")[1])
    }
    assert KINDS.keys() <= told


def test_no_other_list_of_the_kinds_that_end_a_match_is_left() -> None:
    """Whoever asks whether a match has ended asks the table."""
    written = re.compile("|".join(rf"[\"']{kind}[\"']" for kind in ENDINGS))
    found = {
        str(path.relative_to(ROOT))
        for room in ("domain", "services", "web", "cli", "seeds")
        for suffix in ("*.py", "*.js", "*.html")
        for path in (ROOT / room).rglob(suffix)
        if written.search(path.read_text())
    }
    assert found == {
        "domain/match/kinds.py",
        "domain/match/events.py",  # which members it has got
        "services/exchange/verify_match.py",
        "cli/remote/match_json.py",
    }


@pytest.mark.slow
def test_a_new_kind_and_a_new_command_are_missed_wherever_something_is_done_for_each(
    tmp_path: Path,
) -> None:
    """By the type checker, and at once by whatever imports the table."""
    for room in ("domain", "services"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("fonts"))
    for name, union, more in (
        ("events.py", "\nAgreement: TypeAlias = (\n    ", NEW),
        ("commands.py", "\nCommand: TypeAlias = (\n    ", NEW_COMMAND),
    ):
        path = tmp_path / "domain" / "match" / name
        added = re.findall(r"^class (\w+)", more, re.MULTILINE)[0]
        assert union in path.read_text()
        path.write_text(path.read_text().replace(union, f"{more}{union}{added} | "))
    places = [
        "domain/match/decisions/decide.py",
        "domain/match/evolve.py",
        "domain/match/narration.py",
        "services/audits/decisions.py",
    ]
    told = checked(tmp_path, tmp_path, *places)
    assert sorted({line.partition(":")[0] for line in told if "error" in line}) == places, told
    imported = subprocess.run(
        [sys.executable, "-c", "import domain.match.kinds"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert "the table of kinds and the records of facts disagree" in imported.stderr
