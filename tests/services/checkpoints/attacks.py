"""What somebody does who can write to the database, and takes the guards away first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, text

from domain.log.event_format import GENESIS, hash_bytes
from domain.log.merkle import NodePlace, grow
from services.store.checkpoints import Leaf, iter_leaves
from services.store.db.engine import Database
from services.store.log import events

NO_NODES: dict[NodePlace, bytes] = {}
GUARDED = ("events", "checkpoint_leaves", "checkpoints", "signing_keys")


@contextmanager
def unguarded(database: Database) -> Iterator[Connection]:
    """Give a connection that nothing holds back."""
    with database.write() as connection:
        if database.sqlite:
            names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for name in list(connection.execute(text(names)).scalars()):
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            for table in GUARDED:
                connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER ALL"))
        yield connection


def rewrite(connection: Connection, match: str, changes: Sequence[tuple[bytes, bytes]]) -> None:
    """Change all events of a match, and make its chain and its read model's head anew."""
    previous = GENESIS
    for event in events.load(connection, match):
        body = event.body.replace(event.previous.encode(), previous.encode())
        for old, new in changes:
            body = body.replace(old, new)
        previous = hash_bytes(body)
        connection.execute(
            text('UPDATE events SET body = :b, hash = :h WHERE "match" = :m AND version = :v'),
            {"b": body, "h": previous, "m": match, "v": event.version},
        )
    connection.execute(
        text("UPDATE matches SET head = :h WHERE id = :m"), {"h": previous, "m": match}
    )


def remove(connection: Connection, match: str) -> None:
    """Take a match out of the events, the lists and the snapshots."""
    for table, column in (("events", '"match"'), ("matches", "id"), ("snapshots", '"match"')):
        connection.execute(text(f"DELETE FROM {table} WHERE {column} = :m"), {"m": match})


def leaves(connection: Connection) -> list[Leaf]:
    """Return all leaves of the tree."""
    return [held.leaf for held in iter_leaves(connection, 2**31)]


def plant(connection: Connection, planted: list[Leaf]) -> None:
    """Put another tree in the place of the stored one, every hash as it should be."""
    cursor = connection.scalar(text("SELECT max(cursor) FROM checkpoint_leaves"))
    connection.execute(text("DELETE FROM checkpoint_leaves"))
    connection.execute(text("DELETE FROM checkpoint_nodes"))
    for number, leaf in enumerate(planted):
        connection.execute(
            text("INSERT INTO checkpoint_leaves VALUES (:n, :m, :v, :h, :x, :c)"),
            {
                "n": number,
                "m": leaf.match,
                "v": leaf.version,
                "h": leaf.head,
                "x": leaf.hash().hex(),
                "c": cursor,
            },
        )
    for place, hashed in grow(0, (leaf.hash() for leaf in planted), NO_NODES.__getitem__):
        if place.level:
            connection.execute(
                text("INSERT INTO checkpoint_nodes VALUES (:l, :n, :h)"),
                {"l": place.level, "n": place.number, "h": hashed.hex()},
            )


def heads_now(connection: Connection, known: list[Leaf]) -> list[Leaf]:
    """Return leaves as they would be, had the events always been what they are now."""
    now = []
    for leaf in known:
        [event] = events.load(connection, leaf.match, after=leaf.version - 1, upto=leaf.version)
        now.append(leaf._replace(head=event.hash))
    return now


def damage(database: Database, match_id: str) -> None:
    """Take an event out of the middle of a match."""
    with unguarded(database) as connection:
        gone = 'DELETE FROM events WHERE "match" = :m AND version = 2'
        connection.execute(text(gone), {"m": match_id})
