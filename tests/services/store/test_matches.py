"""The read model of matches, snapshots, kept answers."""

from itertools import pairwise

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from services.errors import Unavailable
from services.store import accounts, idempotency
from services.store import matches as readmodels
from services.store.db.engine import Database
from services.store.lobby.filters import RowFilters, list_matches
from services.store.log import audits, snapshots
from services.store.matches import ListKey, MatchRow
from tests.services.store.streams import ADA, BOB, EVE, ROW


def at(second: int) -> str:
    return f"2026-11-27T22:00:{second:02}.000000Z"


def save(database: Database, *rows: MatchRow) -> None:
    with database.write() as connection:
        for row in rows:
            readmodels.save(connection, row)


def ids(database: Database, filters: RowFilters = RowFilters()) -> set[str]:  # noqa: B008 - a value
    with database.read() as connection:
        return {row.id for row in list_matches(connection, filters)}


def test_a_row_is_read_as_it_was_saved(database: Database) -> None:
    save(database, ROW)
    for lock in (False, True):
        with database.write() as connection:
            assert readmodels.find(connection, ROW.id, lock=lock) == ROW
            assert readmodels.find(connection, "nothing", lock=lock) is None


def test_saving_again_replaces_every_column(database: Database) -> None:
    save(database, ROW)
    changed = MatchRow(
        id=ROW.id,
        version=9,
        head="1" * 64,
        game="grid-power",
        rules_version=2,
        status="finished",
        visibility="private",
        rated=False,
        creator=BOB,
        opponent=ADA,
        seat_1=BOB,
        seat_2=ADA,
        to_act=None,
        to_act_player=None,
        ply=4,
        winner=2,
        reason="resignation",
        created_at=at(30),
        updated_at=at(31),
        deadline=None,
        pace=None,
        series=None,
        number=None,
    )
    assert all(old != new for old, new in zip(ROW[1:], changed[1:], strict=True))
    save(database, changed)
    with database.read() as connection:
        assert readmodels.find(connection, ROW.id) == changed


def test_what_cannot_be_is_refused(database: Database) -> None:
    for impossible in (
        ROW._replace(status="stopped"),
        ROW._replace(visibility="secret"),
        ROW._replace(to_act=3),
        ROW._replace(winner=0),
        ROW._replace(version=0),
        ROW._replace(ply=-1),
    ):
        with pytest.raises(IntegrityError):
            save(database, impossible)


def test_rows_are_removed_one_by_one_or_all(database: Database) -> None:
    save(database, ROW, ROW._replace(id="a"), ROW._replace(id="b"))
    with database.write() as connection:
        assert readmodels.delete(connection, "a") == 1
        assert readmodels.delete(connection) == 2
    assert ids(database) == set()


FILTERS = [
    (RowFilters(), "power grid done hers"),
    (RowFilters(game="grid-power"), "grid"),
    (RowFilters(status="finished"), "done"),
    (RowFilters(player=ADA), "power grid"),
    (RowFilters(player=BOB), "power grid"),
    (RowFilters(player=EVE), "done hers"),
    (RowFilters(to_act=ADA), "power"),
    (RowFilters(to_act=BOB), "grid"),
    (RowFilters(game="power-line", player=ADA, to_act=ADA, status="active"), "power"),
    (RowFilters(game="power-line", player=ADA, to_act=BOB), ""),
]


def test_lists_are_filtered(database: Database) -> None:
    save(
        database,
        ROW._replace(id="power"),
        ROW._replace(id="grid", game="grid-power", seat_1=BOB, seat_2=ADA, to_act_player=BOB),
        ROW._replace(id="done", status="finished", seat_2=EVE, seat_1="x", to_act_player=None),
        ROW._replace(id="hers", seat_1=EVE, seat_2="x", to_act_player=EVE),
    )
    for filters, found in FILTERS:
        assert ids(database, filters) == set(found.split()), filters


