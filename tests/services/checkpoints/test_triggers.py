"""The database itself lets nobody change the tree's records, whatever is asked of it.

Its inner nodes follow from the leaves, and are a cache.
"""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from services.container import Services
from services.runtime.settings import Settings
from tests.services.checkpoints.sequences import stored, streams
from tests.services.conftest import Clock

TABLES = ("checkpoint_leaves", "checkpoints", "signing_keys")
ATTACKS = {
    "a leaf is changed": "UPDATE checkpoint_leaves SET version = 9",
    "a checkpoint is changed": "UPDATE checkpoints SET at = at",
    "a key is changed": "UPDATE signing_keys SET public_key = id",
    **{f"{table} are removed": f"DELETE FROM {table}" for table in TABLES},
    "a leaf is skipped": """
        INSERT INTO checkpoint_leaves SELECT number + 5, "match", version, head, hash, cursor
        FROM checkpoint_leaves
    """,
    "a key is skipped": """
        INSERT INTO signing_keys SELECT 7, root, root, at FROM checkpoints
    """,
    "a checkpoint comes late": """
        INSERT INTO checkpoints SELECT size - 1, origin, root, at, key, signature FROM checkpoints
    """,
}
SQLITE_ATTACKS = {
    f"{table} are replaced": f"REPLACE INTO {table} SELECT * FROM {table}" for table in TABLES
}
POSTGRES_ATTACKS = {f"{table} are emptied": f"TRUNCATE {table} CASCADE" for table in TABLES}


def attacked(house: Services, statement: str) -> None:
    with house.database.write() as connection:
        connection.execute(text(statement))


def withstands(house: Services, statement: str) -> None:
    streams(house, 4)
    house.sequencer.run()
    before, latest = stored(house), house.checkpoints.get()
    with pytest.raises(DBAPIError, match=r"after all others|never changed"):
        attacked(house, statement)
    assert (stored(house), house.checkpoints.get()) == (before, latest)


@pytest.mark.parametrize("statement", ATTACKS.values(), ids=ATTACKS)
def test_the_tree_withstands(house: Services, statement: str) -> None:
    withstands(house, statement)


@pytest.mark.parametrize("statement", SQLITE_ATTACKS.values(), ids=SQLITE_ATTACKS)
def test_the_tree_withstands_on_sqlite(
    migrated_sqlite_url: str, clock: Clock, statement: str
) -> None:
    house = Services(Settings(database_url=migrated_sqlite_url), now=clock)
    withstands(house, statement)
    house.close()


@pytest.mark.postgres
@pytest.mark.parametrize("statement", POSTGRES_ATTACKS.values(), ids=POSTGRES_ATTACKS)
def test_the_tree_withstands_on_postgresql(
    migrated_postgres_url: str, clock: Clock, statement: str
) -> None:
    house = Services(Settings(database_url=migrated_postgres_url), now=clock)
    withstands(house, statement)
    house.close()
