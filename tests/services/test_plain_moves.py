"""The quick way to judge plain moves comes to what deciding everything again comes to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from domain.errors import Corruption
from domain.json_types import JsonObject
from domain.log.chain import GENESIS, digest
from domain.match.events import Event
from domain.match.fold import fold
from domain.match.state import ACTIVE, Match
from services.audits.auditing import Audits, Stored
from services.audits.chain import linked
from services.audits.decisions import Repeated
from services.audits.plain import PlainMoves
from services.matches.repository import row_of
from services.store.db.engine import Database
from services.store.log.audits import StoredRow
from services.store.log.codec import CODEC, to_openings
from tests.domain.mutants import neighbours
from tests.golden.transcript import parse, played
from tests.golden.wanted import HERE
from tests.services.judging import quickly, same, slowly
from tests.support.games import test_games

FILES = sorted(HERE.glob("*/*.txt"))
OPEN = [path for path in FILES if path.parent.name not in {"power-lines", "whisper"}]
"""Golden matches of games without secrets."""

NO_VERSION = (0, 2**31, "1", None, 1.0, True)


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
        previous = digest(written)
        kind, at = str(changed["kind"]), str(changed["at"])
        made.append(row._replace(body=written, hash=previous, kind=kind, at=at))
    return made


@pytest.mark.parametrize("path", FILES, ids=name)
def test_both_ways_come_to_the_same_states(path: Path) -> None:
    rows = rows_of(golden(path))
    ends = frozenset(range(1, len(rows) + 1))
    for keep in (frozenset[int](), frozenset({len(rows) // 2}), ends):
        quick, slow = quickly(rows, keep), slowly(rows, keep)
        assert quick is not None
        assert quick.fault is slow.fault is None
        assert same(quick.match, slow.match)
        assert same(quick.match, fold(golden(path), test_games()))
        assert quick.states.keys() == slow.states.keys()
        assert all(same(quick.states[at], slow.states[at]) for at in slow.states)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_states_within_a_decision_are_those_that_a_fold_comes_to(path: Path) -> None:
    stream = golden(path)
    versions = frozenset(range(1, len(stream) + 1))
    states = slowly(rows_of(stream), versions).states
    assert states.keys() == versions
    within = [one.version for one in stream[:-1] if one.at == stream[one.version].at]
    assert within
    for version in within:
        assert same(states[version], fold(stream[:version], test_games())), version


@pytest.mark.parametrize("path", OPEN, ids=name)
def test_the_moves_of_a_game_without_secrets_are_plain_to_its_end(path: Path) -> None:
    rows = rows_of(golden(path))
    started = next(index for index, row in enumerate(rows, 1) if row.kind == "match-started")
    first = next((i for i, row in enumerate(rows) if row.kind == "move-made"), started)
    before = fold(golden(path)[:first], test_games())
    if before.status != ACTIVE:
        return
    stop = next((i for i, row in enumerate(rows) if i >= first and not is_plain(row)), len(rows))
    plain = PlainMoves(rows, linked(rows, rows[0].match).others)
    assert plain(before, first).behind >= stop - 1


def is_plain(row: StoredRow) -> bool:
    """Whether it is a move, or comes of one by the rules alone."""
    server = b'{"actor":"server"' in row.body
    return row.kind in {"move-made", "turn-passed"} or (row.kind == "match-ended" and server)


def changes(event: JsonObject) -> Iterator[JsonObject]:
    """Yield events near one: what a forger would write who knows the format."""
    yield {**event, "actor": "admin"}
    for actor in ("seat-1", "seat-2", "server", "creator"):
        yield {**event, "actor": actor}
    yield {**event, "at": "2020-01-01T00:00:00.000000Z"}
    yield {**event, "at": "2026-11-30T00:00:00.000000Z"}
    yield {**event, "schema": 2}
    yield {**event, "kind": "match-ended", "data": {"reason": "power", "winner": 1}}
    yield {**event, "kind": "turn-passed", "data": {"reason": "no-legal-move", "seat": 1}}
    data = event["data"]
    yield {**event, "data": {**data, "surplus": 1}}
    for member, value in data.items():
        yield {**event, "data": {other: data[other] for other in data if other != member}}
        for odd in (*NO_VERSION, value, [value]):
            yield {**event, "data": {**data, member: odd}}
        if type(value) is int:
            yield {**event, "data": {**data, member: value + 1}}
            yield {**event, "data": {**data, member: 3 - value}}
    for move in neighbours(data["move"], []) if "move" in data else ():
        yield {**event, "data": {**data, "move": move}}


def written(event: JsonObject) -> bytes:
    """Return canonical JSON; numbers may be larger than the domain ever writes them."""
    text = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def outcome(judge: Callable[[], Repeated | None]) -> tuple[bool, Match | None]:
    """Say whether what was planted holds, and the state if it does."""
    try:
        judged = judge()
    except (Corruption, ValueError):  # it cannot even be read
        return False, None
    holds = judged is not None and judged.fault is None
    return holds, judged.match if holds and judged is not None else None


@pytest.mark.parametrize("path", OPEN[::2], ids=name)
def test_what_the_quick_way_lets_pass_is_what_the_other_lets_pass(path: Path) -> None:
    rows = rows_of(golden(path))
    found = 0
    for index in {0, 1, 2, 3, 4, 5, len(rows) // 2, len(rows) - 2, len(rows) - 1}:
        if index >= len(rows):
            continue
        for changed in changes(json.loads(rows[index].body)):
            planted = anew(rows, index, written(changed))
            quick = outcome(lambda: quickly(planted))  # noqa: B023 - called at once
            slow = outcome(lambda: slowly(planted))  # noqa: B023 - called at once
            assert quick == slow, (index, changed)
            found += not slow[0]
    assert found


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
    match = fold(CODEC.decode(row[5:] for row in planted), test_games())
    stored = Stored(match.id, planted, row_of(match), ())
    audits = Audits(Database("unused.sqlite3"), test_games())
    [fault] = audits.faults(stored, chain_only=False)
    assert (fault.version, fault.check) == (index + 1, check)
