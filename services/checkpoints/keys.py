"""The key that signs: private in a file of its own, public in the database.

Whoever reads the database, or a backup of it, cannot sign. The file is made when it is first
needed, for its owner alone. A new key takes the place of the old one, whose private part is
gone then; its public part stays, so that what it signed can be verified for ever.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection

from domain.match.clock import format_instant
from services.checkpoints.documents import hash_key
from services.runtime import key_file
from services.runtime.clock import Now
from services.runtime.key_file import NoKey
from services.store import checkpoints
from services.store.checkpoints import Key
from services.store.db.engine import Database


class Signer:
    """A private key, with the id and the public part that the database knows it by."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self.private = private
        self.public_key = private.public_key().public_bytes_raw().hex()
        self.id = hash_key(self.public_key)

    def sign(self, message: bytes) -> str:
        """Return the signature, in hex."""
        return self.private.sign(message).hex()


def locate_signing_key(database: Database, named: str) -> Path:
    """Return where a database's signing key is: where the settings say, else beside it."""
    return database.locate_file(named, "signing-key.pem")


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """The keys of a database. ``path``: the file of the private one."""

    database: Database
    path: Path
    now: Now

    def list_all(self) -> list[Key]:
        """Return all public keys, the oldest first."""
        with self.database.read() as connection:
            return checkpoints.list_keys(connection)

    def get_signer(self) -> Signer:
        """Return the key that signs now; the very first one is made. Raises ``NoKey``."""
        with self.database.read() as connection:
            known = checkpoints.list_keys(connection)
        if not known:
            return self._make_first()
        signer = self._load(self.path)
        if signer is None or signer.id != known[-1].id:
            signer = self._finish_rotation(known[-1].id) or signer
        if signer is None:
            raise NoKey(
                f"The signing key {self.path} is gone. Put it back from your backup, or begin "
                "a new one: plybook keys rotate"
            )
        if signer.id != known[-1].id:
            raise NoKey(
                f"{self.path} is not the key that signs since {known[-1].valid_from}. Put that "
                "one there, or begin a new one: plybook keys rotate"
            )
        return signer

    def rotate(self) -> Key:
        """Begin a new key, and return it; the private part of the one before is thrown away."""
        made = Signer(Ed25519PrivateKey.generate())
        with self.database.write() as connection:
            checkpoints.take_turns(connection)
            # Known to the database first: if we stop in between, the next signer finds the file.
            key_file.write(self._locate_next(), made.private)
            self._add(connection, made)
        self._finish_rotation(made.id)
        return self.list_all()[-1]

    def _make_first(self) -> Signer:
        signer = self._load(self.path)
        if signer is None:
            key_file.make(self.path, Ed25519PrivateKey.generate())
            signer = self._load(self.path)
        if signer is None:
            raise NoKey(f"The signing key {self.path} is gone again.")
        with self.database.write() as connection:
            checkpoints.take_turns(connection)
            if not checkpoints.list_keys(connection):
                self._add(connection, signer)
        return signer

    def _add(self, connection: Connection, signer: Signer) -> None:
        known = checkpoints.list_keys(connection)
        last = checkpoints.find_latest(connection)
        earlier = [*([last.at] if last else []), *(key.valid_from for key in known[-1:])]
        begins = max([format_instant(self.now()), *earlier])
        checkpoints.add_key(connection, Key(signer.id, signer.public_key, begins, None))

    def _locate_next(self) -> Path:
        return self.path.with_name(f"{self.path.name}.next")

    def _finish_rotation(self, wanted: str) -> Signer | None:
        """Move the next key's file to its place, if it is the one ``wanted``."""
        signer = self._load(self._locate_next())
        if signer is None or signer.id != wanted:
            return None
        with suppress(FileNotFoundError):  # somebody else has just done it
            self._locate_next().replace(self.path)
        return signer

    def _load(self, path: Path) -> Signer | None:
        private = key_file.load(path, "Ed25519")
        if private is None:
            return None
        if not isinstance(private, Ed25519PrivateKey):
            raise key_file.make_refusal(path, "Ed25519")
        return Signer(private)
