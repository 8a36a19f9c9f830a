"""A table with what an analysis says of each move; without being asked for, nothing changes."""

from __future__ import annotations

import csv
from io import StringIO

from domain.json_types import JsonObject
from domain.search.analysis import ENGINE
from services.container import Services
from services.exchange.exports import ExportFilter, ExportRequest
from services.exchange.table import ANALYSIS_COLUMNS, COLUMNS
from services.matches.queries import Asker
from tests.services.exchange.matches import exported
from tests.services.people import Table, table

LOCAL = Asker(local=True)


def played(house: Services) -> Table:
    there = table(house).start("path-capture", {"length": 8})
    there.play(*({"steps": steps} for steps in (1, 3, 3)))
    return there


def analysed(house: Services, match: str) -> None:
    house.analyses.budget = lambda _: 300
    for _ in house.analyses.make(LOCAL, match):
        pass


def rows(house: Services, match: str) -> list[JsonObject]:
    text = exported(house, match, "csv-analysis").decode()
    return list(csv.DictReader(StringIO(text, newline="")))


def test_moves_have_the_columns_of_an_analysis_and_all_other_rows_have_them_empty(
    house: Services,
) -> None:
    there = played(house)
    plain = exported(house, there.match, "csv")
    analysed(house, there.match)
    assert exported(house, there.match, "csv") == plain
    found = rows(house, there.match)
    assert tuple(found[0]) == COLUMNS + ANALYSIS_COLUMNS
    first, *_ = [row for row in found if row["kind"] == "move-made"]
    assert {name: first[name] for name in ANALYSIS_COLUMNS} == {
        "analysis_engine": ENGINE,
        "analysis_kind": "exact",
        "analysis_winner": "1",
        "analysis_margin": "",
        "analysis_plies": "3",
        "analysis_per_mille": "",
        "analysis_best": "'+3 +1 +3",
        "analysis_loss": "1000",
        "analysis_mark": "mistake",
    }
    others = [row for row in found if row["kind"] != "move-made"]
    assert all(row[name] == "" for row in others for name in ANALYSIS_COLUMNS)


def test_without_an_analysis_the_columns_are_empty_and_the_tag_changes_when_there_is_one(
    house: Services,
) -> None:
    there = played(house)
    assert all(row[name] == "" for row in rows(house, there.match) for name in ANALYSIS_COLUMNS)
    wish = ExportRequest("csv-analysis")
    before = house.exports.export_one(LOCAL, there.match, wish).tag
    analysed(house, there.match)
    assert house.exports.export_one(LOCAL, there.match, wish).tag != before


def test_many_matches_have_the_columns_too(house: Services) -> None:
    matches = [played(house).match for _ in range(2)]
    analysed(house, matches[1])
    choice = ExportFilter()
    pieces = [house.exports.write_head(choice, "csv-analysis")]
    for one in house.exports.export_many(LOCAL, choice, "csv-analysis"):
        pieces += one.chunks
    found = list(csv.DictReader(StringIO(b"".join(pieces).decode(), newline="")))
    marked = {row["match"] for row in found if row["analysis_mark"]}
    assert marked == {matches[1]}
