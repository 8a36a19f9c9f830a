"""A database in which there is a match of every kind: whatever a step may forget about one."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import copyfile

from domain.games import load_games
from domain.json_types import Json
from services.container import Services
from services.lobby.practice import NewPractice
from services.matches.actions import Action
from services.matches.conditional_moves.plans import ConditionalMovesChange
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.settings import Settings
from tests.services.conftest import Clock
from tests.services.exchange.matches import exported
from tests.services.people import Table, table

PACES: tuple[Json, ...] = (
    None,
    {"days_per_move": 30},
    {"bank_hours": 1_000, "increment_hours": 2, "cap_hours": 2_000},
)
LONG = 70
"""Events: past the first snapshot of a match that goes on."""


def opened(url: str, clock: Clock | None = None) -> Services:
    return Services(Settings(database_url=url), games=load_games(), now=clock or Clock())


def fill(url: str, empty: Path) -> None:
    """Play matches of every kind; ``empty`` is a migrated SQLite file, to be copied."""
    clock = Clock()
    house = opened(url, clock)
    for pace in PACES:
        _of_each_end(house, clock, pace)
    _waiting(house)
    _beside(house)
    _imported(house, url, empty)
    house.sequencer.run()
    # What is played behind the checkpoint is in no leaf of the tree.
    table(house).start("grid-power")
    house.sequencer.run()
    table(house).start("path-capture", pace=PACES[1])
    house.close()


def _of_each_end(house: Services, clock: Clock, pace: Json) -> None:
    table(house).start("power-line", pace=pace)
    play(table(house).start("power-lines", pace=pace), LONG)
    play(table(house).start("path-capture", pace=pace), 500)
    play(table(house).start("energy-capture", pace=pace), 8).act(1, "resign")
    there = table(house).start("grid-power", pace=pace)
    play(there, there.version + 2)
    there.act(1, "offer_abort")
    there.act(2, "accept_abort")
    there = play(table(house).start("grid-power", pace=pace), 5)
    there.act(there.shown().view.to_act or 1, "offer_draw")
    there = play(table(house).start("path-capture", pace=pace), 6)
    there.act(1, "offer_takeback", to_version=there.version - 1)
    there.act(2, "accept_takeback")
    if pace is not None:
        play(table(house).start("path-capture", pace={"days_per_move": 1}), 4)
        clock.advance(days=1, minutes=1)
        there = play(table(house).start("path-capture", pace=pace), 4)
        request = ChangeRequest(there.first, there.version)
        house.matches.act(request, there.match, Action("offer_pause", days=2))
        there.act(2, "accept_pause")
        house.sweeping.sweep()


def play(there: Table, version: int) -> Table:
    """Make the first legal moves up to a version, or to the end."""
    while there.version < version and (seat := there.shown().view.to_act):
        legal = there.house.queries.list_legal_moves(
            Asker(there.player(seat)), there.match, limit=1
        ).moves
        there.play(legal[0]["move"])
    return there


def _waiting(house: Services) -> None:
    """Create what waits for somebody, and what nobody waits for any more."""
    ada = house.accounts.get_local_player("ada").id
    for visibility in ("public", "unlisted"):
        house.matches.create(ChangeRequest(ada), NewMatch("path-capture", visibility=visibility))
    private = NewMatch("power-line", opponent="brook", visibility="private")
    house.matches.create(ChangeRequest(ada), private)
    challenge = NewMatch("grid-power", opponent="brook", pace=PACES[1])
    house.matches.create(ChangeRequest(ada), challenge)
    gone = house.matches.create(ChangeRequest(ada), NewMatch("path-capture")).shown.view.id
    house.matches.act(ChangeRequest(ada, any_version=True), gone, Action("abort"))


def _beside(house: Services) -> None:
    """Leave what lies beside events: conditional moves, a practice match, a vacation."""
    there = table(house).start("path-capture", {"length": 40}, PACES[2])
    line = [{"if": {"steps": 1}, "then": [{"steps": 1}]}]
    change = ConditionalMovesChange(there.second, 0, there.version)
    house.conditional_moves.replace(change, there.match, line)
    house.practice.begin("a browser", NewPractice("path-capture", {}, ({}, {})))
    house.vacations.take(there.first, 3)


def _imported(house: Services, url: str, empty: Path) -> None:
    path = empty.with_name(f"{empty.stem} elsewhere")
    copyfile(empty, path)
    other = opened(str(path))
    there = table(other).start("grid-power", pace=PACES[1])
    there.act(2, "resign")
    file = BytesIO(exported(other, there.match))
    other.close()
    assert [told.outcome for told in house.imports.read(file)] == ["imported"], url
