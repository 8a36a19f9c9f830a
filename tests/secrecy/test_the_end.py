"""When a match is finished everything is opened, and all of it holds; before, nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from domain.match.decisions.draft import draw_provably
from tests.domain.auditor import chain_holds, seals_hold
from tests.secrecy.hidden import opened_in
from tests.secrecy.pairs import Script
from tests.secrecy.worlds import PLAYERS, World
from tests.web.people import Person

GAMES = ("power-lines", "whisper")
MOVES = 8
SIGHTS = {"ada": "seat-1", "bob": "seat-2", "eve": "spectator"}


@pytest.fixture
def fair(new_sqlite: Callable[[str], str]) -> Iterator[World]:
    """Give a world whose chance follows from its secrets."""
    made = World("fair", new_sqlite("fair"), chance=draw_provably)
    yield made
    made.house.close()


def played(world: World, game: str) -> str:
    """Play some random moves; return the match's id."""
    random = Random(game)
    match = world.start(game, Script({}, ({}, {}), {}, []))
    for _ in range(MOVES):
        truth = world.truth(match)
        legal = list(truth.game.iter_legal_moves(truth.started))
        world.play(match, truth.game.dump_move(random.choice(legal)))
    return match


def events(person: Person, match: str) -> list[JsonObject]:
    return list(person.get(f"/matches/{match}/events?limit=100").json["events"])


def resign(world: World, match: str) -> None:
    path, version = f"/matches/{match}/actions", world.truth(match).version
    answer = world.people["bob"].post(path, {"action": "resign"}, version=version)
    assert answer.status_code == 201


@pytest.mark.parametrize("game", GAMES)
def test_a_match_opens_with_its_end_and_not_before(fair: World, game: str) -> None:
    match = played(fair, game)
    for name, sight in SIGHTS.items():
        person = fair.people[name]
        assert chain_holds(events(person, match))
        lines = person.get(f"/matches/{match}/events", {"Accept": "application/x-ndjson"}).text
        assert opened_in(lines) == ({sight} if name in PLAYERS else set())
    resign(fair, match)
    shown = [events(person, match) for person in (*fair.people.values(), fair.anyone)]
    assert all(one == shown[0] for one in shown)
    assert chain_holds(shown[0])
    assert seals_hold(shown[0])
    assert "server" in opened_in(fair.anyone.get(f"/matches/{match}/events?limit=100").text)
    assert fair.house.audits.verify(match).faults == []


@pytest.mark.parametrize("game", GAMES)
def test_an_aborted_match_opens_nothing_to_outsiders_and_no_more_to_its_seats(
    fair: World, game: str
) -> None:
    match = played(fair, game)
    before = {name: events(fair.people[name], match) for name in SIGHTS}
    states = {name: fair.people[name].look({"id": match})["state"] for name in SIGHTS}
    fair.abort(match)
    for name, seen in before.items():
        person = fair.people[name]
        assert events(person, match)[:-1] == seen
        assert person.look({"id": match})["state"] == states[name]
    assert fair.house.audits.verify(match).faults == []


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_match_can_be_seen_again_as_somebody_saw_it(fair: World, game: str) -> None:
    match = played(fair, game)
    path = f"/matches/{match}/replay"
    frames = {name: fair.people[name].get(path).json["frames"] for name in SIGHTS}
    resign(fair, match)
    for name, sight in SIGHTS.items():
        again = fair.anyone.get(f"{path}?as={sight}").json["frames"]
        assert again[:-1] == frames[name]
        assert frames[name] != fair.anyone.get(path).json["frames"][:-1]


def test_equal_decks_commit_differently(fair: World) -> None:
    match = fair.start("power-lines", Script({}, ({}, {}), {}, []))
    taken = [event for event in fair.log(match) if event.kind == "seat-taken"]
    one, other = (event.sealed[0] for event in taken)
    assert one.value == other.value
    assert one.commitment != other.commitment
    assert {event.sealed[0].audience for event in taken} == {
        (Viewer.SEAT_1.value,),
        (Viewer.SEAT_2.value,),
    }
