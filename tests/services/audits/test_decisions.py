"""Deciding everything again comes to the states of a fold, and counts each byte of an event."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from domain.log.event_format import GENESIS, hash_bytes
from domain.match.events import Event
from domain.match.fold import fold
from services.audits.audit import Audits, StoredMatch
from services.matches.repository import row_of
from services.store.db.engine import Database
from services.store.log import codec
from services.store.log.audits import StoredRow
from services.store.log.codec import to_openings
from tests.golden.transcript import parse, played
from tests.golden.wanted import HERE
from tests.services.audits.judging import repeated, same
from tests.support.games import test_games

FILES = sorted(HERE.glob("*/*.txt"))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@cache
def golden(path: Path) -> tuple[Event, ...]:
    return tuple(played(parse(path.read_text())).events)


def rows_of(events: Sequence[Event]) -> list[StoredRow]:
    return [
        StoredRow(
            event.version,
            event.match,
            event.version,
            event.kind,
            event.at,
            event.body,
            event.hash,
            to_openings(event.sealed),
        )
        for event in events
    ]


def anew(rows: Sequence[StoredRow], index: int, body: bytes) -> list[StoredRow]:
    """Return rows in which one event has other bytes, and the chain behind it is made anew."""
    made, previous = list(rows[:index]), rows[index - 1].hash if index else GENESIS
    for number, row in enumerate(rows[index:], index):
        written = body if number == index else row.body
        changed = json.loads(written)
        if number > index:
            written = written.replace(changed["previous"].encode(), previous.encode())
        previous = hash_bytes(written)
        kind, at = str(changed["kind"]), str(changed["at"])
        made.append(row._replace(body=written, hash=previous, kind=kind, at=at))
    return made


@pytest.mark.parametrize("path", FILES, ids=name)
def test_deciding_again_ends_where_a_fold_ends(path: Path) -> None:
    rows = rows_of(golden(path))
    again = repeated(rows, frozenset({len(rows) // 2}))
    assert again.fault is None
    assert same(again.match, fold(golden(path), test_games()))
    assert again.states.keys() == {len(rows) // 2}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_states_within_a_decision_are_those_that_a_fold_comes_to(path: Path) -> None:
    stream = golden(path)
    versions = frozenset(range(1, len(stream) + 1))
    states = repeated(rows_of(stream), versions).states
    assert states.keys() == versions
    within = [one.version for one in stream[:-1] if one.at == stream[one.version].at]
    assert within
    for version in within:
        assert same(states[version], fold(stream[:version], test_games())), version


@pytest.mark.parametrize(
    ("check", "odd"),
    [
        ("chain", lambda body: body.replace(b'"ply":', b'"ply": ', 1)),
        (
            "chain",
            lambda body: body.replace(b'"cause":"player",', b'"cause":"x","cause":"player",', 1),
        ),
        ("chain", lambda body: body.replace(b'{"steps":', b'{"steps" :', 1)),
        ("chain", lambda body: body.replace(b'"seat":1}', b'"seat":1,"seat":1}', 1)),
        ("decisions", lambda body: body.replace(b'"seat":1}', b'"seat":1.0}', 1)),
        ("chain", lambda body: body.replace(b'"player"', b'"pl\\u0061yer"', 1)),
        ("chain", lambda body: body.replace(b'"seat-1"', b'"seat\\u002d1"', 1)),
    ],
)
def test_a_move_in_other_than_its_canonical_bytes_is_found(
    check: str, odd: Callable[[bytes], bytes]
) -> None:
    rows = rows_of(golden(HERE / "path-capture" / "capture.txt"))
    index = next(i for i, row in enumerate(rows) if row.kind == "move-made")
    planted = anew(rows, index, odd(rows[index].body))
    assert planted[index].body != rows[index].body
    match = fold(codec.decode(row[5:] for row in planted), test_games())
    stored = StoredMatch(match.id, planted, row_of(match), ())
    audits = Audits(Database("unused.sqlite3"), test_games())
    [fault] = audits.check(stored, chain_only=False)
    assert (fault.version, fault.check) == (index + 1, check)
