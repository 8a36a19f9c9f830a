"""Up, down and up again with data; guarded at every step; nothing is destroyed unasked."""

import subprocess
import sys
import threading

import pytest
from sqlalchemy import text

from domain.match.clock import CHALLENGE_FOR, OPEN_FOR, add_span
from services.store import accounts, schema, talk, vacations
from services.store.db.engine import Database
from services.store.log import events, rebuild, snapshots
from services.store.notices import channels, deliveries
from services.store.notices.channels import EMAIL, WEBHOOK, ChannelRow
from services.store.notices.deliveries import DeliveryRow
from tests.migrations.conftest import ROOT
from tests.migrations.steps import (
    GUARDED_FROM,
    fill,
    kind,
    layout,
    looking_at,
    steps,
    triggers,
    triggers_at,
)
from tests.services.store.streams import AT, MATCH, moves, of_one_match


def test_every_step_leaves_the_events_guarded_and_a_step_down_leaves_nothing_of_the_step_up(
    database: Database,
) -> None:
    as_it_was = dict[str, set[tuple[str, ...]]]()
    for step in steps():
        schema.upgrade(database.url, step)
        assert triggers(database) == triggers_at(step, kind(database)), step
        as_it_was[step] = layout(database)
    for step in steps()[-2::-1]:
        schema.downgrade(database.url, step)
        assert triggers(database) == triggers_at(step, kind(database)), step
        assert layout(database) ^ as_it_was[step] == set(), step


def test_nothing_of_the_events_is_lost_above_their_own_step(at_head: Database) -> None:
    fill(at_head)
    schema.downgrade(at_head.url, GUARDED_FROM)
    schema.upgrade(at_head.url)
    with at_head.write() as connection:
        assert events.load(connection, MATCH) == moves(5)
        events.append(connection, of_one_match(moves(1, after=moves(5)[-1])))
        assert accounts.find_bearer(connection, "d" * 64) is not None


def test_a_downgrade_that_destroys_events_is_refused(at_head: Database) -> None:
    fill(at_head)
    for target in ("base", "0001"):
        with pytest.raises(schema.MigrationRefused, match="--destroy-events"):
            schema.downgrade(at_head.url, target)
        assert schema.find_current(at_head.url) == schema.HEAD
    with at_head.read() as connection:
        assert events.load(connection, MATCH) == moves(5)
        assert snapshots.find_latest(connection, MATCH, ["1" * 64]) is not None


def test_a_downgrade_that_destroys_what_people_wrote_is_refused(at_head: Database) -> None:
    with at_head.write() as connection:
        ada = accounts.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        accounts.insert_player(connection, ada)
        talk.add(connection, talk.Room(MATCH, "players"), "p_ada", "Good luck!", AT)
    with pytest.raises(schema.MigrationRefused, match=r"chat_messages.*--destroy-events"):
        schema.downgrade(at_head.url, "0004")
    with at_head.read() as connection:
        assert len(talk.list_page(connection, talk.Room(MATCH, "players"), 0, 9, 9)) == 1
    schema.downgrade(at_head.url, "0004", destroy_events=True)
    schema.upgrade(at_head.url)


def test_matches_that_are_open_get_the_instant_at_which_they_lapse(database: Database) -> None:
    schema.upgrade(database.url, "0008")
    columns = (
        "id, version, head, game, rules_version, status, visibility, rated, creator, opponent,"
        " ply, created_at, updated_at"
    )
    with database.write() as connection:
        for match, status, opponent in (
            ("anybody", "open", "NULL"),
            ("challenge", "open", "'p_ada'"),
            ("over", "aborted", "NULL"),
        ):
            values = (
                f"'{match}', 1, '{'0' * 64}', 'path-capture', 1, '{status}', 'public', false,"
                f" 'p_bob', {opponent}, 0, '{AT}', '{AT}'"
            )
            connection.execute(text(f"INSERT INTO matches ({columns}) VALUES ({values})"))
    schema.upgrade(database.url)
    with database.read() as connection:
        found = connection.execute(text("SELECT id, deadline FROM matches ORDER BY id")).all()
    assert dict(map(tuple, found)) == {
        "anybody": add_span(AT, OPEN_FOR),
        "challenge": add_span(AT, CHALLENGE_FOR),
        "over": None,
    }


