"""Passwords, addresses, templates, statements, drawings that cost nothing, in tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, MethodType
from typing import Any

from argon2 import PasswordHasher
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import Compiled
from typing_extensions import override
from werkzeug.routing import Rule

from services.drawing.svg import picture

COMPILED = Path(__file__).parents[2] / ".pytest_cache" / f"templates-{version('jinja2')}"


def weakest() -> PasswordHasher:
    """Return what hashes passwords as weakly as can be."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def compiled_addresses() -> Callable[[Rule], None]:
    """Return what does as ``Rule.compile``: from a rule that was alike, where there was one."""
    compiled, kept = Rule.compile, dict[tuple[object, ...], Rule]()

    def give(rule: Rule) -> None:
        key = (rule.rule, rule.subdomain, rule.host, rule.merge_slashes, repr(rule.defaults))
        alike = kept.get((*key, *rule.map.converters.values()))
        if alike is None:
            compiled(rule)
            kept[*key, *rule.map.converters.values()] = rule
            return
        for part in ("_parts", "_trace", "_converters"):
            setattr(rule, part, getattr(alike, part))
        for part in ("_build", "_build_unknown"):
            setattr(rule, part, MethodType(getattr(alike, part).__func__, rule))
        rule.arguments |= alike.arguments

    return give


class CompiledTemplates(FileSystemBytecodeCache):
    """What Jinja has compiled, in memory, and in files for other processes and for the next time.

    A template whose text has changed is another one.
    """

    def __init__(self) -> None:
        COMPILED.mkdir(parents=True, exist_ok=True)
        super().__init__(str(COMPILED))
        self._kept: dict[tuple[str, str], CodeType] = {}

    @override
    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._keep(bucket)

    @override
    def dump_bytecode(self, bucket: Bucket) -> None:
        super().dump_bytecode(bucket)
        self._keep(bucket)

    def _keep(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._kept[bucket.key, bucket.checksum] = bucket.code


class CompiledStatements:
    """What SQLAlchemy has compiled, for all engines of a process and not for each of them.

    By itself the dialect object of an engine is part of the key: here it is the kind of dialect.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], Compiled] = {}

    def get(self, key: tuple[Dialect, Any]) -> Compiled | None:
        """Return what was compiled of a statement, for any engine of the same kind."""
        return self._kept.get((type(key[0]), *key[1:]))

    def __setitem__(self, key: tuple[Dialect, Any], compiled: Compiled) -> None:
        self._kept[type(key[0]), *key[1:]] = compiled


def compiled_statements() -> property:
    """Return what stands in the place of an engine's own memory, whatever it was made with."""
    kept = CompiledStatements()
    return property(lambda _: kept, lambda *_: None)


_PLAIN = (bool, str, tuple)


def asked_once() -> Callable[[PGDialect_psycopg, Connection], None]:
    """Return what does as ``PGDialect_psycopg.initialize``, but asks a server the first time alone.

    Five questions about its version and its ways: every engine would ask them anew, each house has
    three engines, and all servers of the tests are alike.
    """
    ask: Callable[[PGDialect_psycopg, Connection], None] = PGDialect_psycopg.initialize
    known = dict[str, object]()

    def give(dialect: PGDialect_psycopg, connection: Connection) -> None:
        if not known:
            before = {**vars(dialect)}
            ask(dialect, connection)
            told = {name: one for name, one in vars(dialect).items() if before.get(name) is not one}
            known.update({name: one for name, one in told.items() if isinstance(one, _PLAIN)})
        vars(dialect).update(known)

    return give


MOST_DRAWINGS = 2_000

drawn_once = lru_cache(MOST_DRAWINGS)(picture.draw)
"""Draws a zone of a scene, and keeps it: pages of tests show the same positions again and again.

A drawing follows from what it is given, and knows nothing else; what differs is drawn by itself.
"""
