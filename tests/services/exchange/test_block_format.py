"""NDJSON: the header, an event a line, and nothing that its viewer may not see."""

import orjson
import pytest

from domain.errors import Corruption, NotYourSeat, UnknownGame
from domain.game.game import Viewer
from domain.log.event_format import open_seals, restore_body, write_canonical, write_lines
from domain.match.views import show_event
from services.container import Services
from services.errors import InvalidRequest, NotFound
from services.exchange.exports import ExportFilter, ExportRequest
from services.matches.queries import Asker
from services.store import matches as readmodels
from services.store.log import exports
from services.store.log.codec import decode_event
from tests.services.conftest import ON_SQLITE_ALONE
from tests.services.exchange.matches import LOCAL, all_of, exported, finished, lines
from tests.services.people import table


def test_a_block_is_a_header_and_the_events_that_are_shown(house: Services) -> None:
    there = finished(house)
    header, *events = lines(exported(house, there.match))
    shown = house.queries.show_events(LOCAL, there.match).events
    assert events == shown
    assert header == {
        "format": "plybook/match",
        "format_version": 1,
        "match": there.match,
        "game": "path-capture",
        "rules_version": 1,
        "status": "finished",
        "result": there.shown().view.result,
        "count": len(events),
        "head": events[-1]["hash"],
        "names": {there.first: "ada", there.second: "brook"},
        "viewer": "server",
    }


@ON_SQLITE_ALONE
@pytest.mark.parametrize("game", ["path-capture", "whisper", "energy-capture"])
def test_every_line_is_canonical_and_what_the_one_door_shows(house: Services, game: str) -> None:
    there = finished(house, game)
    written = exported(house, there.match).splitlines()
    assert written == [write_canonical(line) for line in lines(b"\n".join(written))]
    with house.database.read() as connection:
        stored = exports.list_events(connection, there.match, 0, there.version, 500)
    everything = [
        write_canonical(show_event(decode_event(*one), Viewer.SERVER, finished=True))
        for one in stored
    ]
    assert write_lines(stored, open_seals).splitlines() == everything == written[1:]
    plain = [one for one in stored if one[2] is None]
    assert [
        restore_body(orjson.loads(line)) for line in write_lines(plain, open_seals).splitlines()
    ] == [one[0] for one in plain]


@ON_SQLITE_ALONE
def test_a_running_match_shows_what_its_viewer_may_see(house: Services) -> None:
    there = table(house).start("whisper")
    own = lines(exported(house, there.match, look=Asker(there.first)))
    other = lines(exported(house, there.match, look=Asker(there.second)))
    anybody = lines(exported(house, there.match, look=Asker()))
    assert [block[0]["viewer"] for block in (own, other, anybody)] == [
        "seat-1", "seat-2", "spectator",
    ]  # fmt: skip
    assert own[0]["result"] is None
    for block in (own, other, anybody):
        assert not any(
            "value" in seal
            for event in block[1:]
            for seal in event["sealed"]
            if seal["for"] == ["server"]
        )
    assert own != other
    assert not any("salt" in seal for event in anybody[1:] for seal in event["sealed"])


@ON_SQLITE_ALONE
def test_a_finished_match_can_be_had_as_somebody_saw_it(house: Services) -> None:
    there = finished(house, "whisper")
    header, *events = lines(exported(house, there.match, look=Asker(asked="spectator")))
    assert header["viewer"] == "spectator"
    assert not any("value" in seal for event in events for seal in event["sealed"])


@ON_SQLITE_ALONE
def test_what_others_saw_of_a_running_match_is_refused(house: Services) -> None:
    there = table(house).start("whisper")
    with pytest.raises(NotYourSeat):
        house.exports.export_one(Asker(there.first, "seat-2"), there.match, ExportRequest())


@ON_SQLITE_ALONE
def test_a_step_is_refused_where_a_format_has_none(house: Services) -> None:
    there = finished(house)
    with pytest.raises(InvalidRequest, match="text, svg, png"):
        house.exports.export_one(LOCAL, there.match, ExportRequest("ndjson", 3))
    with pytest.raises(NotFound, match="events 1 to"):
        house.exports.export_one(LOCAL, there.match, ExportRequest("svg", 99))


