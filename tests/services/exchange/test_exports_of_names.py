"""Any name at all survives every format, and no name computes, steers or breaks a line."""

import csv
import json
from io import BytesIO, StringIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from services.accounts.accounts import Accounts
from services.container import Services
from services.drawing.text.frames import write_name
from services.exchange.table import guard_cell
from services.store.imports import imported_matches
from tests.services.exchange.matches import ALL, LOCAL, all_of, call, exported, finished, lines
from tests.services.people import Table

HARD = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "'quoted", '"', 'a "b" c', "two\nlines",
    "a,b;c", "\u05d0\u05d1\u05d2", "\u0645\u0631\u062d\u0628\u0627",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\ufffe", "\uffff", "a\U0001fffe", "\ufdd0",
    "\u202egnp.exe", "</title><script>", "&amp;", "\x1b[2J", "\x00", " ", "\u2028", "''",
]  # fmt: skip
NAMES = some.sampled_from(HARD) | some.text(
    some.characters(exclude_categories=["Cs"]), min_size=1, max_size=40
)


@pytest.fixture
def migrated_url(migrated_sqlite_url: str) -> str:
    """Keep to SQLite: what names are stored as is bytes on both."""
    return migrated_sqlite_url


@pytest.fixture
def there(house: Services) -> Table:
    there = finished(house)
    call(house, there, "x", "y")
    return there


def _rename(house: Services, there: Table, *names: str) -> dict[str, str]:
    with house.database.write() as connection:
        connection.execute(imported_matches.delete())
    call(house, there, *names)
    return dict(zip((there.first, there.second), names, strict=True))


@given(NAMES, NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_name_survives_every_format(
    house: Services, there: Table, first: str, second: str
) -> None:
    names = _rename(house, there, first, second)
    assert lines(exported(house, there.match))[0]["names"] == names
    whole = orjson.loads(exported(house, there.match, "json"))
    assert whole["header"]["names"] == names
    assert [seat["player"] for seat in whole["match"]["seats"]] == [first, second]
    _check_table(exported(house, there.match, "csv"), names)
    text = exported(house, there.match, "text").decode()
    assert write_name(first) in text
    assert write_name(second) in text
    assert not set(text) & {"\x1b", "\x00", "\r", "\u202e", "\u2028"}
    root = ET.fromstring(exported(house, there.match, "svg"))
    facts = root.find("{http://www.w3.org/2000/svg}metadata")
    assert facts is not None
    assert json.loads(facts.text or "")["names"] == names
    described = root.find("{http://www.w3.org/2000/svg}desc")
    assert described is not None
    assert write_name(first) in (described.text or "")
    assert write_name(second) in (described.text or "")


@given(NAMES, NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_any_name_survives_an_export_of_many_and_a_bundle(
    house: Services, there: Table, first: str, second: str
) -> None:
    names = _rename(house, there, first, second)
    archive = ZipFile(BytesIO(exported(house, there.match, "bundle")))
    assert archive.read(f"{there.match}.ndjson") == exported(house, there.match)
    [header, *_] = lines(all_of(house))
    assert header["names"] == names
    found = house.exports.export_many(LOCAL, ALL, "csv")
    rows = b"".join(b"".join(one.chunks) for one in found)
    _check_table(house.exports.write_head(ALL, "csv") + rows, names)


def test_a_file_is_the_same_in_whatever_order_a_process_finds_names(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = finished(house)
    known = house.accounts.find_names([there.first, there.second])
    made = set()
    for order in [(there.first, there.second), (there.second, there.first)]:
        names = {one: known[one] for one in order}
        monkeypatch.setattr(Accounts, "find_names_in", lambda *_, found=names: found)
        made.add(exported(house, there.match, "json"))
    assert len(made) == 1


def _check_table(table: bytes, names: dict[str, str]) -> None:
    rows = list(csv.DictReader(StringIO(table.decode(), newline="")))
    for row in rows:
        assert not any(
            cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row.values()
        )
    found = {row["player"]: row["name"].removeprefix("'") for row in rows if row["player"]}
    assert found == names


@given(NAMES, NAMES)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10, deadline=None
)
def test_a_png_tells_the_names_too(house: Services, there: Table, first: str, second: str) -> None:
    names = _rename(house, there, first, second)
    png = exported(house, there.match, "png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    start = png.index(b"tEXtComment\x00") + len(b"tEXtComment\x00")
    size = int.from_bytes(png[start - 16 : start - 12], "big") - len(b"Comment\x00")
    assert json.loads(png[start : start + size])["names"] == names


@given(some.text(some.characters(exclude_categories=["Cs"])))
def test_a_cell_and_a_word_can_be_read_back(text: str) -> None:
    assert guard_cell(text).removeprefix("'") == text
    written = write_name(text)
    word = written.removeprefix("\u2068").removesuffix("\u2069")
    assert (json.loads(word) if word.startswith('"') else word) == text
    assert "\n" not in written


def test_names_with_nothing_special_are_written_as_they_are() -> None:
    assert [write_name("ada"), guard_cell("ada"), write_name("Zoë K.")] == ["ada", "ada", "Zoë K."]
