"""Leaves and checkpoints come about once each, whoever is killed and whoever else works."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from domain.log.merkle import LeafSpan, grow, hash_span
from services.checkpoints.proofs import prove_inclusion
from services.checkpoints.sequencer import Follower, Sequencer
from services.container import Services
from services.errors import Unavailable
from services.matches.queries import Asker
from services.store import checkpoints
from services.store.checkpoints import Leaf
from services.store.db.engine import Database
from services.store.db.leases import lease
from services.store.log import events
from tests.services.checkpoints.attacks import NO_NODES
from tests.services.checkpoints.sequences import stored, streams
from tests.services.conftest import Clock
from tests.services.people import Table, table

ROOT = Path(__file__).parents[3]


def test_where_nothing_was_played_nothing_is_signed_and_no_key_is_made(house: Services) -> None:
    assert house.sequencer.run() is None
    assert house.signing_keys.list_all() == []
    assert not house.signing_keys.path.exists()


def test_a_leaf_is_the_head_that_a_match_has_at_the_instant(house: Services) -> None:
    match = table(house).start()
    made = house.sequencer.run()
    with house.database.read() as connection:
        head = events.find_head(connection, match.match)
    assert head is not None
    assert stored(house) == [Leaf(match.match, head.version, head.hash)]
    assert made is not None
    assert (made.size, made.root) == (1, stored(house)[0].hash().hex())


def test_a_match_that_did_not_go_on_gets_no_second_leaf(house: Services) -> None:
    first, second = table(house).start(), table(house).start()
    house.sequencer.run()
    first.act(1, "resign")
    house.sequencer.run()
    assert [leaf.match for leaf in stored(house)] == [first.match, second.match, first.match]


def test_a_pass_over_nothing_new_signs_nothing_new(house: Services) -> None:
    table(house).start()
    assert house.sequencer.run() == house.sequencer.run()
    assert len(house.checkpoints.list_page(None, 10).listed) == 1


def test_the_stored_nodes_are_those_of_the_tree(house: Services) -> None:
    streams(house, 7)
    house.sequencer.run()
    streams(house, 1203, first=7)
    told: list[int] = []
    made = house.sequencer.run(told.append)
    assert told == [507, 1007, 1210]
    found = stored(house)
    assert [leaf.match for leaf in found] == [f"{number:016}" for number in range(1210)]
    nodes = dict(grow(0, [leaf.hash() for leaf in found], NO_NODES.__getitem__))
    with house.database.read() as connection:
        above = connection.execute(text("SELECT level, number, hash FROM checkpoint_nodes"))
        assert {(place.level, place.number, hashed.hex()) for place, hashed in nodes.items()
                if place.level} == {tuple(row) for row in above}  # fmt: skip
        [root] = checkpoints.hash_spans(connection, [LeafSpan(0, 1210)])
    assert made is not None
    assert root.hex() == made.root
    assert root != hash_span([])


def test_a_proof_is_given_for_every_match_and_up_to_a_version(house: Services) -> None:
    match = table(house).start()
    before = match.version
    house.sequencer.run()
    match.act(1, "resign")
    house.sequencer.run()
    newest = house.checkpoints.get()
    with house.database.read() as connection:
        last = prove_inclusion(connection, match.match, newest)
        earlier = prove_inclusion(connection, match.match, newest, before)
        assert prove_inclusion(connection, match.match, newest, 1) is None
        assert prove_inclusion(connection, "0" * 16, newest) is None
    assert last is not None
    assert earlier is not None
    assert (last.leaf.version, last.number) == (match.version, 1)
    assert (earlier.leaf.version, earlier.number) == (before, 0)
    assert last.checkpoint == earlier.checkpoint == newest


def test_instants_of_checkpoints_never_go_back(house: Services, clock: Clock) -> None:
    table(house).start()
    first = house.sequencer.run()
    clock.advance(hours=-5)
    table(house).start()
    second = house.sequencer.run()
    assert first is not None
    assert second is not None
    assert second.at >= first.at
    assert house.signing_keys.rotate().valid_from >= second.at


def test_who_has_read_up_to_another_end_adds_nothing(house: Services) -> None:
    streams(house, 1)
    with house.database.read() as connection:
        start = checkpoints.get_end(connection)
    house.sequencer.run()
    with pytest.raises(checkpoints.Overtaken), house.database.write() as connection:
        checkpoints.append(connection, start, [Leaf("0" * 16, 1, "0" * 64)], start.cursor)
    assert len(stored(house)) == 1


@pytest.mark.slow
def test_two_sequencers_at_once_repeat_nothing_and_miss_nothing(house: Services) -> None:
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        own = Database(house.database.url)
        try:
            while not done.is_set():
                Sequencer(own, house.signing_keys, house.now).run()
        except BaseException as error:  # noqa: BLE001 - the test shows it
            errors.append(error)
        finally:
            own.dispose()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for first in range(0, 1000, 20):
        streams(house, 20, first=first)
    done.set()
    for thread in threads:
        thread.join(60)
    assert errors == []
    house.sequencer.run()
    assert sorted(leaf.match for leaf in stored(house)) == [f"{n:016}" for n in range(1000)]
    sizes = [one.size for one in house.checkpoints.list_page(None, 10_000).listed]
    assert sizes == sorted(set(sizes), reverse=True)
    assert sizes[0] == 1000


@pytest.mark.parametrize("where", ["leaves", "signature"])
def test_who_is_killed_between_leaves_and_signature_loses_and_repeats_nothing(
    house: Services, where: str
) -> None:
    streams(house, 3)
    house.sequencer.run()
    streams(house, 600, first=3)
    command = [sys.executable, "-m", "tests.services.checkpoints.killed", house.database.url, where]
    done = subprocess.run(command, cwd=ROOT, check=False, timeout=100)
    assert done.returncode == -9
    with house.database.read() as connection:
        assert checkpoints.get_end(connection).size == {"leaves": 3, "signature": 603}[where]
    assert house.checkpoints.get().size == 3
    made = house.sequencer.run()
    assert made is not None
    assert made.size == 603
    assert [leaf.match for leaf in stored(house)] == [f"{n:016}" for n in range(603)]
    house.checkpoints.prove_consistency(3)


def test_a_follower_signs_at_once_behind_an_end_and_otherwise_at_its_interval(
    house: Services,
) -> None:
    follower = Follower(house.sequencer, 3600)
    match = table(house).start()
    assert follower.look() == 1
    match.play(
        match.house.queries.list_legal_moves(_look(match), match.match, limit=1).moves[0]["move"]
    )
    assert follower.look() is None
    assert house.checkpoints.get().size == 1
    match.act(1, "resign")
    assert follower.look() == 2
    assert follower.look() is None
    assert stored(house)[-1].version == match.version


def test_a_follower_that_never_signs_lets_the_tree_grow_behind_each_end(house: Services) -> None:
    follower = Follower(house.sequencer, 0)
    match = table(house).start()
    assert [follower.look() for _ in range(2)] == [None, None]
    match.act(1, "resign")
    assert follower.look() is None
    assert stored(house)[-1].version == match.version
    assert house.signing_keys.list_all() == []


def _look(match: Table) -> Asker:
    return Asker(match.player(match.shown().view.to_act or 1))


def test_a_follower_that_could_not_sign_signs_at_its_next_look(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = Follower(house.sequencer, 3600)
    match = table(house).start()
    follower.look()
    match.act(1, "resign")
    with monkeypatch.context() as patch:
        patch.setattr(Sequencer, "sign", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            follower.look()
    assert follower.look() == 2


def test_one_process_has_the_lease_and_the_next_gets_it(house: Services) -> None:
    other = Database(house.database.url)
    with lease(house.database, "one") as first:
        assert first is not None
        first()
        with lease(other, "one") as second, lease(other, "two") as another:
            assert second is None
            assert another is not None
    with lease(other, "one") as third:
        assert third is not None
    other.dispose()


END_SESSIONS = """
SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def lose_the_lease(database: Database) -> None:
    with lease(database, "one") as still:
        assert still is not None
        still()
        with database.write() as connection:
            connection.execute(text(END_SESSIONS))
        still()


@pytest.mark.postgres
def test_a_lease_is_lost_with_its_session(migrated_postgres_url: str) -> None:
    database = Database(migrated_postgres_url)
    with pytest.raises(Unavailable):
        lose_the_lease(database)
    with lease(database, "one") as again:
        assert again is not None
    database.dispose()