def test_many_matches_are_their_blocks_by_their_last_events(house: Services) -> None:
    first, second = finished(house), finished(house, "whisper")
    whole = all_of(house)
    blocks = [exported(house, first.match), exported(house, second.match)]
    assert whole in (b"".join(blocks), b"".join(reversed(blocks)))


def test_an_export_goes_on_behind_any_of_its_matches(house: Services) -> None:
    for _ in range(4):
        finished(house)
    found = list(house.exports.export_many(LOCAL, ExportFilter()))
    chunks = [b"".join(one.chunks) for one in found]
    for number, one in enumerate(found, 1):
        assert all_of(house, ExportFilter(cursor=one.cursor)) == b"".join(chunks[number:])


def test_pages_of_an_export_make_the_whole(house: Services) -> None:
    for _ in range(5):
        finished(house)
    parts, cursor, pages = b"", None, 0
    while True:
        choice = ExportFilter(cursor=cursor)
        end = house.exports.find_end(LOCAL, choice, 2)
        parts += b"".join(
            b"".join(one.chunks) for one in house.exports.export_many(LOCAL, choice, upto=end)
        )
        pages += 1
        cursor = end
        if end is None:
            break
    assert (parts, pages) == (all_of(house), 3)


def test_private_matches_are_exported_to_their_players_alone(house: Services) -> None:
    from services.matches.requests import ChangeRequest, NewMatch

    there = table(house)
    new = NewMatch("path-capture", seat=1, opponent="brook", visibility="private")
    match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    stranger = house.accounts.get_local_player("cleo").id
    assert match.encode() in all_of(house, look=Asker(there.first))
    assert match.encode() in all_of(house, look=Asker(there.second))
    for look in (Asker(), Asker(stranger)):
        assert all_of(house, look=look) == b""
        with pytest.raises(NotFound):
            house.exports.export_one(look, match, ExportRequest())


def test_exports_are_chosen_by_player_game_and_time(house: Services) -> None:
    there = finished(house)
    other = finished(house, "whisper")
    heads = {
        one["game"] for one in lines(all_of(house, ExportFilter(game="whisper"))) if "head" in one
    }
    assert heads == {"whisper"}
    assert all_of(house, ExportFilter(since="2027-01-01")) == b""
    assert all_of(house, ExportFilter(until="2026-11-27")) == b""
    assert all_of(house, ExportFilter(since="2026-11-27", until="2026-11-28")) == all_of(house)
    assert all_of(house, ExportFilter(player="ADA")) == all_of(house)
    assert there.match != other.match
    with pytest.raises(NotFound):
        house.exports.export_many(LOCAL, ExportFilter(player="nobody"))
    with pytest.raises(UnknownGame):
        house.exports.export_many(LOCAL, ExportFilter(game="chess"))
    with pytest.raises(InvalidRequest):
        house.exports.export_many(LOCAL, ExportFilter(since="yesterday"))
    with pytest.raises(InvalidRequest):
        house.exports.export_many(LOCAL, ExportFilter(cursor="x"))


def test_a_list_that_disagrees_with_the_events_stops_the_export(house: Services) -> None:
    there = finished(house)
    with house.database.write() as connection:
        row = readmodels.find(connection, there.match)
        assert row is not None
        readmodels.save(connection, row._replace(version=row.version + 1))
    with pytest.raises(Corruption, match="verify"):
        all_of(house)


def test_matches_read_at_once_are_told_apart_though_one_has_gone_on(house: Services) -> None:
    tables = [table(house).start(), table(house).start(), table(house).start()]
    extents = []
    for there in tables:
        there.play({"steps": 1})
        events = house.queries.show_events(LOCAL, there.match).events
        extents.append(exports.Extent(there.match, len(events), events[-1]["hash"]))
    tables[1].play({"steps": 2})
    with house.database.read() as connection:
        found = exports.list_events_by_match(connection, extents)
        alone = {
            one.match: [*exports.list_events(connection, one.match, 0, 99, 99)] for one in tables
        }
    assert found == alone
    assert len(found[tables[1].match]) == extents[1].events + 1