def test_names_that_are_there_get_what_they_have_in_common(database: Database) -> None:
    schema.upgrade(database.url, "0017")
    columns = 'id, name, "key", admin, created_at, closed_at'
    with database.write() as connection:
        for player, name, key, closed in (
            ("p_1", "Ian", "ian", "NULL"),
            ("p_2", "lan", "lan", "NULL"),
            ("p_3", "Tom_0", "tom_0", "NULL"),
            ("p_4", "closed account", "sw1m", f"'{AT}'"),
        ):
            values = f"'{player}', '{name}', '{key}', false, '{AT}', {closed}"
            connection.execute(text(f"INSERT INTO players ({columns}) VALUES ({values})"))
    for _ in range(2):
        schema.upgrade(database.url)
        with database.write() as connection:
            assert accounts.list_alike(connection, "1an") == {"ian", "lan"}
            assert accounts.list_alike(connection, "Torn_o") == {"tom_0"}
            assert accounts.list_alike(connection, "svvlrn") == {"sw1m"}
            assert accounts.list_alike(connection, "ann") == set()
        schema.downgrade(database.url, "0017")


def test_series_learn_what_they_are_up_to_and_keep_one_rematch_each(database: Database) -> None:
    schema.upgrade(database.url, "0033")
    rows = [
        *(("a", "a", 1, "finished"), ("b", "a", 2, "finished"), ("c", "c", 1, "finished")),
        *(("d", "c", 2, "active"), ("e", None, None, "finished"), ("f", "f", 1, "open")),
    ]
    columns = (
        "id, series, number, status, version, head, game, rules_version, visibility, rated, "
        "creator, ply, created_at, updated_at"
    )
    with database.write() as connection:
        for match, series, number, status in rows:
            values = f":id, :series, :number, :status, 1, '{'0' * 64}', 'g', 1, 'public', false"
            connection.execute(
                text(f"INSERT INTO matches ({columns}) VALUES ({values}, 'p', 0, :id, :id)"),
                {"id": match, "series": series, "number": number, "status": status},
            )
        for asked, rematch in (("a", "c"), ("b", "f"), ("e", "a")):
            values = f"'{asked}', '{rematch}'"
            connection.execute(text(f"INSERT INTO rematches VALUES ({values})"))
    schema.upgrade(database.url)
    with database.read() as connection:
        told = connection.execute(text("SELECT id, series_status FROM matches")).all()
        kept = connection.execute(text("SELECT * FROM rematches")).all()
    assert {match: status for match, status in told if status} == {
        "a": "finished", "c": "active", "f": "open",
    }  # fmt: skip
    assert {tuple(one) for one in kept} == {("a", "f"), ("e", "a")}


@pytest.mark.parametrize(("game", "asks"), [("power-lines", True), ("power-line", False)])
def test_ratings_of_a_game_whose_house_levels_were_measured_anew_are_made_anew(
    database: Database, game: str, *, asks: bool
) -> None:
    schema.upgrade(database.url, "0035")
    with database.write() as connection:
        numbers = ", ".join(["1"] * 6)
        connection.execute(
            text(
                "INSERT INTO rating_changes SELECT "
                f"'{MATCH}', 1, '{game}', 'p_1', 'p_2', 0, '{AT}', 1, {numbers}"
            )
        )
    schema.upgrade(database.url)
    with database.read() as connection:
        assert rebuild.find_progress(connection) == ("" if asks else None)


def test_a_downgrade_that_forgets_vacations_is_refused(at_head: Database) -> None:
    with at_head.write() as connection:
        ada = accounts.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        accounts.insert_player(connection, ada)
        vacations.save_vacation(connection, vacations.Vacation("p_ada", AT, AT, 3))
    with pytest.raises(schema.MigrationRefused, match=r"vacations.*--destroy-events"):
        schema.downgrade(at_head.url, "0008")
    schema.downgrade(at_head.url, "0008", destroy_events=True)
    schema.upgrade(at_head.url)


