"""Imports: what holds comes in once, whole and as nobody's; all else is refused in words."""

from collections.abc import Callable
from io import BytesIO

import orjson
import pytest
from typing_extensions import override

from domain.game.game import Viewer
from domain.games.path_capture import GAMES
from domain.json_types import JsonObject
from domain.log.event_format import hash_bytes, restore_body, write_canonical
from domain.match import commands
from services.container import Services
from services.errors import NotFound
from services.exchange.block_format import subject_of
from services.exchange.imports import ImportResult, TooManyFaults
from services.lobby.lists import MatchFilter
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store import accounts, imports, schema, talk
from services.store.db.metadata import HIGHEST
from services.store.talk import Room
from tests.services.exchange.matches import LOCAL, all_of, exported, finished
from tests.services.people import table
from tests.support.scenario import Table

[PATH_CAPTURE] = GAMES


def read(house: Services, file: bytes, *, dry: bool = False) -> list[ImportResult]:
    return list(house.imports.read(BytesIO(file), dry=dry))


def outcomes(house: Services, file: bytes, *, dry: bool = False) -> list[str]:
    return [told.outcome.value for told in read(house, file, dry=dry)]


def refusal(house: Services, file: bytes) -> str:
    """Return why the one match of a file is refused; nothing of it may be stored."""
    before = all_of(house)
    [told] = read(house, file)
    assert told.outcome == "refused", told
    assert all_of(house) == before
    assert told.reason is not None
    return told.reason


@pytest.mark.parametrize("game", ["path-capture", "whisper", "energy-capture"])
def test_export_import_export_gives_the_same_bytes(
    house: Services, elsewhere: Services, game: str
) -> None:
    there = finished(elsewhere, game)
    file = exported(elsewhere, there.match)
    assert outcomes(house, file) == ["imported"]
    assert exported(house, there.match) == file == all_of(house)
    assert house.audits.verify(there.match).holds


def test_the_same_match_twice_is_left_as_it_is(house: Services, elsewhere: Services) -> None:
    file = exported(elsewhere, finished(elsewhere).match)
    assert outcomes(house, file + file) == ["imported", "known"]
    assert outcomes(house, file) == ["known"]
    assert outcomes(elsewhere, file) == ["known"]
    assert all_of(house) == file


def test_a_dry_run_stores_nothing(house: Services, elsewhere: Services) -> None:
    file = exported(elsewhere, finished(elsewhere).match)
    assert outcomes(house, file + file, dry=True) == ["imported", "known"]
    assert all_of(house) == b""


def test_a_bad_match_does_not_take_the_others_along(house: Services, elsewhere: Services) -> None:
    good, other = (exported(elsewhere, finished(elsewhere).match) for _ in range(2))
    bad = exported(elsewhere, finished(elsewhere).match).replace(b'"steps":3', b'"steps":2', 1)
    assert sorted(outcomes(house, good + bad + other)) == ["imported", "imported", "refused"]


def test_a_different_match_with_the_same_id_is_refused(house: Services) -> None:
    one, other = (_resigned(seat) for seat in (1, 2))
    assert outcomes(house, one) == ["imported"]
    assert "different match with this id" in refusal(house, other)
    assert all_of(house) == one


def _resigned(seat: int) -> bytes:
    """Return a match that always has the same id, given up by a seat."""
    there = Table.started(PATH_CAPTURE)
    there.do(commands.Resign(seat))
    subject = subject_of(there.match, Viewer.SERVER, {})
    shown = [subject.make_header(), *there.shown()]
    return b"".join(write_canonical(line) + b"\n" for line in shown)


def test_imported_players_are_nobody_here(house: Services, elsewhere: Services) -> None:
    there = finished(elsewhere)
    file = exported(elsewhere, there.match)
    ada = house.accounts.get_local_player("ada")
    assert outcomes(house, file) == ["imported"]
    shown = house.queries.show(Asker(ada.id), there.match)
    assert (shown.you, shown.imported) == (None, "2026-11-27T22:00:00.000000Z")
    assert house.lobby.list_matches(Asker(ada.id), MatchFilter(player="ada")).listed == []
    assert house.lobby.list_matches(LOCAL, MatchFilter()).listed[0].get_name(there.first) == "ada"


