"""A role of PostgreSQL without rights: everything says so in a sentence, a command mends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import click
import pytest
import structlog
from click.testing import CliRunner, Result
from sqlalchemy import make_url, text

from cli.main import main
from services.container import Services
from services.exchange.exports import ExportFilter
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.settings import Settings
from services.worker import Worker, list_chores
from tests.cli.processes import environment, piped
from tests.cli.test_docs import commands
from tests.migrations import every_kind
from tests.support.games import test_games
from tests.support.postgres import PostgresServer
from web.app import create_app

pytestmark = pytest.mark.postgres

PASSWORD = "a secret of the tests"
APPEND_ONLY = ("events", "moderation", "checkpoint_leaves", "checkpoints", "signing_keys")

Plybook = Callable[..., Result]


@pytest.fixture
def owner(migrated_postgres_url: str) -> str:
    """Give the URL of a database that anybody may connect to, as the role that owns it."""
    return migrated_postgres_url


def run(url: str, *statements: str) -> None:
    with (
        closing(Services(Settings(database_url=url))) as house,
        house.database.write() as connection,
    ):
        for statement in statements:
            connection.execute(text(statement))


@contextmanager
def without_rights(owner: str, of: str) -> Iterator[str]:
    """Make a role without rights, for a test or a module; its name needs quotes."""
    name = f"a Role {abs(hash(of))}"
    run(owner, f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{PASSWORD}'")
    yield name
    run(owner, f'DROP OWNED BY "{name}"', f'DROP ROLE "{name}"')


@pytest.fixture
def role(owner: str, request: pytest.FixtureRequest) -> Iterator[str]:
    with without_rights(owner, request.node.nodeid) as name:
        yield name


def url_of(owner: str, role: str) -> str:
    """Return the URL by which a role connects."""
    made = make_url(owner).set(username=role, password=PASSWORD)
    return made.render_as_string(hide_password=False)


@pytest.fixture
def url(owner: str, role: str) -> str:
    return url_of(owner, role)


@pytest.fixture(scope="module")
def helpless(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """Give the URL of a role without rights, once: whoever may do nothing changes nothing."""
    owner = postgres_server.create_database("helpless", template=postgres_template)
    with without_rights(owner, __name__) as name:
        yield url_of(owner, name)
    postgres_server.drop_database("helpless")


@pytest.fixture
def plybook() -> Iterator[Plybook]:
    runner = CliRunner()

    def call(url: str, *words: str, typed: str = "") -> Result:
        result = runner.invoke(main, list(words), input=typed, env={"PLYBOOK_DATABASE_URL": url})
        assert isinstance(result.exception, SystemExit | None), (words, result.exception)
        return result

    yield call
    structlog.reset_defaults()


WITHOUT_A_DATABASE = ("plybook games", "plybook rules", "plybook settings", "plybook remote ")
MATCH = "0123456789abcdef"
COMMANDS = (
    "serve --port 48099",
    "demo --port 48099",
    "worker --once",
    "play path-capture",
    "match list",
    f"match show {MATCH}",
    f"match log {MATCH}",
    f"replay {MATCH}",
    f"diff {MATCH}@1..2",
    "find --all --where ply>1",
    "stats",
    f"analyse {MATCH}",
    "puzzles find",
    "puzzles list",
    "ratings path-capture",
    "puzzles solve",
    f"verify {MATCH}",
    "verify --all",
    "verify --all --chain-only --jobs 2",
    "export --all",
    "import FILE",
    "checkpoint show",
    "checkpoint export",
    f"checkpoint prove {MATCH}",
    "checkpoint link 1 2",
    "checkpoint verify FILE",
    "keys list",
    "keys rotate",
    "keys export",
    "player add ada",
    "player password ada",
    "player admin ada",
    "player close ada --yes",
    "moderation list",
    f"moderation hide {MATCH} players 1 --reason x",
    "moderation suspend ada --reason x",
    "moderation lift ada --reason x",
    "sweep",
    "sweep --dry-run",
    "db current",
    "db check",
    "db rebuild",
    "db upgrade",
    "db downgrade -1",
    "db grant somebody",
)


def test_every_command_that_opens_the_database_is_among_them() -> None:
    every = [name for name, command, _ in commands() if not isinstance(command, click.Group)]
    asked = [name for name in every if not name.startswith(WITHOUT_A_DATABASE)]
    told = {name for name in asked for one in COMMANDS if f"plybook {one} ".startswith(f"{name} ")}
    assert told == set(asked)


KEPT = {
    "format": "plybook/checkpoint",
    "format_version": 1,
    "origin": f"plybook/{'0' * 32}",
    "size": 1,
    "root": "0" * 64,
    "at": "2026-11-27T22:00:00.000000Z",
    "key": "0" * 64,
    "signature": "0" * 128,
}
"""A checkpoint that somebody kept."""


def is_told(result: Result, *words: str) -> None:
    """See that a failure is one sentence, which says what to do or who can."""
    assert "Traceback" not in result.output, words
    assert result.exit_code == 1, (words, result.output)
    told = result.stderr.strip().splitlines()[-1]
    assert told.startswith("Error: "), (words, result.stderr)
    assert "plybook db grant" in told or "role that owns it" in told, (words, told)
    assert PASSWORD not in result.output


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_says_in_a_sentence_that_a_role_lacks_rights(
    plybook: Plybook, helpless: str, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "file.ndjson"
    file.write_text(json.dumps(KEPT))
    asked = words.replace("FILE", str(file)).split()
    is_told(plybook(helpless, *asked, typed="correct horse battery\n"), words)


def test_a_role_that_may_not_use_the_schema_is_not_told_to_make_one(
    plybook: Plybook, owner: str, url: str
) -> None:
    run(owner, "REVOKE USAGE ON SCHEMA public FROM PUBLIC")
    told = plybook(url, "match", "list")
    is_told(told, "match list")
    assert "db upgrade" not in told.output


def test_with_the_grants_of_the_command_everything_can_be_done_and_no_more(
    plybook: Plybook, owner: str, url: str, role: str, sqlite_template: Path
) -> None:
    granted = plybook(owner, "db", "grant", role)
    assert granted.exit_code == 0, granted.output
    assert granted.stdout.startswith(f"{role} may read and play in ")
    every_kind.fill(url, sqlite_template)
    for words in (
        ("verify", "--all", "--jobs", "1"),
        ("db", "rebuild"),
        ("db", "check"),
        ("sweep",),
    ):
        done = plybook(url, *words)
        assert done.exit_code == 0, (words, done.output)
    for table in APPEND_ONLY:
        for attack in (f"DELETE FROM {table}", f"UPDATE {table} SET hash = hash"):
            with pytest.raises(Exception, match=r"permission denied|does not exist|not allowed"):
                run(url, attack)
        with pytest.raises(Exception, match=r"must be owner|not allowed"):
            run(url, f"ALTER TABLE {table} DISABLE TRIGGER ALL")


def test_a_restored_log_goes_on_for_a_role_that_owns_nothing(
    plybook: Plybook, owner: str, url: str, role: str
) -> None:
    plybook(owner, "db", "grant", role)
    made = []
    for where in (owner, url, url):
        house = Services(Settings(database_url=where), games=test_games())
        ada = house.accounts.get_local_player("ada").id
        made.append(
            house.matches.create(ChangeRequest(ada), NewMatch("path-capture")).shown.view.id
        )
        exported = house.exports.export_many(Asker(local=True), ExportFilter())
        assert [one.subject.match for one in exported] == made
        house.close()
        if where == owner:
            # As if it came from a server that has counted further than this one.
            run(owner, "ALTER TABLE events DISABLE TRIGGER events_no_update")
            run(owner, "UPDATE events SET txid = '900000'")
            run(owner, "ALTER TABLE events ENABLE TRIGGER events_no_update")


def test_an_auditor_may_read_and_is_told_what_not(
    plybook: Plybook, owner: str, url: str, role: str
) -> None:
    house = Services(Settings(database_url=owner), games=test_games())
    ada = house.accounts.get_local_player("ada").id
    match = house.matches.create(ChangeRequest(ada), NewMatch("path-capture")).shown.view.id
    house.close()
    plybook(owner, "db", "grant", role)
    granted = plybook(owner, "db", "grant", role, "--read-only")
    assert granted.stdout.startswith(f"{role} may read in ")
    more = plybook(url, "db", "grant", role)
    assert more.exit_code == 1
    assert "Only the role that owns the tables can allow this." in more.stderr
    assert plybook(url, "verify", "--all", "--jobs", "1").exit_code == 0
    assert plybook(url, "match", "show", match).exit_code == 0
    for words in (("player", "add", "bob"), ("serve",), ("db", "rebuild")):
        is_told(plybook(url, *words, typed="correct horse battery\n"), *words)


def test_a_server_that_takes_no_writes_is_said(
    plybook: Plybook, owner: str, url: str, role: str
) -> None:
    plybook(owner, "db", "grant", role)
    run(owner, f'ALTER ROLE "{role}" SET default_transaction_read_only = on')
    refused = plybook(url, "player", "add", "ada", typed="correct horse battery\n")
    assert refused.exit_code == 1
    assert "cannot execute INSERT in a read-only transaction" in refused.stderr.splitlines()[-1]


def test_what_cannot_be_granted_is_said(plybook: Plybook, owner: str, tmp_path: Path) -> None:
    missing = plybook(owner, "db", "grant", "nobody; DROP TABLE events")
    assert missing.exit_code == 4
    assert "PostgreSQL knows no role nobody; DROP TABLE events." in missing.stderr
    powerful = plybook(owner, "db", "grant", str(make_url(owner).username))
    assert powerful.exit_code == 1
    assert "needs no grants" in powerful.stderr
    path = str(tmp_path / "p.sqlite3")
    assert plybook(path, "db", "upgrade").exit_code == 0
    refused = plybook(path, "db", "grant", "service")
    assert refused.exit_code == 1
    assert "SQLite knows no roles" in refused.stderr


def test_a_service_that_loses_its_rights_answers_503_and_says_why_in_its_log_alone(
    plybook: Plybook, owner: str, url: str, role: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plybook(owner, "db", "grant", role)
    with closing(Services(Settings(database_url=url, rate_limit=0), games=test_games())) as house:
        client = create_app(house).test_client()
        account = {"name": "ada", "password": "correct horse battery"}
        assert client.post("/api/v1/players", json=account).status_code == 201
        assert client.get("/").status_code == 200
        for table in ("matches", "players", "sessions", "heartbeat", "downtimes"):
            run(owner, f'REVOKE ALL ON {table} FROM "{role}"')
        capsys.readouterr()
        for path in ("/api/v1/matches", "/"):
            answer = client.get(path)
            assert answer.status_code == 503, (path, answer.data)
            for secret in ("permission", "matches from", role, "postgresql"):
                assert secret not in answer.text
        assert client.post("/api/v1/players", json={**account, "name": "bob"}).status_code == 503
        with pytest.raises(Exception, match="not allowed what it needs"):
            house.lobby.list_matches(Asker(local=True), MatchFilter(), limit=1)
        logged = capsys.readouterr()
        assert "permission denied for table matches" in logged.out + logged.err
        assert "Traceback" not in logged.out + logged.err


def test_what_a_server_does_by_itself_goes_on_without_rights_and_says_why(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Services(Settings(database_url=url))) as house:
        house.downtime.try_to_beat()
        rows = list_chores(house, "http://127.0.0.1:9", Event(), patience=0)
        assert not Worker(house.database, rows, Event()).run_once()
    read = capsys.readouterr()
    told = read.out + read.err
    for event in ("heartbeat_failed", "chore=sweep", "chore=checkpoints"):
        [line] = [line for line in told.splitlines() if event in line]
        assert "permission denied for table" in line
    assert "Traceback" not in told


def test_the_server_does_not_start_without_its_rights(
    plybook: Plybook, owner: str, url: str, role: str
) -> None:
    plybook(owner, "db", "grant", role)
    run(owner, f'REVOKE INSERT ON events FROM "{role}"')
    started = piped(
        ["serve", "--port", "48099"], environment(Path(url)) | {"PLYBOOK_DATABASE_URL": url}
    )
    assert started.returncode == 1
    assert started.stdout == ""
    assert started.stderr.startswith("Error: The database ")
    assert "does not allow INSERT on events. The role" in started.stderr
