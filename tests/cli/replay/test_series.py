"""A replay goes on from match to match of a series: by its keys, by itself, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from cli.replay.navigation import Navigation
from cli.replay.screen import draw_page
from cli.replay.source import StoredReplay
from cli.replay.watch import Watching
from cli.terminal.output import Output
from services.container import Services
from services.matches.queries import Asker
from services.runtime.settings import Settings
from tests.cli.calls import Plybook, lines
from tests.services.matches.test_series import on
from tests.services.people import Table, table


@pytest.fixture(scope="module")
def path(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(copyfile(sqlite_template, tmp_path_factory.mktemp("series") / "plybook.sqlite3"))


@pytest.fixture(scope="module")
def house(path: Path) -> Iterator[Services]:
    made = Services(Settings(database_url=str(path)))
    yield made
    made.close()


@pytest.fixture(scope="module")
def matches(house: Services) -> list[Table]:
    """Give a series of cards: two matches that are over, and a third one that runs."""
    first = table(house).start("power-lines", series={"length": 3})
    first.act(1, "resign")
    second = on(first)
    second.act(1, "resign")
    return [first, second, on(second)]


def watching(house: Services, match: str, asked: str | None = None) -> Watching:
    source = StoredReplay(house, match, asked)
    found = source.load()
    return Watching(
        source, found, Navigation(len(found.frames), 0, 1.0, playing=False), follow=False
    )


def press(watched: Watching, *keys: str) -> None:
    for key in keys:
        watched.player.press(key)
        watched._grant(Output())  # noqa: SLF001 - what the screen does behind each key


def plays(watched: Watching) -> bool:
    return watched.player.playing


def place(watched: Watching) -> tuple[int, int]:
    """Return the number of the match that is shown, and the frame."""
    series = watched.found.shown.view.series
    assert series is not None
    return series["number"], watched.player.index


def test_steps_beyond_the_ends_lead_to_the_next_match_and_back(
    house: Services, matches: list[Table]
) -> None:
    watched = watching(house, matches[0].match)
    press(watched, "left")
    assert place(watched) == (1, 0)
    assert watched.player.message == "No match of this series came before."
    press(watched, "end", "right")
    assert place(watched) == (2, 0)
    shown = draw_page(watched.found, watched.player, 80, 24).plain
    assert "match 2 of a series" in shown
    assert "This is match 2 of the series." in shown
    press(watched, "left")
    assert place(watched) == (1, len(watched.found.frames) - 1)
    press(watched, ">", ">")
    assert place(watched) == (3, 0)
    press(watched, "end", "right")
    assert place(watched) == (3, len(watched.found.frames) - 1)
    assert watched.player.message == "No further match of this series has begun."
    press(watched, "<")
    assert place(watched) == (2, len(watched.found.frames) - 1)


def test_playing_goes_on_with_the_next_match_and_stops_in_one_that_runs(
    house: Services, matches: list[Table]
) -> None:
    watched = watching(house, matches[1].match)
    press(watched, "space")
    for _ in range(len(watched.found.frames)):
        assert place(watched)[0] == 2
        watched.player.tick()
        watched._grant(Output())  # noqa: SLF001 - as above
    assert place(watched) == (3, 0)
    assert plays(watched)
    for _ in watched.found.frames:
        watched.player.tick()
    assert not plays(watched)
    assert watched.player.wish is None


def test_a_match_alone_leads_nowhere(house: Services) -> None:
    watched = watching(house, table(house).start().match)
    press(watched, "left")
    assert (watched.player.index, watched.player.message) == (0, "")
    press(watched, ">")
    assert watched.player.message == "This match is of no series."


@pytest.mark.parametrize(
    ("asked", "eyes"),
    [
        (None, "as spectator"),
        ("seat-1", "as seat-1"),
        ("seat-2", "as seat-2"),
        ("spectator", "as spectator"),
    ],
)
def test_the_eyes_are_those_of_the_same_player(
    house: Services, matches: list[Table], asked: str | None, eyes: str
) -> None:
    """In the third match of a series everybody sits where they sat in the first one."""
    watched = watching(house, matches[0].match, asked)
    press(watched, ">")
    other = {"as seat-1": "as seat-2", "as seat-2": "as seat-1"}
    everything = "everything" if asked is None else eyes
    assert watched.source.describe_sight(watched.found) == other.get(eyes, everything)
    press(watched, ">")
    assert watched.source.describe_sight(watched.found) == eyes


def test_who_saw_everything_of_a_match_that_is_over_sees_no_hand_in_the_next(
    house: Services, matches: list[Table]
) -> None:
    watched = watching(house, matches[1].match)
    for _ in range(2):
        press(watched, "s")
    assert watched.source.describe_sight(watched.found) == "as seat-2"
    press(watched, ">")
    assert watched.source.describe_sight(watched.found) == "as spectator"
    shown = watched.found.shown.view
    assert shown == house.queries.show(Asker(local=True), matches[2].match).view


def test_line_by_line_the_next_match_follows_on_the_last_frame(
    path: Path, matches: list[Table], plybook: Plybook
) -> None:
    last = matches[0].version
    words = ("--database", str(path), "replay", f"{matches[0].match}@{last}", "--step")
    on_to = "Enter: on to the next match, q: quit > "
    left = plybook(*words, typed=lines("q"))
    assert left.stdout.endswith(on_to)
    gone = plybook(*words, typed=lines("", "q")).stdout
    assert f"{matches[1].match}  match 2 of a series" in gone
    alone = plybook(
        "--database", str(path), "replay", f"{matches[2].match}", "--step", typed=lines(*[""] * 9)
    )
    assert on_to not in alone.stdout
