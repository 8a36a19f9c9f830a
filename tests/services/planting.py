"""Exports of matches of every game, and what somebody may plant in them.

The matches are the golden ones, so that every ending is among them, and no database is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import orjson

from domain.game.game import Viewer
from domain.log.event_format import compute_commitment, hash_bytes, restore_body, write_canonical
from domain.match import commands, house_players
from domain.match.state import FINISHED
from domain.match.views import show_event
from services.exchange.block_format import subject_of
from tests.golden.test_golden import FILES
from tests.golden.transcript import parse, played
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, Table

Lines: TypeAlias = list[Any]
"""A header and events, parsed."""
EACH = 3
"""So many seals from either end of a match, and draws of each purpose, get something planted."""
NAMES = dict(zip(PLAYERS, ("ada", '\u202e=1"\n\x00😀'), strict=True))
HOUSE = {player: house_players.name_of(level) for level, player in house_players.PLAYERS.items()}


class Planted(NamedTuple):
    """A file with one thing in it that is not so.

    ``kind``: header, chain, seals, clocks, dice, result.
    """

    kind: str
    what: str
    file: bytes


def written(lines: Lines) -> bytes:
    return b"".join(write_canonical(line) + b"\n" for line in lines)


def rechained(lines: Lines) -> Lines:
    """Make the chain and the header's head anew, as somebody does who knows how."""
    previous, made = "0" * 64, []
    for event in lines[1:]:
        made.append({**event, "previous": previous})
        made[-1]["hash"] = previous = hash_bytes(restore_body(made[-1]))
    return [{**lines[0], "head": previous}, *made]


def lines_of(table: Table, viewer: Viewer = Viewer.SERVER) -> Lines:
    """Return an export of a match as far as ``viewer`` sees it."""
    named = {**NAMES, **HOUSE}
    names = (
        {one: named[one] for one in table.match.seats} if table.match.opponent in HOUSE else NAMES
    )
    subject = subject_of(table.match, viewer, names)
    over = viewer is Viewer.SERVER and table.match.status == FINISHED
    events = [show_event(event, viewer, finished=over) for event in table.events]
    return copied([subject.make_header(), *events])


def copied(lines: Lines) -> Lines:
    copy: Lines = orjson.loads(orjson.dumps(lines))
    return copy


@cache
def honest() -> dict[str, bytes]:
    """Return exports by name: finished ones, and what others see of one that goes on."""
    tables = {f"{path.parent.name} {path.stem}": played(parse(path.read_text())) for path in FILES}
    finished = {n: lines_of(one) for n, one in tables.items() if one.match.status == FINISHED}
    finished["contributed"] = lines_of(_contributed())
    finished["taken back"] = lines_of(_taken_back())
    finished["given back"] = lines_of(_given_back())
    finished["against the house"] = lines_of(_lost_by_the_house())
    aborted = lines_of(_aborted(), Viewer.SPECTATOR)
    running = lines_of(_running(), Viewer.SEAT_1)
    made = {**finished, "aborted": aborted, "running": running}
    return {name: written(lines) for name, lines in made.items()}


def _contributed() -> Table:
    """Play with dice of both players, and a seat by chance."""
    table = Table(test_games().get("energy-capture"), seat=None)
    table.do(commands.Contribute(table.match.seats.index(PLAYERS[0]) + 1, "ab" * 32))
    table.join(contribution="CD" * 32)
    table.do(commands.Resign(1))
    return table


def _taken_back() -> Table:
    """Play cards that are paid for with others, and take one of the moves back."""
    table = Table.started(test_games().get("path-capture"))
    table.play({"steps": 3}, {"steps": 2})
    version = len(table.events) - 1
    past, since = table.state_at(version), table.events[version:]
    table.do(commands.OfferTakeback(2, past, since))
    table.do(commands.AcceptOffer(1, "takeback", past))
    table.play({"steps": 1})
    table.do(commands.Resign(1))
    return table


def _given_back() -> Table:
    """Play on clocks that have run while the service was away."""
    table = Table(test_games().get("path-capture"), pace={"days_per_move": 3})
    table.do(commands.JoinMatch(PLAYERS[1], {}), "2026-11-28T00:00:00.000000Z")
    table.do(commands.GiveBackTime(1, 90_001), "2026-11-29T01:00:00.500000Z")
    table.do(
        commands.PlayMove(1, table.game.parse_move({"steps": 3})), "2026-11-29T02:00:00.000000Z"
    )
    table.do(commands.MakeOffer(1, "draw"), "2026-11-29T03:00:00.000000Z")
    table.do(commands.GiveBackTime(2, 93_600), "2026-11-30T04:00:00.000000Z")
    table.do(commands.Resign(2), "2026-11-30T04:00:00.000000Z")
    return table


def against_the_house(level: int = 3) -> Table:
    """Return a match in which a person has made the first move against a house player."""
    player = house_players.PLAYERS[level]
    table = Table(test_games().get("path-capture"), opponent=player)
    table.join(player)
    table.play({"steps": 1})
    return table


