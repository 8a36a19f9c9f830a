"""``plybook ratings`` as it is called."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from services.container import Services
from services.runtime.settings import Settings
from tests.cli.calls import Plybook, json_lines
from tests.services.ratings.test_rated_matches import played, rate


@pytest.fixture
def rated(database: Path) -> str:
    """Give the last of five rated matches that ada has won."""
    house = Services(Settings(database_url=str(database)))
    matches = [played(house, "ada", "bob") for _ in range(5)]
    rate(house)
    house.close()
    return matches[-1]


@pytest.mark.usefixtures("rated")
def test_a_leaderboard_is_a_line_a_player(plybook: Plybook) -> None:
    first, second = plybook("ratings", "path-capture").stdout.splitlines()
    assert (first.split()[:2], second.split()[:2]) == (["1", "ada"], ["2", "bob"])
    assert "5 matches, the last on" in first
    told = json_lines(plybook("ratings", "path-capture", "--json"))
    assert [one["rank"] for one in told] == [1, 2]
    rows = list(csv.DictReader(StringIO(plybook("ratings", "path-capture", "--csv").stdout)))
    assert [row["rating"] for row in rows] == [str(one["rating"]) for one in told]


def test_a_history_is_a_line_a_match(plybook: Plybook, rated: str) -> None:
    told = plybook("ratings", "path-capture", "--player", "ADA").stdout.splitlines()
    assert len(told) == 5
    assert "won   against bob" in told[0]
    assert " 1500? -> 1662?" in told[0]
    assert rated in told[-1]
    table = plybook("ratings", "path-capture", "--player", "ada", "--csv").stdout
    rows = list(csv.DictReader(StringIO(table)))
    assert rows[0]["after_rating"] == rows[1]["before_rating"] == "166231"


def test_where_there_is_none_that_is_said(plybook: Plybook) -> None:
    result = plybook("ratings", "path-capture")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Nobody has played enough rated matches" in result.stderr
    assert plybook("ratings", "chess").exit_code == 4
    assert plybook("ratings", "path-capture", "--player", "nobody").exit_code == 4
    assert plybook("ratings", "path-capture", "--csv", "--json").exit_code == 2
