"""Matches with everything that can happen in one, and what a forger puts into them.

A forger knows how to seal, to hash and to chain, so that nothing but the rules can say what is
wrong. What is forged is put into a database and into a file, to be judged in both places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

from domain.game.game import Game
from domain.game.options import Option
from domain.log.event_format import GENESIS, compute_commitment, hash_bytes, write_canonical
from domain.match import commands
from domain.match.clock import DAY, HOUR, SECOND
from domain.match.house_players import PLAYERS as HOUSE_PLAYERS
from domain.match.house_players import describe_engine
from domain.match.series import SeriesTerms
from domain.match.state import FINISHED
from services.audits.audit import Audits, StoredMatch
from services.audits.chain import Fault
from services.container import Services
from services.exchange.file_audit import judge_file
from services.matches.repository import row_of
from services.store.log import events as log
from services.store.matches import MatchRow
from tests.golden.test_golden import FILES
from tests.golden.transcript import parse, played
from tests.services.checkpoints.attacks import remove, unguarded
from tests.services.planting import Lines, against_the_house, copied, lines_of, written
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, Table

A_DAY, AN_HOUR = DAY // SECOND, HOUR // SECOND
CLOCK = {"days_per_move": 3}

AnyRules: TypeAlias = Game[Any, Any, Any]


class Said(NamedTuple):
    """What was said of one match in both places: the first fault of each, if there is any."""

    database: Fault | None
    file: Fault | None

    @property
    def alike(self) -> bool:
        return self.database == self.file


def said(house: Services, lines: Lines) -> Said:
    """Put a match into a database, and into a file; return what an audit says of each."""
    put(house, lines)
    return _said(house.audits.verify(lines[1]["match"]).faults, lines)


def put(house: Services, lines: Lines) -> None:
    """Put a match into a database, in the place of one of the same id."""
    rows, line = _stored(lines[1:])
    with unguarded(house.database) as connection:
        remove(connection, line.id)
        log.append(connection, log.NewEvents(rows, line))


def said_at_once(audits: Audits, lines: Lines) -> Said:
    """Say the same of rows that lie in no database: there are many thousands of them."""
    rows, line = _stored(lines[1:])
    positions = [(position, *row) for position, row in enumerate(rows, 1)]
    return _said(audits.check(StoredMatch(line.id, positions, line, ()), chain_only=False), lines)


def _said(in_database: list[Fault], lines: Lines) -> Said:
    [of_file] = judge_file(BytesIO(written(lines)), _games)
    first = [one for one in in_database if one.check != "caches"][:1]
    return Said(*(next(iter(one), None) for one in (first, of_file.faults)))


def _stored(events: Lines) -> tuple[list[log.EventRow], MatchRow]:
    """Return these events as they are stored; of what the lists say only the end is theirs."""
    rows = [_row(event) for event in events]
    line = row_of(finished()["agreements"].match)
    return rows, line._replace(id=rows[0][0], version=len(rows), head=rows[-1][5])


def _row(event: Any) -> log.EventRow:  # noqa: ANN401 - JSON
    openings = [[seal["salt"], seal["value"]] for seal in event["sealed"]]
    stored = write_canonical(openings) if openings else None
    # The columns beside take texts alone.
    kind, at = (str(event.get(name)) for name in ("kind", "at"))
    return event["match"], event["version"], kind, at, covered(event), event["hash"], stored


def covered(event: Any) -> bytes:  # noqa: ANN401 - JSON
    """Return the bytes of an event that its hash covers, whatever else a forger has put in."""
    if type(event["sealed"]) is not list:
        raise TypeError(event["sealed"])
    opening = {"salt", "value"}
    sealed = [{k: v for k, v in one.items() if k not in opening} for one in event["sealed"]]
    without = {name: value for name, value in event.items() if name != "hash"}
    return write_canonical({**without, "sealed": sealed})


def made_anew(lines: Lines) -> Lines:
    """Make all commitments, hashes and links anew, and the header's end."""
    header, *events = copied(lines)
    previous = GENESIS
    for event in events:
        for seal in event["sealed"]:
            seal["commitment"] = compute_commitment(seal["salt"], seal["value"])
        event["previous"] = previous
        event["hash"] = previous = hash_bytes(covered(event))
    return [{**header, "head": previous, "count": len(events)}, *events]


_games = test_games()


# --- honest matches -----------------------------------------------------------------------------


