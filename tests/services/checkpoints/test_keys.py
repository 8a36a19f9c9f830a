"""The key that signs: made once, kept from others, rotated without losing what it signed."""

import subprocess
import sys
import threading
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.checkpoints.keys import SigningKeys, locate_signing_key
from services.checkpoints.verification import compare_database
from services.container import Services
from services.runtime.key_file import NoKey
from services.runtime.settings import Settings
from services.store.db.engine import Database
from tests.services.conftest import Clock
from tests.services.people import table


@pytest.fixture
def house(migrated_url: str, clock: Clock, tmp_path: Path) -> Iterator[Services]:
    """Give a house whose key is in a folder of the test's own."""
    path = str(tmp_path / "keys" / "key.pem")
    built = Services(Settings(database_url=migrated_url, signing_key_file=path), now=clock)
    yield built
    built.close()


def files(house: Services) -> list[Path]:
    return list(house.signing_keys.path.parent.iterdir())


def test_the_first_use_makes_the_key_for_its_owner_alone(house: Services) -> None:
    signer = house.signing_keys.get_signer()
    path = house.signing_keys.path
    assert path.stat().st_mode & 0o777 == 0o600
    assert [key.id for key in house.signing_keys.list_all()] == [signer.id]
    assert house.signing_keys.get_signer().id == signer.id
    assert files(house) == [path]


def test_a_key_that_was_put_there_is_taken(house: Services) -> None:
    path = house.signing_keys.path
    path.parent.mkdir()
    private = Ed25519PrivateKey.generate()
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o640)
    public_key = private.public_key().public_bytes_raw().hex()
    assert house.signing_keys.get_signer().public_key == public_key
    assert [key.public_key for key in house.signing_keys.list_all()] == [public_key]


def test_many_who_need_the_first_key_at_once_make_one(house: Services) -> None:
    ids: list[str] = []

    def need() -> None:
        own = Database(house.database.url)
        ids.append(SigningKeys(own, house.signing_keys.path, house.now).get_signer().id)
        own.dispose()

    threads = [threading.Thread(target=need) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(ids) == 6
    assert {*ids} == {key.id for key in house.signing_keys.list_all()}
    assert len(house.signing_keys.list_all()) == 1


def test_after_a_rotation_old_checkpoints_still_verify(house: Services) -> None:
    table(house).start()
    old = house.sequencer.run()
    rotated = house.signing_keys.rotate()
    table(house).start()
    new = house.sequencer.run()
    assert old is not None
    assert new is not None
    assert old.key != new.key == rotated.id
    assert old.origin == new.origin
    for checkpoint in (old, new):
        assert (
            list(compare_database(house.database, checkpoint, house.signing_keys.list_all())) == []
        )
    first, second = house.signing_keys.list_all()
    assert (first.valid_until, second.valid_until) == (second.valid_from, None)
    # Nobody signs with the old one any more: it is nowhere.
    assert files(house) == [house.signing_keys.path]
    assert house.signing_keys.path.stat().st_mode & 0o777 == 0o600


def test_a_checkpoint_signed_with_an_old_key_after_its_time_does_not_verify(
    house: Services,
) -> None:
    table(house).start()
    house.sequencer.run()
    stolen = house.signing_keys.get_signer()
    house.signing_keys.rotate()
    forged = house.checkpoints.get()._replace(at="2027-01-01T00:00:00.000000Z")
    forged = forged._replace(signature=stolen.sign(forged.dump_for_signing()))
    [fault] = compare_database(house.database, forged)
    assert "not valid at the time" in fault.detail


ROTATE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from services.runtime.settings import Settings
from services.container import Services
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
Services(Settings(database_url=sys.argv[1], signing_key_file=sys.argv[2])).signing_keys.rotate()
"""


def test_a_rotation_that_is_killed_half_way_is_finished_by_the_next_who_signs(
    house: Services,
) -> None:
    before = house.signing_keys.get_signer()
    command = [sys.executable, "-c", ROTATE_AND_DIE, house.database.url]
    killed = subprocess.run([*command, house.signing_keys.path], check=False, timeout=100)
    assert killed.returncode == -9
    assert len(house.signing_keys.list_all()) == 2
    signer = house.signing_keys.get_signer()
    assert signer.id == house.signing_keys.list_all()[-1].id != before.id
    assert files(house) == [house.signing_keys.path]


def test_a_key_that_is_gone_is_not_silently_replaced(house: Services) -> None:
    house.signing_keys.get_signer()
    house.signing_keys.path.unlink()
    with pytest.raises(NoKey, match=r"is gone.*plybook keys rotate"):
        house.signing_keys.get_signer()
    assert len(house.signing_keys.list_all()) == 1
    made = house.signing_keys.rotate()
    assert house.signing_keys.get_signer().id == made.id


def test_an_old_key_that_was_put_back_does_not_sign(house: Services) -> None:
    house.signing_keys.get_signer()
    old = house.signing_keys.path.read_bytes()
    house.signing_keys.rotate()
    house.signing_keys.path.write_bytes(old)
    with pytest.raises(NoKey, match="not the key that signs since"):
        house.signing_keys.get_signer()


def test_a_key_that_everybody_can_read_does_not_sign(house: Services) -> None:
    house.signing_keys.get_signer()
    house.signing_keys.path.chmod(0o644)
    with pytest.raises(NoKey, match=r"chmod o="):
        house.signing_keys.get_signer()


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_file_that_is_no_key_is_named(house: Services, content: bytes) -> None:
    house.signing_keys.path.parent.mkdir()
    house.signing_keys.path.write_bytes(content)
    house.signing_keys.path.chmod(0o600)
    with pytest.raises(NoKey, match="holds no Ed25519 key"):
        house.signing_keys.get_signer()
    assert house.signing_keys.list_all() == []


def test_a_folder_that_cannot_be_written_to_is_named(house: Services) -> None:
    house.signing_keys.path.parent.write_text("a file, not a folder")
    with pytest.raises(NoKey, match="cannot be"):
        house.signing_keys.get_signer()


def test_no_private_key_is_in_the_database(migrated_sqlite_url: str) -> None:
    house = Services(Settings(database_url=migrated_sqlite_url))
    table(house).start()
    house.sequencer.run()
    pem = house.signing_keys.path.read_bytes()
    house.close()
    secret = pem.splitlines()[1]
    raw = b64decode(secret)[-32:]
    stored = Path(migrated_sqlite_url).read_bytes()
    for form in (secret, raw, raw.hex().encode()):
        assert form not in stored


def test_a_key_is_beside_its_database_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    file = Database(str(tmp_path / "a.sqlite3"))
    assert locate_signing_key(file, "") == tmp_path / "a.sqlite3.signing-key.pem"
    assert locate_signing_key(file, "/srv/key.pem") == Path("/srv/key.pem")
    server = Database("postgresql://someone@nowhere/games")
    assert locate_signing_key(server, "").name == "games.signing-key.pem"
