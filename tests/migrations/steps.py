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

LAYOUT = {
    "sqlite": """
SELECT 'column', m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, ''
FROM sqlite_master m, pragma_table_xinfo(m.name) c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
UNION ALL SELECT 'key', m.name, f."from", f."table", f."to", f.on_delete, f.id, ''
FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
UNION ALL SELECT 'index', m.name, i.name, c.name, c.seqno, c."desc", i."unique", i.origin
FROM sqlite_master m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) c
WHERE m.type = 'table' AND c.key
UNION ALL SELECT type, tbl_name, name, sql, '', '', '', ''
FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE '%WHERE%'
""",
    "postgresql": """
SELECT 'column', attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod),
    attnotnull::text || attidentity::text, pg_get_expr(adbin, adrelid)
FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S', 'v')
    AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', ''
FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
UNION ALL SELECT 'index', tablename, indexname, indexdef, '', ''
FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(t.oid), prosrc, ''
FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid WHERE NOT tgisinternal
UNION ALL SELECT 'function', proname, prosrc, '', '', ''
FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
""",
}
"""What there is of tables, columns, keys, indexes and triggers, in whatever order it was made."""


def steps() -> list[str]:
    """Return every revision, oldest first."""
    script = ScriptDirectory.from_config(Config(toml_file=ROOT / "pyproject.toml"))
    return [step.revision for step in script.walk_revisions()][::-1]


def kind(database: Database) -> str:
    return "sqlite" if database.sqlite else "postgresql"


def triggers(database: Database) -> set[str]:
    with database.read() as connection:
        return set(connection.execute(text(FIND_TRIGGERS[kind(database)])).scalars())


def layout(database: Database) -> set[tuple[str, ...]]:
    """Return all that a step may add or take away, a part each."""
    with database.read() as connection:
        found = connection.execute(text(LAYOUT[kind(database)])).all()
        conditions = inspect(connection).get_multi_check_constraints() if database.sqlite else {}
    checked = {
        ("condition", table, one["name"], one["sqltext"])
        for (_, table), each in conditions.items()
        for one in each
    }
    # Some steps write the same trigger with other blanks.
    return {tuple("".join(str(one).split()) for one in part) for part in (*found, *checked)}


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
        accounts.insert_session(connection, accounts.SessionRow("e" * 64, "p_ada", AT, AT, None))
        accounts.save_seen(connection, "a" * 64, "ada", AT)
        heartbeat.save_beat(connection, AT)
        heartbeat.save(connection, heartbeat.Away("2026-11-01T00:00:00.000000Z", AT))
        events.append(connection, of_one_match(moves(5)))
        snapshots.save(connection, snapshots.Snapshot(MATCH, 4, "0" * 64, "1" * 64, b"{}"))