def test_a_list_has_public_matches_and_ones_own_list_has_all_of_ones_own(
    database: Database,
) -> None:
    for visibility in ("public", "unlisted", "private"):
        save(
            database,
            ROW._replace(id=visibility, visibility=visibility),
            ROW._replace(
                id=f"{visibility}-asked",
                visibility=visibility,
                status="open",
                opponent=EVE,
                seat_2=None,
            ),
        )
    assert ids(database) == {"public", "public-asked"}
    assert ids(database, RowFilters(player=ADA)) == {"public", "public-asked"}
    everything = {f"{v}{c}" for v in ("public", "unlisted", "private") for c in ("", "-asked")}
    assert ids(database, RowFilters(mine=ADA)) == everything
    assert ids(database, RowFilters(mine=BOB)) == {"public", "unlisted", "private"}
    assert ids(database, RowFilters(mine=EVE)) == everything - {"public", "unlisted", "private"}
    assert ids(database, RowFilters(mine="x")) == set()


def test_a_challenge_that_came_to_nothing_is_not_in_the_list_of_who_was_challenged(
    database: Database,
) -> None:
    save(database, ROW._replace(status="aborted", opponent=EVE, seat_2=None))
    assert ids(database, RowFilters(mine=EVE)) == set()


@pytest.mark.parametrize("sort", readmodels.SORTS)
def test_pages_have_every_row_once_newest_first(database: Database, sort: str) -> None:
    rows = [ROW._replace(id=f"{n:016}") for n in range(23)]
    if sort == "updated":
        rows = [row._replace(updated_at=at(n // 4)) for n, row in enumerate(rows)]
    else:
        rows = [row._replace(created_at=at(n // 4)) for n, row in enumerate(rows)]
    save(database, *rows)
    seen: list[MatchRow] = []
    after: ListKey | None = None
    while True:
        with database.read() as connection:
            page = list_matches(connection, RowFilters(), sort=sort, limit=5, after=after)
        if not page:
            break
        seen += page
        after = readmodels.place_of(page[-1], sort)
    assert len(seen) == len(rows)
    keys = [readmodels.place_of(row, sort) for row in seen]
    assert all(earlier > later for earlier, later in pairwise(keys))


def test_a_page_is_unmoved_by_rows_that_come_before_it(database: Database) -> None:
    save(database, *(ROW._replace(id=f"{n}", updated_at=at(n)) for n in range(6)))
    with database.read() as connection:
        first = list_matches(connection, RowFilters(), limit=3)
    save(database, ROW._replace(id="new", updated_at=at(59)))
    place = readmodels.place_of(first[-1], "updated")
    with database.read() as connection:
        rest = list_matches(connection, RowFilters(), limit=9, after=place)
    assert [row.id for row in first + rest] == ["5", "4", "3", "2", "1", "0"]


FORM, OTHER = "1" * 64, "2" * 64


def test_those_that_are_due_come_in_order_and_each_once(database: Database) -> None:
    """Pages go on behind the last of the one before, whatever has become of it."""
    hours = {"a": 3, "b": 1, "c": 1, "d": 2, "e": 4}
    for name, hour in hours.items():
        save(database, ROW._replace(id=name, deadline=f"2026-11-27T0{hour}:00:00.000000Z"))
    save(database, ROW._replace(id="f", deadline=None))
    pages: list[list[str]] = []
    after = readmodels.FIRST
    with database.read() as connection:
        for _ in range(3):
            page = readmodels.list_due_matches(connection, "2026-11-27T03:00:00.000000Z", after, 2)
            pages.append([one.match for one in page])
            after = page[-1] if page else after
    assert pages == [["b", "c"], ["d", "a"], []]


def test_a_boundary_lies_as_many_matches_further(database: Database) -> None:
    save(database, *(ROW._replace(id=name) for name in "abcde"))
    with database.read() as connection:
        assert audits.find_boundary(connection, "", 2) == "b"
        assert audits.find_boundary(connection, "b", 3) == "e"
        assert audits.find_boundary(connection, "c", 3) is None


def snapshot(version: int, *, match: str = ROW.id) -> snapshots.Snapshot:
    return snapshots.Snapshot(match, version, "0" * 64, FORM, b"{%d}" % version)


def test_the_newest_snapshot_up_to_a_version_is_found(database: Database) -> None:
    with database.write() as connection:
        for version in (64, 128):
            snapshots.save(connection, snapshot(version))
        snapshots.save(connection, snapshot(96, match="another"))
    with database.read() as connection:
        assert snapshots.find_latest(connection, ROW.id, [FORM]) == snapshot(128)
        for upto, found in ((127, 64), (128, 128), (64, 64)):
            newest = snapshots.find_latest(connection, ROW.id, [OTHER, FORM], upto)
            assert newest is not None
            assert newest.version == found
        assert snapshots.find_latest(connection, ROW.id, [FORM], 63) is None
        assert snapshots.find_latest(connection, "nothing", [FORM]) is None


def test_a_snapshot_is_replaced_and_removed(database: Database) -> None:
    with database.write() as connection:
        for match in (ROW.id, "b", "c"):
            snapshots.save(connection, snapshot(64, match=match))
        again = snapshot(64)._replace(state=b"new")
        snapshots.save(connection, again)
        assert snapshots.find_latest(connection, ROW.id, [FORM]) == again
        assert snapshots.delete(connection, ROW.id) == 1
        assert snapshots.find_latest(connection, ROW.id, [FORM]) is None
        assert snapshots.delete(connection) == 2


def test_a_snapshot_of_another_format_is_passed_over_and_goes_with_the_next(
    database: Database,
) -> None:
    with database.write() as connection:
        snapshots.save(connection, snapshot(64))
        snapshots.save_all(connection, [snapshot(128)._replace(format=OTHER)])
        assert snapshots.find_latest(connection, ROW.id, [FORM]) == snapshot(64)
        snapshots.save(connection, snapshot(192))
        assert snapshots.find_latest(connection, ROW.id, [OTHER]) is None
        assert snapshots.delete(connection) == 2


def test_matches_with_snapshots_that_can_be_read_are_found_in_a_span(database: Database) -> None:
    with database.write() as connection:
        for match in ("a", "b", "c"):
            snapshots.save(connection, snapshot(64, match=match))
        snapshots.save(connection, snapshot(64, match="bb")._replace(format=OTHER))
    with database.read() as connection:
        span = audits.RowSpan("a", None)
        assert audits.list_with_snapshots(connection, span, [FORM]) == ["b", "c"]
        assert audits.list_with_snapshots(connection, span, [FORM, OTHER]) == ["b", "bb", "c"]


def test_what_is_no_text_is_read_as_bytes_there_alone(sqlite_database: Database) -> None:
    with sqlite_database.write() as connection:
        snapshots.save(connection, snapshot(64))
        connection.execute(text("UPDATE snapshots SET \"match\" = CAST(x'ff' AS TEXT)"))
    with sqlite_database.read() as connection:
        assert audits.list_with_snapshots(connection, audits.RowSpan("", None), [FORM]) == [
            "\udcff"
        ]
        with pytest.raises(OperationalError, match="decode"):
            connection.execute(text('SELECT "match" FROM snapshots')).all()


def answer(key: str, second: int = 0) -> idempotency.IdempotencyRecord:
    return idempotency.IdempotencyRecord(
        ADA, key, "f" * 64, 201, '{"A": "b"}', b"\x00{}", at(second)
    )


@pytest.fixture
def ada(database: Database) -> str:
    row = accounts.PlayerRow(ADA, "Ada", "ada", None, admin=False, created_at=at(0))
    with database.write() as connection:
        accounts.insert_player(connection, row)
    return ADA


@pytest.mark.usefixtures("ada")
def test_an_answer_is_kept_for_its_player_and_key(database: Database) -> None:
    with database.write() as connection:
        idempotency.save(connection, answer("k"))
    with database.read() as connection:
        assert idempotency.find(connection, ADA, "k") == answer("k")
        assert idempotency.find(connection, ADA, "other") is None
        assert idempotency.find(connection, BOB, "k") is None


@pytest.mark.usefixtures("ada")
def test_a_key_is_used_once_and_who_comes_second_is_asked_to_repeat(database: Database) -> None:
    with database.write() as connection:
        idempotency.save(connection, answer("k"))
    with pytest.raises(Unavailable), database.write() as connection:
        idempotency.save(connection, answer("k", 9))
    with database.read() as connection:
        assert idempotency.find(connection, ADA, "k") == answer("k")


def test_an_answer_to_nobody_is_refused(database: Database) -> None:
    with pytest.raises(IntegrityError), database.write() as connection:
        idempotency.save(connection, answer("k"))


@pytest.mark.usefixtures("ada")
def test_old_answers_are_forgotten(database: Database) -> None:
    with database.write() as connection:
        for second in range(5):
            idempotency.save(connection, answer(f"k{second}", second))
        assert idempotency.delete_older(connection, at(3), 9) == 3
        assert idempotency.find(connection, ADA, "k2") is None
        assert idempotency.find(connection, ADA, "k3") is not None
