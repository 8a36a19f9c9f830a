"""The steps of the schema, what guards each of them has, and data to lose."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Inspector, inspect, text

from services.store import accounts
from services.store.db import heartbeat
from services.store.db.engine import Database
from services.store.log import events, snapshots
from tests.migrations.conftest import ROOT
from tests.services.store.streams import AT, MATCH, moves, of_one_match

GUARDED_FROM = "0002"
TRIGGERS = {
    "sqlite": {
        "events_next_version",
        "events_last_position",
        "events_no_update",
        "events_no_delete",
    },
    "postgresql": {
        "events_next_version",
        "events_no_update",
        "events_no_delete",
        "events_no_truncate",
    },
}
CHECKPOINTS_FROM = "0008"
CHECKPOINTS = ("checkpoint_leaves", "checkpoint_nodes", "checkpoints", "signing_keys")
NODES, NODES_ARE_A_CACHE_FROM = "checkpoint_nodes", "0017"
CHECKPOINT_GUARDS = {
    "sqlite": ("next", "no_update", "no_delete"),
    "postgresql": ("next", "no_update", "no_delete", "no_truncate"),
}
MODERATION_FROM = "0032"
FIND_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
}


def steps() -> list[str]:
    """Return every revision, oldest first."""
    script = ScriptDirectory.from_config(Config(toml_file=ROOT / "pyproject.toml"))
    return [step.revision for step in script.walk_revisions()][::-1]


def kind(database: Database) -> str:
    return "sqlite" if database.sqlite else "postgresql"


def triggers(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.execute(text(FIND_TRIGGERS[kind(database)])).scalars())


def triggers_at(step: str, dialect: str) -> set[str]:
    """Return the triggers that there have to be at a step."""
    expected = TRIGGERS[dialect] if step >= GUARDED_FROM else set()
    if step < CHECKPOINTS_FROM:
        return expected
    guards = CHECKPOINT_GUARDS[dialect]
    tables = [one for one in CHECKPOINTS if one != NODES or step < NODES_ARE_A_CACHE_FROM]
    tables += ["moderation"] if step >= MODERATION_FROM else []
    return expected | {f"{table}_{guard}" for table in tables for guard in guards}


@contextmanager
def looking_at(database: Database) -> Iterator[Inspector]:
    with database.read() as connection:
        yield inspect(connection)


def fill(database: Database) -> None:
    """Put something into every table that has a story to lose."""
    with database.write() as connection:
        ada = accounts.PlayerRow("p_ada", "Ada", "ada", None, admin=False, created_at=AT)
        accounts.insert_player(connection, ada)
        accounts.insert_token(connection, accounts.TokenRow("t", "p_ada", "d" * 64, "", "", AT, AT))
        accounts.insert_session(connection, accounts.SessionRow("e" * 64, "p_ada", AT, AT))
        accounts.see(connection, "a" * 64, "ada", AT)
        heartbeat.save_beat(connection, AT)
        heartbeat.save(connection, heartbeat.Away("2026-11-01T00:00:00.000000Z", AT))
        events.append(connection, of_one_match(moves(5)))
        snapshots.save(connection, snapshots.Snapshot(MATCH, 4, "0" * 64, "1" * 64, b"{}"))
