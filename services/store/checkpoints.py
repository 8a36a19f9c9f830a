"""Tables of the tree over all matches' heads, of its signed checkpoints and of their keys.

A leaf is a match's head at an instant. Neither leaves nor checkpoints nor keys ever change:
triggers in the migrations see to that. Nodes follow from the leaves. There is no further state:
where the next leaves go on in the feed of all events stands beside the last leaf.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
)

from services.store.db.metadata import DIGEST, INSTANT, MATCH_ID, POSITION, metadata

SIGNATURE_DIGITS = 128

checkpoint_leaves = Table(
    "checkpoint_leaves",
    metadata,
    Column("number", POSITION, primary_key=True, autoincrement=False),
    Column("match", MATCH_ID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("head", DIGEST, nullable=False),
    Column("hash", DIGEST, nullable=False),
    Column("cursor", String(48), nullable=False),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint("length(head) = 64", name="head"),
    CheckConstraint("length(hash) = 64", name="hash"),
    Index(None, "match", "number"),
)
"""Leaves from 0 on. ``hash``: the leaf's in the tree. ``cursor``: see ``feed``."""

checkpoint_nodes = Table(
    "checkpoint_nodes",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", POSITION, primary_key=True, autoincrement=False),
    Column("hash", DIGEST, nullable=False),
    CheckConstraint("level >= 1", name="level"),
    CheckConstraint("length(hash) = 64", name="hash"),
)
"""The full nodes above the leaves, by their place (see ``domain.log.merkle``). A cache."""

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", DIGEST, nullable=False, unique=True),
    Column("public_key", DIGEST, nullable=False),
    Column("valid_from", INSTANT, nullable=False),
    CheckConstraint("length(public_key) = 64", name="public_key"),
)
"""Public keys (Ed25519, in hex) from 1 on; each is valid until the next one begins."""

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("size", POSITION, primary_key=True, autoincrement=False),
    Column("origin", String(80), nullable=False),
    Column("root", DIGEST, nullable=False),
    Column("at", INSTANT, nullable=False),
    Column("key", DIGEST, ForeignKey("signing_keys.id"), nullable=False),
    Column("signature", String(SIGNATURE_DIGITS), nullable=False),
    CheckConstraint("size >= 1", name="size"),
    CheckConstraint("length(root) = 64", name="root"),
    CheckConstraint(f"length(signature) = {SIGNATURE_DIGITS}", name="signature"),
)
"""What was signed: the tree's first ``size`` leaves have this ``root``."""
