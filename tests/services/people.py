"""Players at a table, for tests of use cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier

from domain.errors import Refusal
from domain.json_types import Json, JsonObject
from services.container import Services
from services.matches.actions import Action
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, CommandResult, NewMatch


@dataclass(slots=True)
class Table:
    """A match and its two players' ids; ``match`` is None before ``create``."""

    house: Services
    first: str
    second: str
    match: str = ""

    def start(
        self,
        game: str = "path-capture",
        options: JsonObject | None = None,
        pace: Json = None,
        series: Json = None,
        *,
        rated: bool = False,
    ) -> Table:
        """Create a match with the first player in seat 1, and let the second join."""
        new = NewMatch(game, options, seat=1, pace=pace, rated=rated, series=series)
        self.match = self.house.matches.create(ChangeRequest(self.first), new).shown.view.id
        self.house.matches.join(ChangeRequest(self.second), self.match)
        return self

    def shown(self) -> ShownMatch:
        """Show the match as its house sees it."""
        return self.house.queries.show(Asker(local=True), self.match)

    @property
    def version(self) -> int:
        """The version that the match is at."""
        return self.shown().view.version

    def player(self, seat: int) -> str:
        """Return who sits in a seat."""
        return self.first if seat == 1 else self.second

    def play(self, *moves: Json) -> CommandResult:
        """Make moves, each by whoever is to act; return what the last one gave."""
        done = None
        for move in moves:
            view = self.shown().view
            caller = self.player(view.to_act or 1)
            done = self.house.matches.play(ChangeRequest(caller, view.version), self.match, move)
        assert done is not None
        return done

    def act(self, seat: int, action: str, *, to_version: int | None = None) -> CommandResult:
        """Take an action for a seat, on the present version."""
        request = ChangeRequest(self.player(seat), self.version)
        taken = Action(action, to_version=to_version)
        return self.house.matches.act(request, self.match, taken)


def table(house: Services) -> Table:
    """Return a table with two new players."""
    players = [house.accounts.get_local_player(name).id for name in ("ada", "brook")]
    return Table(house, *players)


def chosen(house: Services, match: str, choose: Callable[[Sequence[object]], int]) -> JsonObject:
    """Return the legal move of a number in the list, which ``choose`` gets to count it.

    Nothing else is written: a position of Power Lines has hundreds of moves, and the texts and
    paths of all of them cost ten times what playing one does.
    """
    with house.database.read() as connection:
        found = house.matches.repository.load(connection, match)
    assert found is not None
    legal = list(found.game.iter_legal_moves(found.started))
    return found.game.dump_move(legal[choose(legal)])


def together(*calls: object) -> list[object]:
    """Let several people act at the same moment; return what each got."""
    gate = Barrier(len(calls))

    def run(call: object) -> object:
        assert callable(call)
        gate.wait()
        try:
            return call()
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
