"""What was read before a backup came back is known for another history: nothing is lost silently.

The service is served, read and backed up, played on and read again; then the backup takes its
place, and is played on in another way.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.runtime.settings import Settings
from services.store import schema
from tests.support.games import test_games
from tests.support.postgres import PostgresServer
from tests.web.people import Person, problem
from web.app import create_app

_numbers = count(1)


class Message(NamedTuple):
    """A message of a stream."""

    id: str
    kind: str
    data: JsonObject


class Histories(NamedTuple):
    """A match in two histories that are the same until version 5, and what was read of the first.

    ``ada`` and ``bob`` use the service after the backup has taken its place. ``known``: what bob's
    own stream and an export gave to go on from before it was made; ``lost``: behind it.
    """

    match: str
    ada: Person
    bob: Person
    ids: dict[int, str]
    cursors: dict[str, str]
    known: dict[str, str]
    lost: dict[str, str]


class _Services:
    """Services one after the other, each on a database of its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: list[Services] = []

    def start(self, url: str) -> Person:
        house = Services(replace(self._settings, database_url=url), games=test_games())
        self._open.append(house)
        return Person(create_app(house).test_client())

    def stop(self) -> None:
        for house in self._open:
            house.close()
        self._open.clear()


@pytest.fixture(params=["sqlite", "postgres"])
def database_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def back_up(
    request: pytest.FixtureRequest, database_kind: str, tmp_path: Path
) -> Iterator[Callable[[str], str]]:
    """Give a function that copies a database nobody uses, and returns where the copy is."""
    made: list[str] = []

    def on_postgres(url: str) -> str:
        server: PostgresServer = request.getfixturevalue("postgres_server")
        made.append(f"backup_{next(_numbers)}")
        return server.create_database(made[-1], template=url.rpartition("/")[2].partition("?")[0])

    def on_sqlite(url: str) -> str:
        with sqlite3.connect(url) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        copy = str(tmp_path / "backup.sqlite")
        shutil.copy(url, copy)
        return copy

    yield on_postgres if database_kind == "postgres" else on_sqlite
    for name in made:
        request.getfixturevalue("postgres_server").drop_database(name)


@pytest.fixture
def histories(
    settings: Settings, url_at_head: str, back_up: Callable[[str], str]
) -> Iterator[Histories]:
    """Give a match that was at version 7 in a history that is lost, and is at 6 in this one."""
    services = _Services(replace(settings, stream_seconds=0))
    ada, bob = _players(services.start(url_at_head))
    match = ada.start(bob)
    others = [ada.create() for _ in range(3)]
    ada.move(match)
    known = {"line": last_line(bob), "export": _exported(ada)}
    services.stop()
    backup = back_up(url_at_head)
    ada, bob = _again(services.start(url_at_head), ada, bob)
    bob.move(match)
    ada.move(match)
    lost = {"line": last_line(bob), "export": _exported(ada)}
    ids = {one.data["version"]: one.id for one in messages(read(ada, match["id"]))}
    cursors = {
        sort: ada.get(f"/matches?sort={sort}&limit=2").json["next_cursor"]
        for sort in ("updated", "created")
    }
    cursors["events"] = ada.get(f"/matches/{match['id']}/events?limit=6").json["next_cursor"]
    cursors["early"] = ada.get(f"/matches/{match['id']}/events?limit=5").json["next_cursor"]
    invite = f"/matches/{others[0]['id']}/invitations"
    assert all(ada.post(invite, {}).status_code == 201 for _ in range(2))
    cursors["invitations"] = ada.get("/me/invitations?limit=1").json["next_cursor"]
    cursors["challenges"] = _challenged(ada, bob)
    services.stop()
    ada, bob = _again(services.start(backup), ada, bob)
    other = bob.legal(match)[-1]["move"]
    assert bob.move(match, other).status_code == 201
    yield Histories(match["id"], ada, bob, ids, cursors, known, lost)
    services.stop()


def _players(anyone: Person) -> tuple[Person, Person]:
    return anyone.sign_up("ada"), anyone.sign_up("bob")


def _again(anyone: Person, *people: Person) -> list[Person]:
    return [Person(anyone.client, one.name, one.token) for one in people]


def _challenged(ada: Person, bob: Person) -> str:
    for _ in range(2):
        ada.create(opponent="bob")
    return str(bob.get("/me/challenges?limit=1").json["next_cursor"])


def last_line(person: Person) -> str:
    """Return the id to go on from of a player's own stream."""
    return str(orjson.loads(person.get("/me/stream").data.splitlines()[-1])["id"])


def _exported(person: Person) -> str:
    """Return the cursor behind an export of all matches."""
    last = orjson.loads(person.get("/export").data.splitlines()[-1])
    return f"{last['match']},{last['version']},{last['hash']}"


def read(person: Person, match: str, after: str = "", last: str | None = None) -> bytes:
    headers = {} if last is None else {"Last-Event-ID": last}
    return person.get(f"/matches/{match}/stream{after}", headers).data


def messages(raw: bytes) -> list[Message]:
    """Return the messages of a stream."""
    found = []
    for block in raw.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in lines:
            kind = lines.get("event", "message")
            found.append(Message(lines["id"], kind, orjson.loads(lines["data"])))
    return found


def told_anew(raw: bytes, upto: int) -> bool:
    """Whether a stream says that all begins anew, and then tells all there is."""
    first, *rest = messages(raw)
    assert first.kind == "reset"
    assert first.data == {"version": upto}
    assert [one.kind for one in rest] == ["message"] * upto
    return [one.data["version"] for one in rest] == list(range(1, upto + 1))


