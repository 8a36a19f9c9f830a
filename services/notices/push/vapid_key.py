"""The key by which push services know this service (VAPID, RFC 8292): a file of its own.

A browser that registers binds its address to the public part. So the key is made once, when it is
first needed, for its owner alone; servers and workers of one database use the same file.
"""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from services.errors import Unavailable
from services.store.db.engine import Database

PRIVATE = 0o600
OF_OTHERS = 0o007
"""The bits of a file's mode that let strangers in."""


class NoPushKey(Unavailable):
    """There is no key for web push; the text says why."""


def push_key_file(database: Database, named: str) -> Path:
    """Return where a database's key is: where the settings say, else beside it."""
    return database.file_beside(named, "push-key.pem")


@dataclass(frozen=True, slots=True)
class VapidKey:
    """The key in a file."""

    path: Path

    def private(self) -> EllipticCurvePrivateKey:
        """Return the key; the first one is made. Raises ``NoPushKey``."""
        try:
            if not self.path.exists():
                self._make()
            pem, mode = self.path.read_bytes(), self.path.stat().st_mode
        except OSError as error:
            raise NoPushKey(f"The key {self.path} cannot be used: {error.strerror}.") from error
        if mode & OF_OTHERS:
            raise NoPushKey(
                f"Everybody on this machine may read or write {self.path}. "
                f"Forbid it: chmod o= {self.path}"
            )
        try:
            key = load_pem_private_key(pem, None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, EllipticCurvePrivateKey) or key.curve.name != SECP256R1.name:
            raise NoPushKey(f"{self.path} holds no P-256 key that is free of a password.")
        return key

    def public(self) -> str:
        """Return the public part as browsers take it. Raises ``NoPushKey``."""
        return public_part(self.private())

    def _make(self) -> None:
        """Write a key; of two who do it at once, one wins for both."""
        pem = generate_private_key(SECP256R1()).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb"
            ) as file:
                file.write(pem)
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(draft, self.path)
        finally:
            draft.unlink(missing_ok=True)


def public_part(key: EllipticCurvePrivateKey) -> str:
    """Return the public part of a key: its point, in base64 for addresses."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()
