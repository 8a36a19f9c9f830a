"""An authenticator of software, which makes and uses passkeys as a device does, or as none may."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url

from services.accounts.passkeys import PasskeyRequest, RelyingParty

PRESENT, VERIFIED, MADE = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """A device with one key; what is not as it should be is set before it answers."""

    site: RelyingParty
    id: bytes = field(default_factory=lambda: token_bytes(32))
    flags: int = PRESENT | VERIFIED
    uses: int = 0
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def make(self, asked: PasskeyRequest) -> str:
        """Return what a browser sends when a passkey was made."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big")}
        public[-3] = numbers.y.to_bytes(32, "big")
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(self.flags | MADE) + made
        client = self._client("webauthn.create", asked)
        attested = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._answer(clientDataJSON=client, attestationObject=cbor2.dumps(attested))

    def sign(self, asked: PasskeyRequest) -> str:
        """Return what a browser sends when a passkey was used."""
        data, client = self._data(self.flags), self._client("webauthn.get", asked)
        signed = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signed)

    def _data(self, flags: int) -> bytes:
        host = sha256(self.site.host.encode()).digest()
        return host + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client(self, type_: str, asked: PasskeyRequest) -> bytes:
        challenge = json.loads(asked.options)["challenge"]
        said = {"type": type_, "challenge": challenge, "origin": self.site.origin}
        return json.dumps(said).encode()

    def _answer(self, **response: bytes) -> str:
        key = bytes_to_base64url(self.id)
        written = {name: bytes_to_base64url(value) for name, value in response.items()}
        return json.dumps({"id": key, "rawId": key, "type": "public-key", "response": written})
