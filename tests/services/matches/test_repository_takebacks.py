"""Matches in which somebody takes back again and again, and each time what was taken back to."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import stack

from sqlalchemy import Connection

from domain.match import commands
from domain.match.decisions.decide import decide
from domain.match.events import Event
from domain.match.state import Match
from services.container import Services
from services.matches.queries import Asker
from services.matches.repository import Repository
from services.store.log import snapshots
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.matches.test_timeouts import DAYS, STEP
from tests.services.people import Table, table

TAKEBACKS = 2_000
DEEP_ENOUGH = 120
"""Calls within calls that any match may take to be loaded."""


@contextmanager
def shallow() -> Iterator[None]:
    """Let no more than so many calls be within each other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(stack(0)) + DEEP_ENOUGH)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def take_back_again_and_again(there: Table, number: int) -> Match:
    """Let both move and take that back, so many times; each leads to where the last one led.

    Four events each behind five at first: no snapshot is of a version to which one leads.
    """
    repository = there.house.matches.repository
    with there.house.database.write() as connection:
        match = repository.load(connection, there.match)
        assert match is not None
        match = _do(repository, connection, match, commands.GiveTime(1, 3_600))
        for _ in range(number):
            past = match
            since: list[Event] = []
            for seat in (1, 2):
                move = commands.PlayMove(seat, match.game.parse_move(STEP))
                match = _do(repository, connection, match, move, since)
            match = _do(repository, connection, match, commands.OfferTakeback(1, past, since))
            match = _do(repository, connection, match, commands.AcceptOffer(2, "takeback", past))
    return match


def _do(
    repository: Repository,
    connection: Connection,
    match: Match,
    command: commands.Command,
    told: list[Event] | None = None,
) -> Match:
    decided = decide(match, command, at=match.updated_at)
    appended = repository.seal(match, decided, match.updated_at)
    repository.write(connection, appended)
    if told is not None:
        told += appended.events
    return appended.match


def fresh(house: Services) -> Repository:
    """Return a repository that remembers nothing, as after a restart."""
    return Repository(house.games, house.now, house.matches.repository.randomness)


# How deep a load goes has nothing to do with the database; the test below asks both.
@ON_SQLITE_ALONE
def test_a_match_of_two_thousand_takebacks_is_loaded_from_anywhere(house: Services) -> None:
    there = table(house).start(pace=DAYS)
    match = take_back_again_and_again(there, TAKEBACKS)
    assert (match.ply, match.moves_made) == (0, 2 * TAKEBACKS)
    with shallow(), house.database.read() as connection:
        assert fresh(house).load(connection, there.match) == match
        middle = fresh(house).make_past(connection, match.id, anew=True)(match.version // 2)
        state = fresh(house).make_past(connection, match.id)(match.version // 2)
    assert middle == state
    with house.database.write() as connection:
        snapshots.delete(connection, there.match)
    with shallow(), house.database.read() as connection:
        assert fresh(house).load(connection, there.match) == match
        assert fresh(house).make_past(connection, match.id)(match.version // 2) == middle


def test_it_is_replayed_verified_and_gone_on_with(house: Services) -> None:
    there = table(house).start(pace=DAYS)
    match = take_back_again_and_again(there, TAKEBACKS // 10)
    with shallow():
        frames = house.replays.replay(Asker(local=True), there.match).frames
        assert len(frames) == 4 * TAKEBACKS // 10 + 2
        assert house.audits.verify(there.match).holds
    there.play(STEP)
    assert there.version == match.version + 1
