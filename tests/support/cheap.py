"""Passwords and templates that cost nothing, in the processes of tests."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from types import CodeType

from argon2 import PasswordHasher
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from typing_extensions import override

COMPILED = Path(__file__).parents[2] / ".pytest_cache" / f"templates-{version('jinja2')}"


def weakest() -> PasswordHasher:
    """Return what hashes passwords as weakly as can be."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


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
