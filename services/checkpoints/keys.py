"""The key that signs: private in a file of its own, public in the database.

Whoever reads the database, or a backup of it, cannot sign. The file is made when it is first
needed, for its owner alone. A new key takes the place of the old one, whose private part is
gone then; its public part stays, so that what it signed can be verified for ever.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from sqlalchemy import Connection

from domain.match.clock import instant
from services.checkpoints.documents import key_id
from services.errors import Unavailable
from services.runtime.clock import Now
from services.store import checkpoints
from services.store.checkpoints import Key
from services.store.db.engine import Database

PRIVATE = 0o600
OF_OTHERS = 0o007
"""The bits of a file's mode that let strangers in."""


class NoSigningKey(Unavailable):
    """There is no key to sign with; the text says why, and what to do."""


class Signer:
    """A private key, with the id and the public part that the database knows it by."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public_key)

    def sign(self, message: bytes) -> str:
        """Return the signature, in hex."""
        return self._private.sign(message).hex()


def key_file(database: Database, named: str) -> Path:
    """Return where a database's signing key is: where the settings say, else beside it."""
    return database.file_beside(named, "signing-key.pem")


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """The keys of a database. ``path``: the file of the private one."""

    database: Database
    path: Path
    now: Now

    def all(self) -> list[Key]:
        """Return all public keys, the oldest first."""
        with self.database.read() as connection:
            return checkpoints.keys(connection)

    def signer(self) -> Signer:
        """Return the key that signs now; the very first one is made. Raises ``NoSigningKey``."""
        with self.database.read() as connection:
            known = checkpoints.keys(connection)
        if not known:
            return self._first()
        signer = self._load(self.path)
        if signer is None or signer.id != known[-1].id:
            signer = self._finish_rotation(known[-1].id) or signer
        if signer is None:
            raise NoSigningKey(
                f"The signing key {self.path} is gone. Put it back from your backup, or begin "
                "a new one: plybook keys rotate"
            )
        if signer.id != known[-1].id:
            raise NoSigningKey(
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
            self._write(self._next(), made)
            self._add(connection, made)
        self._finish_rotation(made.id)
        return self.all()[-1]

    def _first(self) -> Signer:
        signer = self._load(self.path)
        if signer is None:
            self._make_file(Signer(Ed25519PrivateKey.generate()))
            signer = self._load(self.path)
        if signer is None:
            raise NoSigningKey(f"The signing key {self.path} is gone again.")
        with self.database.write() as connection:
            checkpoints.take_turns(connection)
            if not checkpoints.keys(connection):
                self._add(connection, signer)
        return signer

    def _add(self, connection: Connection, signer: Signer) -> None:
        known = checkpoints.keys(connection)
        last = checkpoints.latest(connection)
        earlier = [*([last.at] if last else []), *(key.valid_from for key in known[-1:])]
        begins = max([instant(self.now()), *earlier])
        checkpoints.add_key(connection, Key(signer.id, signer.public_key, begins, None))

    def _next(self) -> Path:
        return self.path.with_name(f"{self.path.name}.next")

    def _finish_rotation(self, wanted: str) -> Signer | None:
        """Move the next key's file to its place, if it is the one ``wanted``."""
        signer = self._load(self._next())
        if signer is None or signer.id != wanted:
            return None
        with suppress(FileNotFoundError):  # somebody else has just done it
            self._next().replace(self.path)
        return signer

    def _make_file(self, signer: Signer) -> None:
        """Write a key where there is none; of two who do it at once, one wins for both."""
        draft = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}")
        self._write(draft, signer)
        try:
            with suppress(FileExistsError):
                os.link(draft, self.path)
        finally:
            draft.unlink()

    def _write(self, path: Path, signer: Signer) -> None:
        pem = signer._private.private_bytes(  # noqa: SLF001 - nobody else may ask for it
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as f:
                f.write(pem)
                f.flush()
                os.fsync(f.fileno())
        except OSError as error:
            raise NoSigningKey(f"{path} cannot be written: {error.strerror}.") from error

    def _load(self, path: Path) -> Signer | None:
        try:
            pem = path.read_bytes()
            mode = path.stat().st_mode
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NoSigningKey(f"{path} cannot be read: {error.strerror}.") from error
        if mode & OF_OTHERS:
            raise NoSigningKey(
                f"Everybody on this machine may read or write {path}. Forbid it: chmod o= {path}"
            )
        try:
            private = load_pem_private_key(pem, None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            private = None
        if not isinstance(private, Ed25519PrivateKey):
            raise NoSigningKey(f"{path} holds no Ed25519 key that is free of a password.")
        return Signer(private)
