"""Audits: what holds is said to hold, and each planted fault is found where it is."""

from collections.abc import Callable

import orjson
import pytest
from sqlalchemy import Connection, text

from domain.json_types import JsonObject
from domain.log import event_format
from services.container import Services
from services.errors import NotFound
from services.matches.queries import Asker
from services.store import matches as readmodels
from tests.services.people import Table, table

TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'",
    "postgresql": "ALTER TABLE events DISABLE TRIGGER ALL",
}


def _played(house: Services) -> Table:
    there = table(house).start("energy-capture")
    for _ in range(4):
        seat = there.shown().view.to_act
        look = Asker(there.player(seat or 1))
        there.play(house.queries.list_legal_moves(look, there.match, limit=1).moves[0]["move"])
    return there


def _disarm(connection: Connection) -> None:
    """Drop the triggers, as whoever owns the database can."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(TRIGGERS["postgresql"]))
        return
    for (name,) in connection.execute(text(TRIGGERS["sqlite"])).fetchall():
        connection.execute(text(f"DROP TRIGGER {name}"))


def _rewrite(
    house: Services, match: str, version: int, change: Callable[[JsonObject], None], *, rehash: bool
) -> None:
    """Change a stored event behind the service's back, hash and all that follows if asked."""
    with house.database.write() as connection:
        _disarm(connection)
        rows = connection.execute(
            text('SELECT version, body FROM events WHERE "match" = :match ORDER BY version'),
            {"match": match},
        ).fetchall()
        previous = None
        for number, stored in rows:
            body = orjson.loads(bytes(stored))
            if number == version:
                change(body)
            elif not rehash or number < version:
                previous = None
                continue
            if previous is not None:
                body["previous"] = previous
            written = event_format.write_canonical(body)
            values = {"body": written, "match": match, "version": number, "at": body["at"]}
            sql = (
                "UPDATE events SET body = :body, at = :at{} "
                'WHERE "match" = :match AND version = :version'
            )
            if rehash:
                values["hash"] = previous = event_format.hash_bytes(written)
            connection.execute(text(sql.format(", hash = :hash" if rehash else "")), values)
        if rehash and previous is not None:
            connection.execute(
                text("UPDATE matches SET head = :head WHERE id = :match"),
                {"head": previous, "match": match},
            )


def _fault(house: Services, match: str) -> tuple[int | None, str]:
    faults = house.audits.verify(match).faults
    assert faults
    return faults[0].version, faults[0].check


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("path-capture", [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]),
        ("grid-power", [{"unit": 5, "row": 2, "column": 2}]),
        ("power-line", [{"action": "place", "position": 3, "power": 3}]),
    ],
)
def test_an_honest_match_holds(house: Services, game: str, moves: list[JsonObject]) -> None:
    there = table(house).start(game)
    there.play(*moves)
    verdict = house.audits.verify(there.match)
    assert verdict.holds, verdict.faults
    assert verdict.events == there.version


def test_an_honest_match_with_hidden_parts_holds(house: Services) -> None:
    there = table(house).start("whisper")
    for _ in range(3):
        seat = there.shown().view.to_act
        if seat is None:
            break
        look = Asker(there.player(seat))
        there.play(house.queries.list_legal_moves(look, there.match, limit=1).moves[0]["move"])
    assert house.audits.verify(there.match).faults == []


def test_resigned_and_aborted_matches_hold(house: Services) -> None:
    resigned = table(house).start()
    resigned.act(2, "resign")
    aborted = table(house).start()
    aborted.act(1, "abort")
    assert house.audits.verify(resigned.match).holds
    assert house.audits.verify(aborted.match).holds


def test_a_match_that_is_not_there_is_not_found(house: Services) -> None:
    with pytest.raises(NotFound):
        house.audits.verify("0" * 16)


def test_a_changed_event_is_not_what_was_hashed(house: Services) -> None:
    there = _played(house)

    def change(body: JsonObject) -> None:
        body["actor"] = "admin"

    _rewrite(house, there.match, 6, change, rehash=False)
    assert _fault(house, there.match) == (6, "chain")


def test_a_removed_event_is_missed(house: Services) -> None:
    there = _played(house)
    with house.database.write() as connection:
        _disarm(connection)
        connection.execute(
            text('DELETE FROM events WHERE "match" = :match AND version = 5'),
            {"match": there.match},
        )
    assert _fault(house, there.match) == (5, "chain")


def test_a_die_that_was_rolled_anew_is_found_though_the_chain_was_made_anew(
    house: Services,
) -> None:
    there = _played(house)
    drawn = next(
        event["version"]
        for event in house.queries.show_events(Asker(local=True), there.match).events
        if event["kind"] == "chance-drawn"
    )

    def change(body: JsonObject) -> None:
        body["data"]["outcome"][0]["value"] = 1 + body["data"]["outcome"][0]["value"] % 5

    _rewrite(house, there.match, drawn, change, rehash=True)
    assert _fault(house, there.match) == (drawn, "decisions")


def test_an_illegal_move_is_found_though_the_chain_was_made_anew(house: Services) -> None:
    there = table(house).start()
    there.play({"steps": 3}, {"steps": 2})

    def change(body: JsonObject) -> None:
        body["data"]["move"]["steps"] = 4

    _rewrite(house, there.match, there.version, change, rehash=True)
    assert _fault(house, there.match) == (6, "decisions")


def test_a_wrong_result_is_found_though_the_chain_was_made_anew(house: Services) -> None:
    there = table(house).start()
    there.play({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})
    last = there.version

    def change(body: JsonObject) -> None:
        body["data"]["winner"] = 1

    _rewrite(house, there.match, last, change, rehash=True)
    assert _fault(house, there.match) == (last, "decisions")


def test_time_that_goes_back_is_found(house: Services) -> None:
    there = table(house).start()
    there.play({"steps": 3})
    last = there.version

    def change(body: JsonObject) -> None:
        body["at"] = "2020-01-01T00:00:00.000000Z"

    _rewrite(house, there.match, last, change, rehash=True)
    assert _fault(house, there.match) == (last, "decisions")


def test_a_changed_opening_is_found(house: Services) -> None:
    there = _played(house)
    with house.database.write() as connection:
        _disarm(connection)
        forged = event_format.write_canonical([["0" * 64, {"secret": "1" * 64}]])
        connection.execute(
            text('UPDATE events SET openings = :forged WHERE "match" = :match AND version = 1'),
            {"forged": forged, "match": there.match},
        )
    assert _fault(house, there.match) == (1, "seals")


def test_an_edited_read_model_is_found(house: Services) -> None:
    there = _played(house)
    with house.database.write() as connection:
        row = readmodels.find(connection, there.match)
        assert row is not None
        readmodels.save(connection, row._replace(winner=1, status="finished"))
    assert _fault(house, there.match) == (None, "caches")