@cache
def finished() -> dict[str, Table]:
    """Return finished matches by name; together they have every kind of event but an abort."""
    tables = {f"{path.parent.name} {path.stem}": played(parse(path.read_text())) for path in FILES}
    made = {name: one for name, one in tables.items() if one.match.status == FINISHED}
    return {
        "agreements": _agreements(),
        "decks": _decks(),
        "timeout": _timeout(),
        "series": _series()[1],
        **made,
    }


def before(name: str) -> list[Lines]:
    """Return the matches on which the one of this name follows in its series, as exports."""
    return [lines_of(_series()[0])] if name == "series" else []


@cache
def _series() -> tuple[Table, Table]:
    """Play the first match of a series, and leave the second one."""
    first = Table.started(_games.get("path-capture"), series=SeriesTerms(3))
    first.do(commands.Resign(2))
    second = Table.behind(first, "0123456789abcdeg")
    second.play({"steps": 1})
    second.do(commands.LeaveSeries(1))
    return first, second


def _agreements() -> Table:
    """Play a challenge with a clock, in which the players agree on all that they can."""
    table = Table(
        _games.get("path-capture"), seat=None, opponent=PLAYERS[1], pace=CLOCK,
        waits=5 * A_DAY, options={"length": 41},
    )  # fmt: skip
    table.do(commands.Contribute(table.match.seats.index(PLAYERS[0]) + 1, "ab" * 32))
    table.join(contribution="CD" * 32)
    for kind in ("draw", "abort"):
        table.do(commands.MakeOffer(1, kind))
        table.do(commands.DeclineOffer(2, kind))
    table.play({"steps": 3}, {"steps": 2}, {"steps": 1})
    back = len(table.events) - 1
    past = table.state_at(back)
    table.do(commands.OfferTakeback(2, past, table.events[back:]))
    table.do(commands.DeclineOffer(1, "takeback"))
    table.take_back(2, back)
    table.do(commands.MakeOffer(1, "pause", 2 * A_DAY))
    table.do(commands.DeclineOffer(1, "pause"))
    table.do(commands.MakeOffer(2, "pause", 2 * A_DAY))
    table.do(commands.AcceptOffer(1, "pause"))
    table.do(commands.MakeOffer(1, "resume"))
    table.do(commands.DeclineOffer(2, "resume"))
    table.do(commands.MakeOffer(1, "resume"))
    table.do(commands.AcceptOffer(2, "resume"))
    table.do(commands.GoAway(1, 2 * A_DAY))
    table.do(commands.ComeBack(1))
    table.do(commands.GiveTime(2, 3 * AN_HOUR))
    table.do(commands.GiveBackTime(table.match.to_act or 1, 1))
    table.play({"steps": 1})
    table.do(commands.MakeOffer(1, "draw"))
    table.do(commands.AcceptOffer(2, "draw"))
    return table


def _decks() -> Table:
    """Play cards with decks that both have brought, until a shuffle and some hidden moves."""
    decks = {"deck": [4] * 26}, {"deck": [*range(11), *range(11), 1, 2, 3, 4]}
    table = Table.started(_games.get("power-lines"), settings=decks)
    for _ in range(8):
        table.play(table.legal_moves()[-1])
    table.do(commands.Resign(2))
    return table


def _timeout() -> Table:
    table = Table.started(_games.get("energy-capture"), pace=CLOCK)
    table.play(table.legal_moves()[0])
    table.do(commands.TimeOut(), "2026-12-24T00:00:00.000000Z")
    return table


def lines_by_name() -> dict[str, Lines]:
    """Return the finished matches as exports have them, without names."""
    made = {name: lines_of(table) for name, table in finished().items()}
    return {name: [{**lines[0], "names": {}}, *lines[1:]] for name, lines in made.items()}


# --- what a forger chooses -----------------------------------------------------------------------


def lenient(slug: str, **defaults: Any) -> AnyRules:  # noqa: ANN401 - JSON
    """Return a game that takes any option and any setting, with these as its usual ones.

    Dice and moves follow from what it was given, as they do in the true one.
    """
    game: AnyRules = _games.get(slug)

    def open_to_all(names: Any) -> tuple[Option, ...]:  # noqa: ANN401
        return tuple(
            Option(name, defaults.get(name, usual), {}, "", lambda _: None)
            for name, usual in names.items()
        )

    options = {one.name: one.default for one in game.options}
    settings = {one.name: one.default for one in game.settings}
    extra = defaults.keys() - options.keys() - settings.keys()
    options |= dict.fromkeys(extra)
    return replace(game, options=open_to_all(options), settings=open_to_all(settings))


