"""The key by which push services know this service (VAPID, RFC 8292): a file of its own.

A browser that registers binds its address to the public part. So the key is made once, when it is
first needed, for its owner alone; servers and workers of one database use the same file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from webauthn.helpers import bytes_to_base64url

from services.runtime import key_file
from services.store.db.engine import Database


def locate_push_key(database: Database, named: str) -> Path:
    """Return where a database's key is: where the settings say, else beside it."""
    return database.locate_file(named, "push-key.pem")


@dataclass(frozen=True, slots=True)
class VapidKey:
    """The key in a file."""

    path: Path

    def load_private(self) -> EllipticCurvePrivateKey:
        """Return the key; the first one is made. Raises ``NoKey``."""
        key = key_file.load(self.path, "P-256")
        if key is None:
            key_file.make(self.path, generate_private_key(SECP256R1()))
            key = key_file.load(self.path, "P-256")
        if not isinstance(key, EllipticCurvePrivateKey) or key.curve.name != SECP256R1.name:
            raise key_file.make_refusal(self.path, "P-256")
        return key

    def load_public(self) -> str:
        """Return the public part as browsers take it. Raises ``NoKey``."""
        return format_public_part(self.load_private())


def format_public_part(key: EllipticCurvePrivateKey) -> str:
    """Return the public part of a key: its point, in base64 for addresses."""
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return bytes_to_base64url(point)