def _lost_by_the_house() -> Table:
    table = against_the_house()
    engine = house_players.describe_engine("1", 3)
    while table.match.to_act == 2:
        move = table.game.parse_move({"steps": 1})
        table.do(commands.PlayMove(2, move, house_players.HOUSE, engine))
    table.do(commands.Resign(2))
    return table


def _aborted() -> Table:
    table = Table.started(test_games().get("energy-capture"))
    table.do(commands.AbortMatch(None))
    return table


def _running() -> Table:
    table = Table.started(test_games().get("power-lines"))
    table.play(table.legal_moves()[0])
    return table


def planted(name: str) -> Iterator[Planted]:
    """Yield what can be planted in one of the honest exports, one thing a file."""
    lines = orjson.loads(b"[" + b",".join(honest()[name].splitlines()) + b"]")
    yield from _headers(lines)
    yield from _chains(lines)
    yield from _seals(lines)
    yield from _clocks(lines)
    if any("value" in seal for seal in lines[1]["sealed"]):
        yield from _dice(lines)
    if lines[0]["status"] == "finished":
        yield from _results(lines)


def _headers(lines: Lines) -> Iterator[Planted]:
    header, events = lines[0], lines[1:]
    other: dict[str, list[Any]] = {
        "format": ["plybook/replay"],
        "format_version": [2, 0, True],
        "match": ["0" * 16, None],
        "game": ["chess", 1],
        "rules_version": [header["rules_version"] + 1, True],
        "status": [one for one in ("open", "active", "finished", "aborted")
                   if one != header["status"]],
        "result": [None, {"winner": 7, "reason": "x"}, {"winner": 1}, []],
        "count": [len(events) + 1, len(events) - 1, 0, None],
        "head": ["0" * 64, events[0]["hash"]],
        "names": [{"p_" + "0" * 16: "eve"}, ["ada"], None, [], "", {PLAYERS[0]: 5},
                  {PLAYERS[0]: ""}],
        "viewer": ["admin", None, ["server"], *_other_eyes(header, events)],
    }  # fmt: skip
    for member, values in other.items():
        for value in values:
            if value != header[member] or type(value) is not type(header[member]):
                yield Planted("header", member, written([{**header, member: value}, *events]))
        without = {key: value for key, value in header.items() if key != member}
        yield Planted("header", f"no {member}", written([without, *events]))
    yield Planted("header", "more", written([{**header, "more": 1}, *events]))


def _other_eyes(header: Any, events: Lines) -> list[str]:  # noqa: ANN401 - JSON
    """Return the viewers who see another part of these events than what is open in them."""
    seals = [seal for event in events for seal in event["sealed"]]
    return [
        viewer.value
        for viewer in Viewer
        if viewer.value != header["viewer"]
        and any(
            ("salt" in seal) != (viewer is Viewer.SERVER or viewer.value in seal["for"])
            for seal in seals
        )
    ]


def _some(events: Lines) -> list[int]:
    """Return some of the events' places, the first and the last among them."""
    return sorted({0, 1, *range(0, len(events), 7), len(events) - 1})


def _chains(lines: Lines) -> Iterator[Planted]:
    header, events = lines[0], lines[1:]
    yield Planted("chain", "cut", written(lines[:-1]))
    yield Planted("chain", "cut in a line", written(lines)[:-9])
    for at in _some(events):
        before, event, after = events[:at], events[at], events[at + 1 :]
        made = {
            "removed": [*before, *after],
            "doubled": [*before, event, event, *after],
            "swapped": [*before, *after[:1], event, *after[1:]],
            "changed": [*before, {**event, "actor": "admin"}, *after],
            "renumbered": [*before, {**event, "version": event["version"] + 1}, *after],
            "of another match": [*before, {**event, "match": "0" * 16}, *after],
            "another past": [*before, {**event, "previous": "1" * 64}, *after],
            "another hash": [*before, {**event, "hash": "1" * 64}, *after],
        }
        for what, found in made.items():
            if found != events:
                yield Planted("chain", what, written([header, *found]))
                # A count that fits leaves it to the chain.
                fitting = {**header, "count": len(found)}
                yield Planted("chain", f"{what}, counted", written([fitting, *found]))
    early = [*events[:-1], {**events[-1], "at": "2020-01-01T00:00:00.000000Z"}]
    yield Planted("chain", "back in time, rechained", written(rechained([header, *early])))
    late = {**events[-1], "version": len(events) + 1, "sealed": []}
    behind = {**late, "kind": "draw-offered", "data": {"seat": 1, "version": 1}}
    if header["status"] in ("finished", "aborted"):
        counted = {**header, "count": len(events) + 1}
        for result in (header["result"], None):
            for status in ("active", header["status"]):
                said: dict[str, Any] = {**counted, "result": result, "status": status}
                longer = rechained([said, *events, behind])
                yield Planted("chain", "behind the end", written(longer))
    bare = [{**event, "sealed": []} for event in events]
    for viewer in Viewer:
        sealless = rechained([{**header, "viewer": viewer.value}, *bare])
        yield Planted("chain", "without any seal", written(sealless))
        beheaded = [{**one, "version": at} for at, one in enumerate(events[1:], 1)]
        shorter = {**header, "viewer": viewer.value, "count": len(beheaded)}
        yield Planted("chain", "without a beginning", written(rechained([shorter, *beheaded])))
    number = [*events[:-1], {**events[-1], "version": float(events[-1]["version"])}]
    yield Planted("chain", "1.0 for 1, rechained", written(rechained([header, *number])))