def _resigned(table: Table, *moves: Any) -> Lines:  # noqa: ANN401 - JSON
    table.play(*moves)
    table.do(commands.Resign(1))
    return lines_of(table)


def _with(slug: str, **choices: Any) -> Lines:  # noqa: ANN401 - JSON
    """Play a match with options or settings that nobody can choose."""
    return _resigned(Table.started(lenient(slug, **choices)))


def _after(*asked: commands.Command, pace: Any = None) -> Lines:  # noqa: ANN401 - JSON
    """Ask for things in a match that has begun, and end it by a resignation."""
    table = Table.started(_games.get("path-capture"), pace=pace)
    for command in asked:
        table.do(command)
    return _resigned(table)


def _open(command: commands.Command) -> Lines:
    """Ask for something while a seat is free."""
    table = Table(_games.get("path-capture"))
    table.do(command)
    table.join()
    return _resigned(table)


def _waiting(seconds: Any) -> Lines:  # noqa: ANN401 - JSON
    table = Table(_games.get("path-capture"), opponent=PLAYERS[1], waits=seconds)
    table.join()
    return _resigned(table)


def _joined(**asked: Any) -> Lines:  # noqa: ANN401 - JSON
    table = Table(_games.get("path-capture"))
    table.join(**asked)
    return _resigned(table)


def _step(**members: Any) -> commands.PlayMove:  # noqa: ANN401 - JSON
    game = _games.get("path-capture")
    return commands.PlayMove(1, game.parse_move({"steps": 1}), **members)


def _against_the_house(*, level: int = 3, **members: Any) -> Lines:  # noqa: ANN401 - JSON
    """Let a house player in seat 2 make a move."""
    table = against_the_house(level)
    game = _games.get("path-capture")
    table.do(commands.PlayMove(2, game.parse_move({"steps": 1}), **members))
    return _resigned(table)


def _of_engine(engine: Any, level: int = 3) -> Lines:  # noqa: ANN401 - JSON
    return _against_the_house(level=level, cause="house", engine=engine)


def _pause(seconds: Any) -> tuple[commands.Command, ...]:  # noqa: ANN401 - JSON
    return commands.MakeOffer(1, "pause", seconds), commands.AcceptOffer(2, "pause")


def _given(**members: Any) -> Lines:  # noqa: ANN401 - JSON
    """Put something into the first event of a match."""
    lines = copied(_after())
    lines[1]["data"].update(members)
    return made_anew(lines)


