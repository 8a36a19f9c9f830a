"""A deleted player's name is nowhere: on no page, in no answer, export, stream or log line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import inspect, text, update

from domain.match.decisions.draft import draw_provably
from services.accounts.closing import GRACE
from services.store import accounts
from services.store.people.profiles import ProfileRow
from services.store.talk import Room
from tests.secrecy import corners, outlets
from tests.secrecy.pairs import Script
from tests.secrecy.worlds import World
from tests.web.people import PASSWORD

NAME, SHOWN = "Zyxtanda", "Quillon of \u0416itomir"
NAMED = re.compile(rb"zyxtanda|quillon|\xd0\x96itomir|\\\\u0416itomir", re.IGNORECASE)


@pytest.fixture
def world(new_sqlite: Callable[[str], str]) -> Iterator[World]:
    """Give a world in which ada is called by a name that stands nowhere by chance."""
    made = World("fair", new_sqlite("fair"), chance=draw_provably)
    called = {"name": NAME, "key": NAME.casefold(), "skeleton": accounts.make_skeleton(NAME)}
    with made.house.database.write() as connection:
        named = accounts.players.c.key == "ada"
        connection.execute(update(accounts.players).where(named).values(called))
    made.house.accounts.known.forget()
    made.house.accounts.known_names.forget()
    made.people["ada"].name = NAME
    made.sessions[NAME] = made.sessions.pop("ada")
    yield made
    made.house.close()


def id_of(world: World) -> str:
    return world.house.accounts.get_by_name(NAME).id


def lived(world: World) -> list[str]:
    """Let the player leave a trace of every kind; return the matches."""
    house, player, script = world.house, id_of(world), Script({}, ({}, {}), {}, [])
    house.profile_settings.change(player, ProfileRow(SHOWN, "Europe/Kyiv"))
    first = world.start("path-capture", script)
    world.play(first, {"steps": 2}, key="hers")
    world.play(first, {"steps": 1})
    ada, bob = world.people["ada"], world.people["bob"]
    ada.post(f"/matches/{first}/chat/players", {"text": f"I am {SHOWN}."})
    ada.ask("PUT", f"/matches/{first}/notes/1", json={"text": NAME})
    house.moderation.report(
        house.accounts.get_by_name("bob").id,
        Room(first, "players"),
        1,
        f"{NAME} ({SHOWN}) told me where to live.",
    )
    # What was reported is kept, though it is deleted.
    ada.ask("DELETE", f"/matches/{first}/chat/players/1")
    version = world.truth(first).version
    assert bob.post(f"/matches/{first}/actions", {"action": "resign"}, version=version).status_code
    declined = bob.create("path-capture", opponent=NAME)["id"]
    ada.post(f"/matches/{declined}/decline", {"reason": f"{NAME} has no time."})
    running = world.create("path-capture", script, series=True).json["id"]
    world.join(running)
    answered(world, running)
    house.relations.follow(house.accounts.get_by_name("bob").id, NAME)
    house.recovery.make(NAME, PASSWORD)
    house.accounts.issue_token(NAME, PASSWORD, f"{NAME}'s own bot")
    world.sign()
    house.rated_matches.rate()
    return [first, running, declined]


def answered(world: World, match: str) -> None:
    """Let both players move; the other one's answer, which has the name, is kept."""
    world.play(match, {"steps": 1})
    world.play(match, {"steps": 1}, key=f"at-{world.truth(match).version}")


def told(world: World, matches: list[str]) -> Iterator[outlets.Answer]:
    """Ask for everything, as the other player, an administrator and anybody."""
    bob = world.people["bob"]
    for match in matches:
        yield from corners.around(world, bob, match, elsewhere=match == matches[0])
    yield from outlets.whole(world, bob, matches[0], 9)
    for person in (world.root, world.anyone):
        yield from corners.around(world, person, matches[0], elsewhere=False)
        yield outlets.page(world, person, f"/m/{matches[0]}")
        yield outlets.page(world, person, "/moderation")
    # What was answered before is given again for two days.
    version, move = world.last[0], {"move": {"steps": 1}}
    again = bob.post(f"/matches/{matches[1]}/moves", move, version=version, key=f"at-{version}")
    yield "again", outlets.everything(again)


def test_a_deleted_players_name_is_nowhere(world: World) -> None:
    matches = lived(world)
    before = [path for path, answer in told(world, matches) if NAMED.search(answer)]
    # The test is one only if the name is there to be found, on pages, in answers and in exports.
    for some in (
        "page /p/",
        f"/matches/{matches[0]}",
        "/export",
        "again",
        "page /m/",
        "/moderation",
    ):
        assert [path for path in before if some in path], some
    world.house.closing.ask(NAME, PASSWORD)
    world.now += GRACE
    answered(world, matches[1])
    assert world.house.sweeping.sweep().closed == 1
    world.sign()
    after = [path for path, answer in told(world, matches) if NAMED.search(answer)]
    assert after == []
    assert not NAMED.search(repr(world.logged).encode())
    for match in matches:
        assert world.house.audits.verify(match).holds


def test_of_what_is_stored_only_the_key_and_its_likeness_stay(world: World) -> None:
    lived(world)
    world.house.closing.ask(NAME, PASSWORD)
    world.now += GRACE
    world.house.sweeping.sweep()
    with world.house.database.read() as connection:
        tables = inspect(connection).get_table_names()
        found = {
            (table, column)
            for table in tables
            for row in connection.execute(text(f'SELECT * FROM "{table}"')).mappings()
            for column, value in row.items()
            if NAMED.search(value if isinstance(value, bytes) else str(value).encode())
        }
    assert found == {("players", "key"), ("players", "skeleton")}