def test_an_id_that_is_an_account_here_still_makes_it_nobodys(
    house: Services, elsewhere: Services
) -> None:
    """As of a match of this very service, which had lost it; or of a file that somebody made."""
    there = table(elsewhere)
    new = NewMatch("path-capture", seat=1, opponent="brook", visibility="private")
    match = elsewhere.matches.create(ChangeRequest(there.first), new).shown.view.id
    elsewhere.matches.join(ChangeRequest(there.second), match)
    version = elsewhere.queries.show(LOCAL, match).view.version
    elsewhere.matches.act(ChangeRequest(there.first, version), match, Action("resign"))
    _give_the_same_ids(house, elsewhere)
    file = exported(elsewhere, match)
    assert outcomes(house, file) == ["imported"]
    with pytest.raises(NotFound):
        house.queries.show(Asker(there.first), match)
    assert all_of(house, look=Asker(there.first)) == b""
    shown = house.queries.show(LOCAL, match)
    assert shown.you is None
    assert exported(house, match) == file
    mine = house.lobby.list_matches(Asker(there.first), MatchFilter(mine=True)).listed
    assert mine == []


def test_what_was_rated_elsewhere_is_rated_nowhere_here(
    house: Services, elsewhere: Services
) -> None:
    there = table(elsewhere)
    new = NewMatch("path-capture", seat=1, opponent="brook", rated=True)
    match = elsewhere.matches.create(ChangeRequest(there.first), new).shown.view.id
    elsewhere.matches.join(ChangeRequest(there.second), match)
    version = elsewhere.queries.show(LOCAL, match).view.version
    elsewhere.matches.act(ChangeRequest(there.first, version), match, Action("resign"))
    assert elsewhere.queries.show(LOCAL, match).view.rated
    assert outcomes(house, exported(elsewhere, match)) == ["imported"]
    assert not house.queries.show(LOCAL, match).view.rated


def _give_the_same_ids(house: Services, elsewhere: Services) -> None:
    from services.store import accounts

    for name in ("ada", "brook"):
        with elsewhere.database.read() as connection:
            row = accounts.find_by_key(connection, name)
        assert row is not None
        with house.database.write() as connection:
            accounts.insert_player(connection, row)


def _rechained(file: bytes, change: Callable[[list[JsonObject]], object]) -> bytes:
    """Change events as a forger would: all hashes and the header made anew."""
    header, *events = [orjson.loads(line) for line in file.splitlines()]
    change(events)
    previous = "0" * 64
    for event in events:
        event["previous"] = previous
        event["hash"] = previous = hash_bytes(restore_body(event))
    header["head"], header["count"] = previous, len(events)
    return b"".join(write_canonical(line) + b"\n" for line in [header, *events])


