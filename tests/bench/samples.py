"""Sample matches that a large database is filled with copies of.

A sample is played by the domain alone: of each game, one for each way in which it can stand, with
and without a clock, rated and not. A copy has other ids and instants, and its chain made anew, so
that it folds like any match.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from random import Random
from typing import NamedTuple

from domain.game.options import fill
from domain.games import load_games
from domain.json_types import Json
from domain.log.event_format import GENESIS
from domain.match.clock import complete_pace
from domain.match.commands import AbortMatch, CreateMatch, Resign
from domain.match.series import SeriesTerms, make_first_place
from services.matches.repository import row_of
from services.store.log.codec import to_openings
from services.store.log.events import EventRow
from services.store.matches import MatchRow
from tests.support.scenario import PLAYERS, SECRET, Table

OPEN, RUNNING, WON, LOST, ABORTED = "open", "running", "won", "lost", "aborted"
"""How a match stands; one seat has won since the other one resigned."""

PLAYED_OUT = "played out"

PACES: tuple[Json, ...] = (None, {"days_per_move": 3}, {"bank_hours": 100, "increment_hours": 2})
PLIES = 4
SERIES = SeriesTerms(3)
IDS = ("0sample0match000", "1sample1match111")
"""Of a sample, and of the match that follows on it in a series."""


class Kind(NamedTuple):
    """What a sample is like. ``pace``: an index of ``PACES``. ``series``: whether it begins one."""

    game: str
    stands: str
    rated: bool = False
    pace: int = 0
    private: bool = False
    series: bool = False


class Sample(NamedTuple):
    """A match as it is stored: its events, and its row in the lists."""

    events: list[EventRow]
    row: MatchRow


class Names(NamedTuple):
    """What a copy is called: its matches' ids, its players' ids by the first one's seats."""

    matches: tuple[str, ...]
    players: tuple[str, str]


@cache
def samples(kind: Kind) -> tuple[Sample, ...]:
    """Return a sample: a match, or those of a series that is won in two, or goes on in its second.

    Moves are the same for all that are of one game.
    """
    table = _begun(kind)
    if not kind.series:
        _go_on(table, kind.stands)
        return (_stored(table),)
    _go_on(table, WON)
    second = Table.behind(table, IDS[1])
    # Seats were swapped: who has won the first match sits in the second seat now.
    _go_on(second, LOST if kind.stands == WON else RUNNING)
    return _stored(table), _stored(second)


def _begun(kind: Kind) -> Table:
    game = load_games().get(kind.game)
    created = CreateMatch(
        match=IDS[0],
        secret=SECRET,
        game=game,
        options=fill(game.options, {}),
        settings=fill(game.settings, {}),
        creator=PLAYERS[0],
        seat=1,
        visibility="private" if kind.private else "public",
        opponent=PLAYERS[1] if kind.private else None,
        pace=complete_pace(PACES[kind.pace]),
        rated=kind.rated,
        series=make_first_place(SERIES if kind.series else None, IDS[0]),
    )
    return Table(game, match=IDS[0], created=created)


def _go_on(table: Table, stands: str) -> None:
    """Play until a match stands so."""
    if stands == ABORTED:
        table.do(AbortMatch(1))
    if stands in (OPEN, ABORTED):
        return
    if table.match.free_seat is not None:
        table.join()
    chance = Random(1)
    while table.match.to_act is not None and (table.match.ply < PLIES or stands == PLAYED_OUT):
        table.play(chance.choice(table.legal_moves()))
    if stands in (WON, LOST):
        table.do(Resign(2 if stands == WON else 1))


def _stored(table: Table) -> Sample:
    rows: list[EventRow] = [
        (
            event.match,
            event.version,
            event.kind,
            event.at,
            event.body,
            event.hash,
            to_openings(event.sealed) if event.sealed else None,
        )
        for event in table.events
    ]
    return Sample(rows, row_of(table.match))


def row_as(sample: Sample, names: Names, number: int, instants: tuple[str, str]) -> MatchRow:
    """Return the row of a copy. ``number``: which of the sample's matches it is, from 0 on.

    ``instants``: when it was created, and when its last event happened.
    """
    row = sample.row
    ids = dict(zip(PLAYERS, names.players, strict=True))
    acts = row.to_act_player
    return row._replace(
        id=names.matches[number],
        creator=ids[row.creator],
        opponent=None if row.opponent is None else ids[row.opponent],
        seat_1=None if row.seat_1 is None else ids[row.seat_1],
        seat_2=None if row.seat_2 is None else ids[row.seat_2],
        to_act_player=None if acts is None else ids[acts],
        created_at=instants[0],
        updated_at=instants[1],
        deadline=None,
        series=None if row.series is None else names.matches[0],
    )


def events_as(
    kind: Kind, names: Names, instants: list[tuple[str, str]]
) -> list[tuple[list[EventRow], str]]:
    """Return the events of each match of a copy, and the hash of the last one.

    ``instants``: of each match, as ``row_as`` has them.
    """
    changes = [
        *zip((one.encode() for one in IDS), (one.encode() for one in names.matches), strict=False),
        *((old.encode(), new.encode()) for old, new in zip(PLAYERS, names.players, strict=True)),
    ]
    found = list[tuple[list[EventRow], str]]()
    for number, sample in enumerate(samples(kind)):
        copied = _chained(sample, names.matches[number], changes, instants[number])
        # The next match of a series names the end of this one.
        changes.append((sample.events[-1][5].encode(), copied[-1][5].encode()))
        found.append((copied, copied[-1][5]))
    return found


def _chained(
    sample: Sample, match: str, changes: list[tuple[bytes, bytes]], instants: tuple[str, str]
) -> list[EventRow]:
    previous, former, copied = GENESIS, GENESIS, list[EventRow]()
    for _, version, kind, at, body, hashed, openings in sample.events:
        now = instants[version == len(sample.events)]
        made = body.replace(at.encode(), now.encode()).replace(former.encode(), previous.encode())
        for old, new in changes:
            made = made.replace(old, new)
        former, previous = hashed, sha256(made).hexdigest()
        copied.append((match, version, kind, now, made, previous, openings))
    return copied