def test_an_id_of_another_history_begins_anew(histories: Histories) -> None:
    at, ada, ids = histories.match, histories.ada, histories.ids
    assert told_anew(read(ada, at, last=ids[7]), 6)
    assert told_anew(read(ada, at, last=ids[6]), 6)
    assert told_anew(read(ada, at, f"?after={ids[6]}"), 6)


def test_an_id_of_the_common_past_goes_on(histories: Histories) -> None:
    at, ada, ids = histories.match, histories.ada, histories.ids
    (last,) = messages(read(ada, at, last=ids[5]))
    assert (last.kind, last.data["version"]) == ("message", 6)
    assert last.id != ids[6]
    assert messages(read(ada, at, last=last.id)) == []


def test_a_plain_version_is_taken_unless_it_is_beyond_the_end(histories: Histories) -> None:
    at, ada = histories.match, histories.ada
    assert [one.data["version"] for one in messages(read(ada, at, last="5"))] == [6]
    assert messages(read(ada, at, last="6")) == []
    assert told_anew(read(ada, at, last="7"), 6)
    assert told_anew(read(ada, at, "?after=999999999"), 6)


def test_who_loses_the_line_right_after_a_reset_gets_everything(histories: Histories) -> None:
    at, ada = histories.match, histories.ada
    reset = messages(read(ada, at, last=histories.ids[7]))[0]
    again = messages(read(ada, at, last=reset.id))
    assert [one.data["version"] for one in again] == [1, 2, 3, 4, 5, 6]


def test_a_match_that_is_over_begins_anew_for_another_history_too(histories: Histories) -> None:
    at, ada = histories.match, histories.ada
    version = ada.look({"id": at})["version"]
    ended = ada.post(f"/matches/{at}/actions", {"action": "resign"}, version=version)
    last = ended.json["match"]["version"]
    assert last == 7
    assert told_anew(read(ada, at, last=histories.ids[7]), 7)
    assert told_anew(read(ada, at, last="8"), 7)
    mine = messages(read(ada, at))[-1].id
    answer = ada.get(f"/matches/{at}/stream", {"Last-Event-ID": mine})
    assert (answer.status_code, answer.data) == (204, b"")


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
@pytest.mark.parametrize("name", ["after", "cursor"])
def test_events_behind_another_history_are_refused(
    histories: Histories, name: str, accept: str
) -> None:
    ada, path = histories.ada, f"/matches/{histories.match}/events"
    for foreign in (histories.cursors["events"], histories.ids[7], "7", "10"):
        answer = ada.get(f"{path}?{name}={foreign}", {"Accept": accept})
        assert problem(answer, 409, "unknown-version")["version"] == 6
    for known in (histories.cursors["early"], histories.ids[5], "5"):
        answer = ada.get(f"{path}?{name}={known}")
        assert [event["version"] for event in answer.json["events"]] == [6]
    assert ada.get("/problems/unknown-version").json["status"] == 409


def test_the_cursors_of_lists_of_another_history_are_refused(histories: Histories) -> None:
    cursors = histories.cursors
    for person, path in (
        (histories.ada, f"/matches?sort=updated&cursor={cursors['updated']}"),
        (histories.ada, f"/matches?sort=created&cursor={cursors['created']}"),
        (histories.ada, f"/me/invitations?cursor={cursors['invitations']}"),
        (histories.bob, f"/me/challenges?cursor={cursors['challenges']}"),
    ):
        gone = problem(person.get(path), 410, "cursor-gone")
        assert "first page" in gone["detail"]


def test_an_own_stream_of_another_history_is_refused_and_the_present_told_anew(
    histories: Histories,
) -> None:
    bob, lost = histories.bob, histories.lost["line"]
    for _ in range(4):
        for answer in (
            bob.get(f"/me/stream?after={lost}"),
            bob.get("/me/stream", {"Last-Event-ID": lost}),
        ):
            gone = problem(answer, 410, "cursor-gone")
            assert "without" in gone["detail"]
        # However far this history has come: what stood there was another event.
        histories.ada.create()
    # Of the common past everything is told, and to whoever begins anew the present.
    told = bob.get(f"/me/stream?after={histories.known['line']}").data.splitlines()
    assert [orjson.loads(line)["match"]["id"] for line in told[:-1]] == [histories.match]
    assert orjson.loads(bob.get("/me/stream").data.splitlines()[-1])["kind"] == "keep-alive"
    assert bob.get(f"/me/stream?after={last_line(bob)}").status_code == 200


def test_the_cursor_of_an_export_of_another_history_is_refused(histories: Histories) -> None:
    ada = histories.ada
    problem(ada.get(f"/export?cursor={histories.lost['export']}"), 410, "cursor-gone")
    new = ada.get(f"/export?cursor={histories.known['export']}").data.splitlines()
    assert orjson.loads(new[0])["match"] == histories.match


def test_the_cursors_of_this_history_are_taken(histories: Histories) -> None:
    for sort in ("updated", "created"):
        first = histories.ada.get(f"/matches?sort={sort}&limit=3").json
        assert len(first["matches"]) == 3
        path = f"/matches?sort={sort}&cursor={first['next_cursor']}"
        assert len(histories.ada.get(path).json["matches"]) == 1


def test_a_cursor_of_another_service_is_refused(
    histories: Histories, settings: Settings, tmp_path: Path
) -> None:
    other = str(tmp_path / "other.sqlite")
    # Not one that was copied: it has a key of its own.
    schema.upgrade(other)
    services = _Services(settings)
    carol = services.start(other).sign_up("carol")
    for sort in ("updated", "created"):
        path = f"/matches?sort={sort}&cursor={histories.cursors[sort]}"
        problem(carol.get(path), 400, "malformed-request")
    services.stop()