FORGERIES: dict[str, tuple[Callable[[list[JsonObject]], object], str]] = {
    "an illegal move": (lambda events: events[-3]["data"]["move"].update(steps=9), "cannot be"),
    "a wrong winner": (lambda events: events[-1]["data"].update(winner=1), "rules"),
    "a true for a one": (lambda events: events[1]["data"].update(seat=True), "no seat True"),
    "a fraction": (
        lambda events: events[4]["data"]["move"].update(steps=3.0), "must be a whole number"),
    "an event too few": (lambda events: events.pop(5), "missing"),
    "time going back": (
        lambda events: events[4].update(at="2026-11-01T00:00:00.000000Z"), "back in time"),
    "a time to come": (
        lambda events: [one.update(at="2999-11-01T00:00:00.000000Z") for one in events], "future"),
    "no such day": (
        lambda events: events[-1].update(at="2026-13-41T00:00:00.000000Z"), "no instant"),
    "a seal closed": (lambda events: events[0]["sealed"][0].pop("value"), "half open"),
    "another secret": (
        lambda events: events[0]["sealed"][0]["value"].update(secret="0" * 64), "sealed value"),
    "an unknown kind": (
        lambda events: events[-1].update(kind="match-won"), "unknown kind 'match-won'"),
    "a member too much": (
        lambda events: events[-1]["data"].update(note="hi"), "unknown or missing"),
    "an event of two": (lambda events: events[-1].update(more=1), "members of an event"),
    "options nobody could choose": (
        lambda events: events[0]["data"]["options"].update(length=-5), "length must be from"),
    "a strange visibility": (lambda events: events[0]["data"].update(visibility="x"), "visibility"),
    "a strange cause": (lambda events: events[4]["data"].update(cause="\x1b[2J"), "cause"),
    "somebody's name for an id": (
        lambda events: events[1]["data"].update(player="ada"), "Event 2 is not what the rules"),
}  # fmt: skip


def test_a_forgery_is_refused_though_its_chain_was_made_anew(
    house: Services, elsewhere: Services
) -> None:
    file = exported(elsewhere, finished(elsewhere).match)
    for forgery, (change, reason) in FORGERIES.items():
        assert reason in refusal(house, _rechained(file, change)), forgery


def _header(**changes: object) -> Callable[[bytes], bytes]:
    def change(file: bytes) -> bytes:
        header, _, rest = file.partition(b"\n")
        return write_canonical({**orjson.loads(header), **changes}) + b"\n" + rest

    return change


FILES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a byte order mark": (lambda file: b"\xef\xbb\xbf" + file, "byte order mark"),
    "CR LF": (lambda file: file.replace(b"\n", b"\r\n"), "CR LF"),
    "a cut tail": (lambda file: file[:-20], "breaks off"),
    "a line too few": (lambda file: b"".join(file.splitlines(keepends=True)[:-1]), "ends before"),
    "a proof too early": (
        lambda file: file.rpartition(b'{"actor"')[0] + b'{"checkpoint":{}}\n', "ends before"),
    "a line too many": (lambda file: file + file.splitlines()[-1] + b"\n", "one more"),
    "spaces": (lambda file: file.replace(b'":', b'": ', 1), "canonical"),
    "a name given twice": (
        lambda file: file.replace(b'{"count":', b'{"count":1,"count":', 1), "canonical"),
    "no JSON": (lambda file: b"hello\n" + file, "not JSON"),
    "a list": (lambda file: b"[]\n" + file, "no JSON object"),
    "deep nesting": (lambda file: b"[" * 5000 + b"]" * 5000 + b"\n" + file, "not JSON"),
    "a huge line": (lambda _: b'{"count":"' + b"x" * (3 << 20) + b'"}\n', "longer than"),
    "a huge count": (_header(count=10**9), "100,000"),
    "no count": (_header(count="9"), "100,000"),
    "another format": (_header(format="plybook/replay"), "no header"),
    "a newer version": (_header(format_version=2), "newer release"),
    "somebody's eyes": (_header(viewer="seat-1"), "everything open"),
    "an aborted match": (_header(status="aborted"), "Only finished"),
    "another head": (_header(head="0" * 64), "head"),
    "another result": (_header(result={"winner": None, "reason": "x"}), "result"),
    "another game": (_header(game="grid-power"), "game"),
    "a stranger's name": (_header(names={"p_" + "0" * 16: "eve"}), "does not play"),
    "an endless name": (lambda file: file.replace(b'"brook"', b'"%b"' % (b"e" * 300)), "1 to 200"),
    "names that are none": (_header(names=["ada"]), "does not play"),
}  # fmt: skip


def test_a_hostile_file_is_refused_in_words(house: Services, elsewhere: Services) -> None:
    exportable = exported(elsewhere, finished(elsewhere).match)
    for name, (change, reason) in FILES.items():
        told = read(house, change(exportable))[0]
        assert told.outcome == "refused", name
        assert reason in (told.reason or ""), name
        assert len(told.reason or "") < 300, name