def _seals(lines: Lines) -> Iterator[Planted]:
    sealed = [at for at, event in enumerate(lines) if event.get("sealed")]
    for at in {*sealed[:EACH], *sealed[-EACH:]}:
        event = lines[at]
        for number, seal in enumerate(event["sealed"]):
            if "value" not in seal:
                continue
            changes: dict[str, Any] = {
                "value": {**seal, "value": {"secret": "0" * 64}},
                "salt": {**seal, "salt": "0" * 64},
                "salt in capitals": {**seal, "salt": seal["salt"].upper()},
                "half open": {key: value for key, value in seal.items() if key != "salt"},
                "another audience": {**seal, "for": ["server", "seat-1"]},
                "more": {**seal, "more": 1},
            }
            if lines[0]["viewer"] == "server":
                changes["closed"] = {key: seal[key] for key in ("for", "commitment")}
            for what, change in changes.items():
                made = copied(lines)
                made[at]["sealed"][number] = change
                if made != lines:
                    yield Planted("seals", what, written(made))
        # What is never opened can be any commitment.
        if "value" in event["sealed"][0]:
            made = copied(lines)
            made[at]["sealed"][0]["commitment"] = "2" * 64
            yield Planted("seals", "commitment, rechained", written(rechained(made)))


def _results(lines: Lines) -> Iterator[Planted]:
    """Let another seat win, in the eyes of each viewer: what is open decides what is judged."""
    end = lines[-1]
    winner = 3 - end["data"]["winner"] if end["data"]["winner"] else 1
    forged = {**end, "data": {**end["data"], "winner": winner}}
    result = {**lines[0]["result"], "winner": winner}
    for viewer in Viewer:
        header = {**lines[0], "result": result, "viewer": viewer.value}
        made = rechained([header, *lines[1:-1], forged])
        yield Planted("result", f"seen by {viewer.value}", written(made))


def _clocks(lines: Lines) -> Iterator[Planted]:
    """Give back more time than a clock has run, none, or as somebody else."""
    for at, event in enumerate(lines[1:], 1):
        if event["kind"] == "time-given" and event["data"]["reason"] == "downtime":
            amount = event["data"]["amount"]
            for more in (1, 86_400, -amount, -2 * amount):
                made = copied(lines)
                made[at]["data"]["amount"] += more
                yield Planted("clocks", f"{more:+} seconds", written(rechained(made)))
            made = copied(lines)
            made[at]["actor"] = "seat-1"
            yield Planted("clocks", "by a seat", written(rechained(made)))


def _dice(lines: Lines) -> Iterator[Planted]:
    seen: Counter[str] = Counter()
    for at, event in enumerate(lines[1:], 1):
        if event["kind"] == "chance-drawn" and seen[event["data"]["purpose"]] < EACH:
            seen[event["data"]["purpose"]] += 1
            made = copied(lines)
            _reroll(made[at])
            yield Planted("dice", event["data"]["purpose"], written(rechained(made)))
            made = copied(lines)
            made[at]["data"]["draw"] += 1
            yield Planted("dice", "number of the draw", written(rechained(made)))
    if any(event["data"].get("purpose") in ("setup", "shuffle") for event in lines[1:]):
        made = copied(lines)
        _reseal(made[1]["sealed"][0], {"secret": "ab" * 32})
        yield Planted("dice", "secret", written(rechained(made)))
        for at, event in enumerate(lines[1:], 1):
            if event["kind"] == "dice-contributed":
                made = copied(lines)
                made[at]["data"]["contribution"] = "01" * 32
                yield Planted("dice", "contribution", written(rechained(made)))


def _reroll(event: Any) -> None:  # noqa: ANN401 - JSON to be changed in place
    """Give an event of chance another outcome that could have been, sealed anew if it is sealed."""
    data = event["data"]
    outcome = event["sealed"][0]["value"] if event["sealed"] else data["outcome"]
    if data["purpose"] in ("seat", "first"):
        data["outcome"] = 3 - outcome
    elif data["purpose"] == "setup":
        outcome[0]["value"] = 1 + outcome[0]["value"] % 5
    elif data["purpose"] == "trash":
        data["outcome"] = outcome - 1 if outcome else 1
    else:
        other = next(place for place, card in enumerate(outcome) if card != outcome[0])
        outcome[0], outcome[other] = outcome[other], outcome[0]
        _reseal(event["sealed"][0], outcome)


def _reseal(seal: Any, value: Any) -> None:  # noqa: ANN401 - JSON to be changed in place
    seal["value"], seal["commitment"] = value, compute_commitment(seal["salt"], value)
