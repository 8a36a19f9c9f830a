"""What keeps rows from being changed, as a database has it against how it was made.

Alembic compares tables, but neither the triggers that make tables append-only (law 4) nor the
conditions on rows. Whoever wants to rewrite a match has to get rid of these first.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from sqlalchemy import CheckConstraint, Connection, inspect, text

from services.store.db.metadata import metadata

_SQLITE = "SELECT name, tbl_name, sql, 1 FROM sqlite_master WHERE type = 'trigger'"
_POSTGRES = """
SELECT tgname, relname, prosrc, tgenabled IN ('O', 'A') FROM pg_trigger
JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""

_FIXED = {
    "events": "34d32e08c63f43c9",
    "checkpoint_leaves": "5ed0f74554db728e",
    "checkpoints": "5ed0f74554db728e",
    "signing_keys": "5ed0f74554db728e",
}
"""Tables that only grow, with the digest of what refuses anything else on PostgreSQL."""

APPEND_ONLY = tuple(_FIXED)
"""Tables whose rows are never changed or removed."""

TRIGGERS = {
    "sqlite": {
        "checkpoint_leaves.checkpoint_leaves_next": "0d61ecadc0bc04e2",
        "checkpoint_leaves.checkpoint_leaves_no_delete": "28d16c18641d50e1",
        "checkpoint_leaves.checkpoint_leaves_no_update": "b473ac021c8306cd",
        "checkpoints.checkpoints_next": "e2fb1385ab15ba31",
        "checkpoints.checkpoints_no_delete": "236af1040c63f689",
        "checkpoints.checkpoints_no_update": "ad8b03431a53fcec",
        "events.events_last_position": "1a83b2a578d18e93",
        "events.events_next_version": "538dd42f0049b45b",
        "events.events_no_delete": "2f6574a365425eba",
        "events.events_no_update": "a82791f204e46282",
        "signing_keys.signing_keys_next": "f4a2298ed89ec834",
        "signing_keys.signing_keys_no_delete": "5a3e5402c9575bea",
        "signing_keys.signing_keys_no_update": "55c701111c029c89",
    },
    "postgresql": {
        "checkpoint_leaves.checkpoint_leaves_next": "ab5ebd6f84d836bf",
        "checkpoints.checkpoints_next": "5a0f209cbd528b87",
        "events.events_next_version": "065e6851db6fff7b",
        "signing_keys.signing_keys_next": "f6db74856f8b1685",
        **{
            f"{table}.{table}_no_{change}": digest
            for table, digest in _FIXED.items()
            for change in ("update", "delete", "truncate")
        },
    },
}
"""Digests of what each trigger runs, by table and name, as the migrations make it."""


def weakened(connection: Connection) -> Iterator[str]:
    """Tell, a sentence each, which triggers and conditions are not as they were made."""
    yield from _triggers(connection)
    yield from _conditions(connection)


def triggers(connection: Connection) -> dict[str, str]:
    """Return the triggers that work on the tables of a database, as ``TRIGGERS`` has them."""
    asked = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES
    return {
        f"{table}.{name}": sha256(" ".join(body.split()).encode()).hexdigest()[:16]
        for name, table, body, works in connection.execute(text(asked))
        if works
    }


def _triggers(connection: Connection) -> Iterator[str]:
    found, made = triggers(connection), TRIGGERS[connection.dialect.name]
    for name in sorted(made.keys() | found.keys()):
        table, _, trigger = name.partition(".")
        told = f"The trigger {trigger} of the table {table}"
        if name not in found:
            yield f"{told} is missing, or switched off."
        elif name not in made:
            yield f"{told} should not be there."
        elif found[name] != made[name]:
            yield f"{told} does something else than it should."


def _conditions(connection: Connection) -> Iterator[str]:
    looking = inspect(connection)
    for table in metadata.sorted_tables:
        if not looking.has_table(table.name):
            continue
        made = {str(one.name) for one in table.constraints if isinstance(one, CheckConstraint)}
        found = {str(one["name"]) for one in looking.get_check_constraints(table.name)}
        for name in sorted(made - found):
            yield f"The condition {name} of the table {table.name} is missing."
        for name in sorted(found - made):
            yield f"The condition {name} of the table {table.name} should not be there."