def test_what_follows_on_a_hostile_line_is_read_all_the_same(
    house: Services, elsewhere: Services
) -> None:
    file = exported(elsewhere, finished(elsewhere).match)
    assert outcomes(house, b"x" * (3 << 20) + b"\n" + file) == ["refused", "imported"]


def test_imported_names_stay_as_they_were(house: Services, elsewhere: Services) -> None:
    there = finished(elsewhere)
    names = {there.first: "=1+1\n\x00", there.second: "\u202eאבג😀"}
    file = _header(names=names)(exported(elsewhere, there.match))
    assert outcomes(house, file) == ["imported"]
    assert exported(house, there.match) == file
    with house.database.read() as connection:
        row = imports.find(connection, there.match)
    assert row is not None
    assert row.names == names
    assert schema.is_at_head(house.database)


BAD = b'{"count":\n'
MOST = 1_000


class Counting(BytesIO):
    """A file that counts the lines that were read of it."""

    lines = 0

    @override
    def readline(self, size: int | None = -1, /) -> bytes:
        self.lines += 1
        return super().readline(size)


def test_many_bad_lines_stop_an_import_and_what_was_good_before_is_stored(
    house: Services, elsewhere: Services
) -> None:
    good = exported(elsewhere, finished(elsewhere).match)
    file = Counting(good + BAD * 300_000)
    told: list[ImportResult] = []
    with pytest.raises(TooManyFaults):
        told.extend(house.imports.read(file))
    assert all_of(house) == good
    assert file.lines < MOST + good.count(b"\n") + 10


def test_how_many_faults_an_import_takes_can_be_said(house: Services, elsewhere: Services) -> None:
    good = exported(elsewhere, finished(elsewhere).match)
    file = BAD * 5 + good
    told: list[str] = []
    with pytest.raises(TooManyFaults):
        told.extend(one.outcome.value for one in house.imports.read(BytesIO(file), most=5))
    assert told == ["refused"] * 5
    for most in (6, 0):
        outcome = [one.outcome.value for one in house.imports.read(BytesIO(file), most=most)]
        assert sorted(outcome) == ["imported" if most else "known", *["refused"] * 5]


def test_matches_that_go_on_are_no_faults_of_a_file(house: Services, elsewhere: Services) -> None:
    good = exported(elsewhere, finished(elsewhere).match)
    running = exported(elsewhere, table(elsewhere).start().match)
    for most, outcome in ((2, "imported"), (0, "known")):
        told = house.imports.read(BytesIO(running * 5 + good), most=most)
        assert sorted(one.outcome.value for one in told) == [outcome, *["refused"] * 5]


def test_chat_and_what_moderation_did_stay_where_they_are(
    house: Services, elsewhere: Services
) -> None:
    there = finished(elsewhere)
    before = exported(elsewhere, there.match)
    place = Room(there.match, "players")
    elsewhere.chat.say(there.first, *place, "You fool!")
    elsewhere.moderation.report(there.second, place, 1, "An insult.")
    elsewhere.moderation.hide(None, place, 1, "An insult.")
    elsewhere.moderation.suspend(None, "ada", "Threats.")
    assert exported(elsewhere, there.match) == before
    here = table(house)
    house.moderation.suspend(None, "brook", "Here.")
    assert outcomes(house, before) == ["imported"]
    assert [one.row.reason for one in house.moderation.list_entries(None, 9).listed] == ["Here."]
    with house.database.read() as connection:
        assert talk.list_page(connection, place, 0, HIGHEST, 9) == []
        assert not accounts.is_suspended(connection, here.first)
    # The log goes on where it was.
    assert outcomes(elsewhere, before) == ["known"]
    elsewhere.moderation.lift(None, "ada", "Enough.")
    assert [one.row.number for one in elsewhere.moderation.list_entries(None, 9).listed] == [
        4,
        3,
        2,
        1,
    ]
