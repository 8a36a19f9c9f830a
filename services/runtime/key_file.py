"""Files of private keys, one key in each: for their owner alone, made when first needed."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from services.errors import Unavailable

PRIVATE = 0o600
OF_OTHERS = 0o007
"""The bits of a file's mode that let strangers in."""


class NoKey(Unavailable):
    """There is no private key to use; the text says why, and what to do."""


def make_refusal(path: Path, named: str) -> NoKey:
    """Return the refusal of a file without a key of that kind."""
    return NoKey(f"{path} holds no {named} key that is free of a password.")


def load(path: Path, named: str) -> PrivateKeyTypes | None:
    """Return the key in a file, None if there is no file. Raises ``NoKey``."""
    try:
        pem, mode = path.read_bytes(), path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoKey(f"{path} cannot be read: {error.strerror}.") from error
    if mode & OF_OTHERS:
        raise NoKey(
            f"Everybody on this machine may read or write {path}. Forbid it: chmod o= {path}"
        )
    try:
        return load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise make_refusal(path, named) from error


def write(path: Path, key: PrivateKeyTypes) -> None:
    """Write a key, in place of one that is there. Raises ``NoKey``."""
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise NoKey(f"{path} cannot be written: {error.strerror}.") from error


def make(path: Path, key: PrivateKeyTypes) -> None:
    """Write a key where there is none; of two who do it at once, one wins for both."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    write(draft, key)
    try:
        with suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        raise NoKey(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink()
