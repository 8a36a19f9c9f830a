"""A browser that is told by web push, as far as the service sees of it: it decrypts what comes."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import http_ece
import orjson
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from py_vapid.jwt import decode

from services.notices.push.browsers import Registration
from services.notices.push.vapid_key import format_public_part

AUTH = b"sixteen bytes ok"


@dataclass
class PushedTo:
    """A browser at an address of a push service."""

    endpoint: str
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))

    @property
    def registration(self) -> Registration:
        """What it gives to who wants to tell it something."""
        auth = urlsafe_b64encode(AUTH).rstrip(b"=").decode()
        return Registration(self.endpoint, format_public_part(self.key), auth)

    def read(self, body: bytes) -> Any:  # noqa: ANN401 - JSON
        """Return what was sent, decrypted."""
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=AUTH, version="aes128gcm")
        return orjson.loads(plain)


def claims(authorization: str, public_key: str) -> dict[str, Any]:
    """Return what a service says of itself, once its signature is verified."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(one.strip().split("=", 1) for one in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    found: dict[str, Any] = decode(parts["t"], public_key)
    return found


@cache
def same_key() -> EllipticCurvePrivateKey:
    """Return a key that is the same in all worlds which are compared."""
    return derive_private_key(2718281828459045, SECP256R1())


@cache
def same_key_file() -> Path:
    """Return the file of it."""
    path = Path(mkdtemp()) / "push-key.pem"
    path.touch(0o600)
    path.write_bytes(same_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path