def test_to_empty_and_up_again_with_data(at_head: Database) -> None:
    fill(at_head)
    schema.downgrade(at_head.url, "base", destroy_events=True)
    assert schema.find_current(at_head.url) is None
    with looking_at(at_head) as found:
        assert set(found.get_table_names()) <= {"alembic_version"}
    schema.upgrade(at_head.url)
    fill(at_head)
    with at_head.read() as connection:
        assert events.load(connection, MATCH) == moves(5)


def test_a_downgrade_without_events_needs_no_flag(at_head: Database) -> None:
    schema.downgrade(at_head.url, "base")
    assert schema.find_current(at_head.url) is None


def test_an_unknown_revision_is_refused(database: Database) -> None:
    with pytest.raises(schema.MigrationRefused, match="nowhere"):
        schema.upgrade(database.url, "nowhere")


def test_a_second_upgrade_changes_nothing(at_head: Database) -> None:
    fill(at_head)
    schema.upgrade(at_head.url)
    with at_head.read() as connection:
        assert events.load(connection, MATCH) == moves(5)


def test_two_who_upgrade_at_once_do_not_meet(database: Database) -> None:
    errors: list[BaseException] = []
    # Alembic's own context is one per process, so it is processes that meet.
    command = f"from services.store import schema; schema.upgrade({database.url!r})"

    def migrate() -> None:
        done = subprocess.run(
            [sys.executable, "-c", command], capture_output=True, text=True, cwd=ROOT, check=False
        )
        if done.returncode:
            errors.append(AssertionError(done.stderr))

    threads = [threading.Thread(target=migrate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert errors == []
    assert schema.find_current(database.url) == schema.HEAD


def test_a_reference_that_a_step_broke_undoes_the_step(sqlite_url: str) -> None:
    schema.upgrade(sqlite_url, "0002")
    database = Database(sqlite_url)
    with database.migrate() as connection:
        values = "('t', 'p_nobody', hex(zeroblob(32)), '', '', '', '')"
        connection.execute(text(f"INSERT INTO tokens VALUES {values}"))
    with pytest.raises(schema.MigrationRefused, match="tokens would refer to nothing"):
        schema.upgrade(sqlite_url)
    assert schema.find_current(sqlite_url) == "0002"
    database.dispose()


def test_addresses_are_not_forgotten_unasked_and_webhooks_stay_without_them(
    at_head: Database,
) -> None:
    told = ChannelRow("w_0", "p_ada", WEBHOOK, "match.turn", AT, held_until=AT)
    mail = ChannelRow("w_1", "p_ada", EMAIL, "match.turn", AT, held_until=AT, confirmed_at=AT)
    with at_head.write() as connection:
        for row in (told, mail):
            channels.insert(connection, row)
            sent = DeliveryRow(1, row.id, "test", None, None, "test", AT, due_at=AT)
            deliveries.save(connection, sent)
    with pytest.raises(schema.MigrationRefused, match=r"addresses.*--destroy-events"):
        schema.downgrade(at_head.url, "0034")
    with at_head.read() as connection:
        assert channels.find(connection, "w_1") == mail
    schema.downgrade(at_head.url, "0034", destroy_events=True)
    schema.upgrade(at_head.url)
    with at_head.read() as connection:
        assert [channels.find(connection, one) for one in ("w_0", "w_1")] == [told, None]
        assert [len(deliveries.list_page(connection, one, 9)) for one in ("w_0", "w_1")] == [1, 0]


def test_a_former_address_is_not_left_to_a_release_that_knows_none(at_head: Database) -> None:
    with at_head.write() as connection:
        for kind in ("webhook", "former-email"):
            row = ChannelRow(kind, "p_ada", kind, "", AT, "ada@mail.example", held_until=AT)
            channels.insert(connection, row._replace(name="mine"))
            sent = DeliveryRow(1, row.id, "test", None, None, "test", AT, due_at=AT)
            deliveries.save(connection, sent)
    schema.downgrade(at_head.url, "0040")
    schema.upgrade(at_head.url)
    with at_head.read() as connection:
        kept = [channels.find(connection, one) for one in ("webhook", "former-email")]
        assert [one and one.name for one in kept] == [None, None]
        assert [one is None for one in kept] == [False, True]
        assert deliveries.list_page(connection, "former-email", 9) == []