CHOICES: dict[str, Callable[[], Lines]] = {
    "a deck of 40 cards": lambda: _with("power-lines", deck=[4] * 40),
    "a deck with an 11": lambda: _with("power-lines", deck=[11] * 26),
    "a way to settle that there is not": lambda: _with("power-line", deadlock="laeder"),
    "a negative komi": lambda: _with("grid-power", komi=-5),
    "a komi that is true": lambda: _with("grid-power", komi=True),
    "an unknown option": lambda: _with("grid-power", speed=3),
    "a line too long": lambda: _with("path-capture", length=1001),
    "cells on the start": lambda: _with(
        "energy-capture", cells=[{"row": 1, "column": 1, "value": 5}]
    ),
    "an odd cause": lambda: _after(_step(cause="odd")),
    "a cause that is none": lambda: _after(_step(cause=None)),
    "an engine of a person": lambda: _after(_step(engine=describe_engine("1", 3))),
    "a person's move of the house": lambda: _after(_step(cause="house")),
    "a house player's own move": _against_the_house,
    "a house player without an engine": lambda: _against_the_house(cause="house"),
    "an engine of another level": lambda: _of_engine({"version": "1", "level": 4}),
    "an engine of a true level": lambda: _of_engine({"version": "1", "level": True}, level=1),
    "an engine in words": lambda: _of_engine({"version": "The best!", "level": 3}),
    "an engine of no version": lambda: _of_engine({"level": 3}),
    "an engine with more": lambda: _of_engine({"version": "1", "level": 3, "nodes": 9}),
    "an engine that is none": lambda: _of_engine([]),
    "a house player who was not named": lambda: _joined(player=HOUSE_PLAYERS[3]),
    "a house player who creates": lambda: _given(creator=HOUSE_PLAYERS[3]),
    "a gift of odd seconds": lambda: _after(commands.GiveTime(1, 3_601), pace=CLOCK),
    "a pause of odd seconds": lambda: _after(*_pause(A_DAY + 1), pace=CLOCK),
    "a vacation of nothing": lambda: _after(commands.GoAway(1, 0), pace=CLOCK),
    "a vacation that ends before": lambda: _after(commands.GoAway(1, -5), pace=CLOCK),
    "a vacation of a year": lambda: _after(commands.GoAway(1, 365 * A_DAY), pace=CLOCK),
    "a vacation of true seconds": lambda: _after(commands.GoAway(1, True), pace=CLOCK),  # noqa: FBT003 - by place
    "a downtime of true seconds": lambda: _after(
        commands.GiveBackTime(1, True),  # noqa: FBT003 - by place
        pace=CLOCK,
    ),
    "a challenge for a minute": lambda: _waiting(60),
    "a challenge for half a day more": lambda: _waiting(A_DAY * 3 // 2),
    "a challenge for a year": lambda: _waiting(365 * A_DAY),
    "a contribution of an empty seat": lambda: _open(commands.Contribute(2, "ab" * 32)),
    "a contribution of no seat": lambda: _open(commands.Contribute(0, "ab" * 32)),
    "a contribution that is too short": lambda: _open(commands.Contribute(1, "ab")),
    "a contribution in words": lambda: _joined(contribution="dice" * 16),
    "a player who is called so": lambda: _joined(player="ada"),
    "an offer of no seat": lambda: _after(commands.MakeOffer(3, "draw")),
    "an offer of seat 0": lambda: _after(commands.MakeOffer(0, "abort")),
    "an acceptance of no seat": lambda: _after(
        commands.MakeOffer(1, "pause", A_DAY), commands.AcceptOffer(3, "pause"), pace=CLOCK
    ),
    "a refusal of no seat": lambda: _after(
        commands.MakeOffer(1, "draw"), commands.DeclineOffer(0, "draw")
    ),
    "a visibility that there is not": lambda: _given(visibility="secret"),
    "a visibility that is none": lambda: _given(visibility=None),
    "a match that is rated 1": lambda: _given(rated=1),
    "a pace of a year a move": lambda: _given(
        pace={"days_per_move": 365, "vacation": True, "pause": True}
    ),
    "a pace with more to it": lambda: _given(
        pace={**CLOCK, "vacation": True, "pause": True, "more": 1}
    ),
    "a creator who is called so": lambda: _given(creator="ada"),
}
"""What nobody can choose, in matches of which all else follows from it as the rules have it."""


# --- any member of any event ----------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    "x", 1.0, True, None, [], {}, -1, 0, 3, 2**53, "p_" + "0" * 16, "seat-2",
    "2026-13-41T00:00:00.000000Z",
)  # fmt: skip
"""What may stand in place of any member."""
GONE = "(left out)"
MORE = "(one more)"
CHAINED = ("hash", "previous", "match", "version", "commitment", "salt")
"""What is not a forger's to choose."""


class Plant(NamedTuple):
    """A match with another member in an event of a ``kind``."""

    kind: str
    place: str
    value: Any
    lines: Lines


def odd_members(lines: Lines) -> Iterator[Plant]:
    """Yield a match again and again, each time with another member in one of its events.

    Of each kind it is the last event; everything behind it is made anew.
    """
    for kind, at in {event["kind"]: at for at, event in enumerate(lines) if at}.items():
        for place in _places(lines[at]):
            for value in (*ODD, GONE):
                made = _planted(lines, at, place, value)
                if made is not None:
                    yield Plant(kind, ".".join(map(str, place)), value, made)
        for place in _objects(lines[at]):
            made = _planted(lines, at, (*place, "zzz"), MORE)
            assert made is not None
            yield Plant(kind, ".".join(map(str, place)), MORE, made)


def _places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the way to each member, and of lists to the first item."""
    named = value.items() if isinstance(value, dict) else [*enumerate(value)][:1]
    for name, inner in named:
        if name in CHAINED:
            continue
        yield (*before, name)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*before, name))


def _objects(event: Any) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    yield ()
    for place in _places(event):
        if isinstance(_at(event, place), dict):
            yield place


def _at(event: Any, place: tuple[Any, ...]) -> Any:  # noqa: ANN401 - JSON
    for name in place:
        event = event[name]
    return event


def _planted(lines: Lines, at: int, place: tuple[Any, ...], value: Any) -> Lines | None:  # noqa: ANN401
    made = copied(lines)
    parent, name = _at(made[at], place[:-1]), place[-1]
    if value == MORE:
        parent[name] = 1
    elif value == GONE:
        del parent[name]
    elif write_canonical(parent[name]) == write_canonical(value):
        return None
    else:
        parent[name] = value
    try:
        return made_anew(made)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None  # it cannot be sealed or hashed: a forger can make no file of it
