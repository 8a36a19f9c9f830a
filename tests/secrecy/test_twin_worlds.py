"""Two worlds that differ only in what a viewer must not know give that viewer the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple, TypeAlias

import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from tests.secrecy import corners, outlets
from tests.secrecy.hidden import hidden_from, opened_by, opened_in
from tests.secrecy.pairs import PAIRINGS, VIEWERS, Pair, power_lines, scripted, seen_by
from tests.secrecy.terminal import commands
from tests.secrecy.worlds import PLAYERS, Twins, World, two_worlds
from tests.support.games import WHISPER
from tests.support.scenario import Table
from tests.web.people import Person

MATCHES = {
    "power-lines": ((4, 36, False), (9, 12, True)),
    "whisper": ((8, 14, False), (61, 14, True)),
}
"""Which random matches of a game, how many moves of each at most, and whether it is a second one.

A second match of a series has the decks of the first, which lie open as soon as that is over. So it
is the order of cards that differs there; in first matches the decks are others, too.
"""

ACTIONS = ("place", "draw", "shuffle", "dominate", "play", "discard", "decline")

DENSE, SPARSE = 8, 30
"""Of so many past versions one is looked at by itself: while the match runs, and otherwise."""

Asking: TypeAlias = Callable[[World, Person], Iterable[outlets.Answer]]


class Comparison:
    """A pair of matches in two worlds, and what its viewer gets in either.

    ``answers``: how many were compared. ``seen``: all bytes that the first world gave.
    """

    def __init__(self, worlds: Twins, pair: Pair) -> None:
        self.worlds = worlds
        self.pair = pair
        self.match = ""
        self.first: str | None = None
        self.answers = 0
        self.seen: list[bytes] = []

    def begin(self) -> None:
        """Create and join the match, the first of a series; compare while it is open, too."""
        scripts = (self.pair.first, self.pair.second)
        created = [
            world.create(self.pair.game, script, series=True)
            for world, script in zip(self.worlds, scripts, strict=True)
        ]
        self.match = created[0].json["id"]
        self.same(lambda world, person: outlets.whole(world, person, self.match, SPARSE))
        joined = [world.join(self.match) for world in self.worlds]
        for seat, (first, second) in enumerate((created, joined), 1):
            if self.pair.viewer.seat == seat:
                assert outlets.everything(first) == outlets.everything(second)

    def begin_second(self) -> None:
        """Begin the second match of a series, whose first one is over and the same in both."""
        scripts = (self.pair.first, self.pair.second)
        one, other = (
            world.second_of_series(self.pair.game, script)
            for world, script in zip(self.worlds, scripts, strict=True)
        )
        assert one == other
        self.first, self.match = one

    def same(self, ask: Asking) -> None:
        """Let every onlooker ask the same in both worlds, and compare."""
        people = [outlets.onlookers(world, self.pair.viewer) for world in self.worlds]
        for asking in zip(*people, strict=True):
            self._compare(
                *(ask(world, one) for world, one in zip(self.worlds, asking, strict=True))
            )

    def _compare(self, one: Iterable[outlets.Answer], other: Iterable[outlets.Answer]) -> None:
        for first, second in zip(one, other, strict=True):
            assert first == second
            self.answers += 1
            self.seen.append(first[1])

    def moment(self) -> None:
        """Compare what changes with every move."""
        self.same(lambda world, person: outlets.moment(world, person, self.match))

    def refused(self, random: Random, turn: int) -> None:
        """Compare how wrong moves are refused."""
        seed, match, viewer = random.random(), self.match, self.pair.viewer
        self.same(
            lambda world, person: outlets.refusals(world, person, match, viewer, Random(seed))
        )
        if self.pair.game == "power-lines":
            self.same(lambda world, person: corners.tries(world, person, match, turn))

    def whole(self, stride: int) -> None:
        """Compare every outlet, those of the terminal too; while it runs, what is of no match."""
        match, first, runs = self.match, self.first, stride == DENSE
        self.same(lambda world, person: outlets.whole(world, person, match, stride))
        self.same(
            lambda world, person: corners.around(world, person, match, elsewhere=runs, first=first)
        )
        if self.pair.game == "power-lines":
            one, other = (
                commands(world, match, self.pair.viewer, all_of_them=runs) for world in self.worlds
            )
            self._compare(one, other)

    def play(self, number: int, moves: tuple[JsonObject, JsonObject]) -> None:
        """Play one move in both; compare the answers, if they are the viewer's own."""
        own = self.worlds.first.truth(self.match).to_act == self.pair.viewer.seat
        for again in (False, True) if own else (False,):
            first, second = (
                outlets.everything(world.play(self.match, move, f"key-{number}", again=again))
                for world, move in zip(self.worlds, moves, strict=True)
            )
            assert not own or first == second
            self.seen += [first] if own else []


