"""Series in files: the champion proven from a file alone, and what was exchanged in it told."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from runpy import run_path

import orjson
import pytest
from sqlalchemy import text

from domain.json_types import Json, JsonObject
from services.audits.chain import Verdict
from services.container import Services
from services.exchange.file_audit import judge_file
from services.lobby.series import SeriesFilter
from services.matches.queries import Asker
from services.store.log.audits import RowSpan
from tests.services.checkpoints.attacks import rewrite, unguarded
from tests.services.exchange.matches import LOCAL, exported
from tests.services.exchange.test_added_members import VERIFIERS, alone
from tests.services.exchange.test_imports import outcomes, read
from tests.services.matches.test_series import BEST, on, shown
from tests.services.people import Table, table
from tests.services.planting import rechained, written
from tests.support.games import test_games


def played(house: Services) -> list[Table]:
    """Play a series of three matches: brook, ada and then brook win."""
    first = table(house).start(series=BEST)
    first.act(1, "resign")
    second = on(first)
    second.act(1, "resign")
    third = on(second)
    third.act(1, "resign")
    return [first, second, third]


def file_of(house: Services, series: str, look: Asker = LOCAL) -> bytes:
    ids = house.series.list_match_ids(look, series)
    return b"".join(house.exports.export_some(look, ids, "series").chunks)


def begun_otherwise(block: bytes, **members: Json) -> bytes:
    """Return a match whose first event has other members, with a chain that holds."""
    header, *events = (orjson.loads(line) for line in block.splitlines())
    events[0]["data"] |= members
    return written(rechained([header, *events]))


def behind(block: bytes, former: bytes, **terms: Json) -> bytes:
    """Return a match that names another one before it, with a chain that holds."""
    header = orjson.loads(former.splitlines()[0])
    series = orjson.loads(block.splitlines()[1])["data"]["series"]
    previous = {"match": header["match"], "head": header["head"]}
    return begun_otherwise(block, series={**series, "previous": previous, **terms})


def made_anew(block: bytes) -> bytes:
    """Return a match whose end is another one, with a chain that holds."""
    header, *events = (orjson.loads(line) for line in block.splitlines())
    ended = events[-1]
    other = 3 - ended["data"]["winner"]
    ended |= {"actor": f"seat-{3 - other}", "data": {**ended["data"], "winner": other}}
    header["result"] = {**header["result"], "winner": other}
    return written(rechained([header, *events]))


def verdicts(file: bytes) -> list[Verdict]:
    return list(judge_file(BytesIO(file), test_games()))


def standalone(file: bytes, path: Path) -> list[int]:
    path.write_bytes(file)
    return [alone(program, path) for program in VERIFIERS]


def test_a_file_proves_the_champion_and_comes_back_byte_for_byte(
    house: Services, elsewhere: Services, tmp_path: Path
) -> None:
    matches = played(elsewhere)
    series = matches[0].match
    file = file_of(elsewhere, series)
    assert file == b"".join(exported(elsewhere, one.match) for one in matches)
    found = verdicts(file)
    assert all(one.holds and not one.unchecked for one in found)
    assert [one.series for one in found] == [
        f"series {series} after match 1: ada 0, brook 2 half points; it goes on",
        f"series {series} after match 2: ada 2, brook 2 half points; it goes on",
        f"series {series} after match 3: ada 2, brook 4 half points; brook is the champion",
    ]
    assert standalone(file, tmp_path / "series.ndjson") == [0, 0]
    assert outcomes(house, file) == ["imported"] * 3
    assert file_of(house, series) == file
    assert shown(Table(house, "", ""), series) == shown(matches[0], series)
    for one in matches:
        assert house.audits.verify(one.match).holds


def test_a_running_series_is_exported_as_its_viewer_sees_it(house: Services) -> None:
    first = table(house).start(series=BEST)
    first.act(1, "resign")
    found = verdicts(file_of(house, first.match, Asker(first.first)))
    assert [one.broken for one in found] == [False, False]
    assert (found[1].series or "").endswith("it goes on")


@pytest.fixture
def exchanged(elsewhere: Services) -> tuple[list[bytes], list[bytes], list[str]]:
    """Give the blocks of a series, and of it what the second match was exchanged in."""
    matches = played(elsewhere)
    honest = [exported(elsewhere, one.match) for one in matches]
    other = played(elsewhere)[1]
    return (
        honest,
        [honest[0], exported(elsewhere, other.match), honest[2]],
        [one.match for one in matches],
    )


def test_a_middle_match_that_was_exchanged_is_told_in_a_file(
    exchanged: tuple[list[bytes], list[bytes], list[str]], tmp_path: Path
) -> None:
    honest, blocks, ids = exchanged
    left_out = [honest[0], honest[2]]
    for file in (blocks, left_out, honest[::-1]):
        assert any(one.broken for one in verdicts(b"".join(file))), file
        assert standalone(b"".join(file), tmp_path / "exchanged.ndjson")[1] == 3
    [fault] = verdicts(b"".join(left_out))[1].faults
    assert (fault.version, fault.check) == (1, "chain")
    assert ids[0] in fault.detail


def test_the_verifier_that_stands_alone_says_which_match_does_not_follow(
    exchanged: tuple[list[bytes], list[bytes], list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    honest, _, ids = exchanged
    path = tmp_path / "series.ndjson"
    main = run_path(str(VERIFIERS[1]))["main"]
    path.write_bytes(b"".join(honest))
    assert main(str(path)) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(": holds (")[0] for line in told] == ids
    path.write_bytes(honest[0] + honest[2])
    main = run_path(str(VERIFIERS[1]))["main"]
    assert main(str(path)) == 3
    fault = "event 1: its series lacks a match"
    assert capsys.readouterr().out.endswith(f"{ids[2]} does not hold: {fault}\n")


def test_the_second_match_of_one_series_is_not_taken_for_that_of_another(
    elsewhere: Services, tmp_path: Path
) -> None:
    """Made anew as a whole, with the same id and another end."""
    first = table(elsewhere).start(series=BEST)
    first.act(1, "resign")
    second = on(first)
    before = exported(elsewhere, first.match)
    second.act(1, "resign")
    third = on(second)
    third.act(1, "resign")
    whole = [before, exported(elsewhere, second.match), exported(elsewhere, third.match)]
    forged = made_anew(whole[1])
    found = verdicts(whole[0] + forged + whole[2])
    assert [one.broken for one in found] == [False, False, True]
    assert standalone(whole[0] + forged + whole[2], tmp_path / "forged.ndjson")[1] == 3


def test_an_import_refuses_what_does_not_belong_to_a_series_that_is_here(
    house: Services, elsewhere: Services
) -> None:
    matches = played(elsewhere)
    honest = [exported(elsewhere, one.match) for one in matches]
    forged = made_anew(honest[1])
    assert outcomes(house, honest[2], dry=True) == ["imported"]
    assert outcomes(house, honest[0] + forged + honest[2], dry=True) == [
        "imported", "imported", "refused",
    ]  # fmt: skip
    # The last one first: what it follows on has to be that which it names.
    assert outcomes(house, honest[2]) == ["imported"]
    [told] = read(house, forged)
    assert (told.outcome, matches[2].match in (told.reason or "")) == ("refused", True)
    assert outcomes(house, honest[0] + honest[1]) == ["imported", "imported"]


@pytest.mark.parametrize(
    "members",
    [{"visibility": "private"}, {"visibility": "unlisted"}, {"rated": True}],
    ids=["private", "unlisted", "rated"],
)
def test_what_is_played_otherwise_is_refused_wherever_it_comes_from(
    house: Services, elsewhere: Services, members: JsonObject
) -> None:
    """Else a list of public series would name a match that is none."""
    first, second = (exported(elsewhere, one.match) for one in played(elsewhere)[:2])
    forged = begun_otherwise(second, **members)
    assert verdicts(first + forged)[1].broken
    assert outcomes(house, first + forged, dry=True) == ["imported", "refused"]
    # Each by itself, and the second one first.
    assert outcomes(house, forged) == ["imported"]
    assert outcomes(house, first) == ["refused"]
    assert [one.id for one in house.series.list_series(Asker(), SeriesFilter()).listed] == []


@pytest.mark.parametrize("terms", [{"tie": "two-more"}, {"length": 5}])
def test_a_match_of_other_terms_is_refused(
    house: Services, elsewhere: Services, terms: JsonObject
) -> None:
    first, second = (exported(elsewhere, one.match) for one in played(elsewhere)[:2])
    forged = behind(second, first, **terms)
    assert verdicts(first + forged)[1].broken
    assert outcomes(house, first) == ["imported"]
    [told] = read(house, forged)
    assert told.outcome == "refused"
    assert "not played as the match before it" in (told.reason or "")


def test_seats_that_are_not_swapped_are_refused(house: Services, elsewhere: Services) -> None:
    matches = played(elsewhere)
    first, second, third = (exported(elsewhere, one.match) for one in matches)
    # As the second match the third one has the seats of the first.
    forged = behind(third, first, number=2)
    assert "Seats are not swapped" in verdicts(first + forged)[1].faults[0].detail
    assert outcomes(house, first + forged) == ["imported", "refused"]
    assert outcomes(house, second) == ["imported"]


def test_nothing_comes_in_behind_a_series_that_is_over(
    house: Services, elsewhere: Services
) -> None:
    third = exported(elsewhere, played(elsewhere)[2].match)
    first = table(elsewhere).start(series=BEST)
    first.act(1, "resign")
    second = on(first)
    second.act(2, "resign")
    decided = [exported(elsewhere, one.match) for one in (first, second)]
    assert outcomes(house, b"".join(decided)) == ["imported", "imported"]
    [told] = read(house, behind(third, decided[1], id=first.match))
    assert told.outcome == "refused"
    assert "Its series was over" in (told.reason or "")


def test_nothing_comes_in_behind_a_match_that_runs(house: Services, elsewhere: Services) -> None:
    second = exported(elsewhere, played(elsewhere)[1].match)
    running = table(house).start(series=BEST)
    forged = behind(second, exported(house, running.match), id=running.match)
    [told] = read(house, forged)
    assert told.outcome == "refused"
    assert "which is not over" in (told.reason or "")


def test_a_match_that_is_played_otherwise_is_told_of_in_a_database(house: Services) -> None:
    matches = played(house)
    last = matches[-1].match
    assert house.audits.verify(last).holds
    with unguarded(house.database) as connection:
        rewrite(connection, last, [(b'"visibility":"public"', b'"visibility":"unlisted"')])
        connection.execute(text("DELETE FROM snapshots"))
    details = [one.detail for one in house.audits.verify(last, chain_only=True).faults]
    assert any("not played as the match before it" in one for one in details), details


def test_a_database_whose_middle_match_was_exchanged_is_told_of(house: Services) -> None:
    matches = played(house)
    middle, last = matches[1].match, matches[2].match
    assert house.audits.verify(last).holds
    with unguarded(house.database) as connection:
        # As a whole, a second later: it holds in itself.
        rewrite(connection, middle, [(b'T22:00:00.000000Z"', b'T22:00:01.000000Z"')])
        connection.execute(text("DELETE FROM snapshots"))
    for one in (False, True):
        [fault] = house.audits.verify(last, chain_only=one).faults
        assert (fault.version, fault.check) == (1, "chain")
        assert middle in fault.detail
    verdicts = house.audits.verify_span(RowSpan("", None), chain_only=False)
    told = {one.match: one.holds for one in verdicts}
    assert not told[last]