def compared(worlds: Twins, pair: Pair, *, second: bool = False) -> Comparison:
    """Play a pair of matches to the end of its scripts, and abort it; compare all the way.

    ``second``: they are the second ones of their series.
    """
    comparison = Comparison(worlds, pair)
    if second:
        comparison.begin_second()
    else:
        comparison.begin()
    random = Random(0)
    for number, moves in enumerate(pair.moves()):
        comparison.moment()
        if number % 2:
            comparison.refused(random, number // 2)
        comparison.play(number, moves)
    comparison.whole(DENSE)
    for world in worlds:
        world.abort(comparison.match)
    comparison.whole(SPARSE)
    return comparison


class Case(NamedTuple):
    """A viewer, and the pair of matches that is compared for them; see ``MATCHES``."""

    game: str
    viewer: Viewer
    number: int
    most: int
    second: bool

    def pair(self) -> Pair:
        """Return the pair."""
        make = PAIRINGS[self.game]
        return make(self.viewer, self.number, self.most, decks_known=self.second)


CASES = [
    pytest.param(Case(game, viewer, *match), id=f"{game}-{viewer}-{match[0]}")
    for game, matches in MATCHES.items()
    for viewer in VIEWERS
    for match in matches
]


@pytest.mark.parametrize("case", CASES)
def test_twins_answer_the_same_bytes_at_every_outlet(worlds: Twins, case: Case) -> None:
    comparison = compared(worlds, case.pair(), second=case.second)
    assert comparison.answers > 150
    assert worlds.first.logged == worlds.second.logged
    assert len(worlds.first.logged) > 150
    assert corners.unasked(worlds.first) == set()
    one, other = (world.truth(comparison.match).position for world in worlds)
    assert one != other
    # Pictures are no text.
    seen = b"\n".join(set(comparison.seen)).decode(errors="replace")
    log = worlds.first.log(comparison.match)
    # Who opens a seal shows its salt.
    opened = opened_by(worlds.first.log(comparison.first)) if comparison.first else set()
    assert {value for value in hidden_from(case.viewer, log) - opened if value in seen} == set()
    assert case.second or opened_in(seen) <= {case.viewer.value}


def test_the_matches_that_are_compared_show_all_that_there_is_to_hide() -> None:
    """Every kind of move is made, and in either match of Whisper a seat passes."""
    script = power_lines(Viewer.SPECTATOR, 4, 36).first
    assert {move["action"] for move in script.moves} == set(ACTIONS)
    for viewer in VIEWERS:
        for match in MATCHES["whisper"]:
            script = Case("whisper", viewer, *match).pair().first
            chance = scripted(script.outcomes)
            table = Table.started(WHISPER, settings=script.settings, chance=chance)
            table.play(*script.moves)
            assert "turn-passed" in [event.kind for event in table.events]


@pytest.mark.postgres
@pytest.mark.usefixtures("still")
def test_twins_answer_the_same_on_postgresql(new_postgres: Callable[[str], str]) -> None:
    with two_worlds(new_postgres("first"), new_postgres("second")) as worlds:
        assert compared(worlds, power_lines(Viewer.SEAT_2, 4, 9)).answers > 200


@pytest.mark.parametrize("viewer", VIEWERS)
def test_states_show_what_the_rule_page_says_and_no_more(worlds: Twins, viewer: Viewer) -> None:
    pair = power_lines(viewer, 4, 36)
    world = worlds.first
    match = world.start("power-lines", pair.first)
    for move in pair.first.moves:
        world.play(match, move)
        truth = world.truth(match)
        whole = truth.game.show(truth.game.view(truth.started, Viewer.SERVER, False))  # noqa: FBT003 - as in Game
        for person in outlets.onlookers(world, viewer):
            assert person.look({"id": match})["state"] == seen_by(viewer, whole)


def test_players_look_at_pages_logged_in(worlds: Twins) -> None:
    world = worlds[0]
    told = {name: outlets.page(world, world.people[name], "/") for name in ("ada", "bob")}
    assert all(f">{name}<".encode() in answer for name, (_, answer) in told.items())


def test_whoever_may_see_everything_can_tell_twins_apart(worlds: Twins) -> None:
    pair = power_lines(Viewer.SPECTATOR, 1, 20)
    starts = [world.start("power-lines", one) for world, one in zip(worlds, pair[2:], strict=True)]
    match = starts[0]
    for number, moves in enumerate(pair.moves()):
        for world, move in zip(worlds, moves, strict=True):
            world.play(match, move, f"key-{number}")
    for name in PLAYERS:
        one, other = (world.people[name].look({"id": match}) for world in worlds)
        assert one != other
