"""Where the keys lead in a replay, and what the screen shows."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import pytest

from cli.replay.navigation import BOARD, HELP, Navigation
from cli.replay.screen import draw_moves, draw_page
from cli.replay.source import find_by_time
from services.container import Services
from services.matches.queries import Asker
from services.replays.keyboard import KEYS, PAGE
from services.replays.replay import Replay
from services.runtime.settings import Settings
from tests.services.people import Table


def after(*keys: str, index: int = 0, playing: bool = False) -> Navigation:
    player = Navigation(count=6, index=index, speed=1.0, playing=playing)
    for key in keys:
        player.press(key)
    return player


@pytest.mark.parametrize(
    ("keys", "index"),
    [
        (("right",), 1),
        (("n", "enter", "l"), 3),
        (("left",), 0),
        (("end",), 5),
        (("end", "right"), 5),
        (("G", "left", "p"), 3),
        (("end", "home"), 0),
        (("z",), 0),
    ],
)
def test_keys_move_through_the_frames_and_stop_at_the_ends(
    keys: tuple[str, ...], index: int
) -> None:
    assert after(*keys).index == index


def test_space_plays_and_pauses_and_starts_again_from_the_end() -> None:
    assert after("space").playing
    assert not after("space", "space").playing
    restarted = after("end", "space")
    assert (restarted.index, restarted.playing) == (0, True)


def test_stepping_by_hand_pauses() -> None:
    assert not after("right", playing=True).playing


def test_a_time_before_all_years_is_no_time() -> None:
    assert find_by_time([], 0, "0001-01-01T00:00+01:00") is None


def test_playing_ends_with_the_last_frame() -> None:
    player = after(index=4, playing=True)
    player.tick()
    assert (player.index, player.playing) == (5, False)


def test_speed_has_bounds() -> None:
    assert after(*["+"] * 30).speed == 20
    assert after(*["-"] * 30).speed == pytest.approx(0.1)


def test_any_key_leaves_the_help_and_does_nothing_else() -> None:
    player = after("?", "right")
    assert (player.panel, player.index) == (BOARD, 0)
    assert after("?", "down").panel == HELP


@pytest.mark.parametrize("key", ["q", "Q", "escape", "ctrl-d"])
def test_a_viewer_gets_out(key: str) -> None:
    assert after(key).done


def test_escape_first_closes_what_is_open() -> None:
    for opening in ("?", "i", "d", "/"):
        player = after(opening, "escape")
        assert (player.done, player.panel, player.prompt) == (False, BOARD, None)


def test_every_action_of_the_table_is_done_here() -> None:
    for one in [one for one in KEYS if one.terminal]:
        for key in one.all:
            before = after(index=2)
            assert after(key, index=2) != before or key in {"]", "["} or one.action == "up", key


def test_pages_go_ten_steps() -> None:
    player = Navigation(count=30, index=12, speed=1.0, playing=False)
    player.press("page-down")
    assert player.index == 12 + PAGE
    player.press("page-up")
    player.press("page-up")
    assert player.index == 2


def test_words_are_typed_corrected_and_sent() -> None:
    player = after("/", "a", "space", "x", "backspace", "q", "enter")
    assert (player.wish, player.typed, player.prompt, player.done) == ("search", "a q", None, False)
    assert after("/", "a", "ctrl-u", "b").typed == "b"
    assert after("/", "right", "\x01").typed == ""


def test_places_found_are_gone_through_in_both_directions() -> None:
    player = after(index=2)
    player.press("]")
    assert player.message == "Search first: /"
    player.found = [1, 3, 5]
    player.press("]")
    player.press("]")
    assert player.index == 5
    player.press("]")
    assert (player.index, player.message) == (5, "No further place.")
    player.press("[")
    assert player.index == 3


def test_who_stands_at_the_end_is_carried_along_and_others_are_told() -> None:
    at_the_end, elsewhere = after("end"), after("right")
    for player in (at_the_end, elsewhere):
        player.grow(8)
        player.grow(9)
    assert (at_the_end.index, at_the_end.news) == (8, 0)
    assert (elsewhere.index, elsewhere.news) == (1, 3)
    elsewhere.press("end")
    assert (elsewhere.index, elsewhere.news) == (8, 0)


@pytest.fixture(scope="module")
def replay(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """Give a replay of two moves, which nobody changes."""
    path = copyfile(sqlite_template, tmp_path_factory.mktemp("replay") / "plybook.sqlite3")
    house = Services(Settings(database_url=str(path)))
    players = (house.accounts.get_local_player(name).id for name in ("ada", "bob"))
    there = Table(house, *players).start("path-capture")
    there.play({"steps": 3}, {"steps": 2})
    found = house.replays.replay(Asker(local=True), there.match)
    house.close()
    return found


def screen(replay: Replay, player: Navigation, height: int = 20) -> list[str]:
    return draw_page(replay, player, 80, height).plain.splitlines()


def test_the_screen_is_filled_and_ends_with_a_footer(replay: Replay) -> None:
    shown = screen(replay, Navigation(3, 1, 1.0, playing=False))
    assert len(shown) == 20
    assert shown[0].startswith("Path Capture  ")
    assert shown[2] == "Move 1 of 2: ada goes 3 nodes forward to node 3."
    assert shown[-1].startswith("@5 paused   ")


def test_a_board_that_is_too_tall_is_scrolled_no_further_than_its_end(replay: Replay) -> None:
    player = Navigation(3, 1, 1.0, playing=False)
    top = screen(replay, player, 8)
    assert top[-1].endswith("up/down scroll")
    for _ in range(50):
        player.press("down")
    bottom = screen(replay, player, 8)
    assert bottom[5].endswith("+ in reach   A is P1   B is P2")
    player.press("up")
    assert screen(replay, player, 8)[1:6] == bottom[:5]
    assert top != bottom


def test_the_help_takes_the_whole_screen_and_has_every_key(replay: Replay) -> None:
    shown = screen(replay, after("?"), 30)
    assert len(shown) == 30
    for one in [one for one in KEYS if one.terminal]:
        assert any(" ".join(one.list_labels(everything=True)) in line for line in shown)
    assert "Press any key to go on." in shown


@pytest.mark.parametrize("width", [6, 20, 40, 71, 72, 80, 120, 200])
@pytest.mark.parametrize("height", [3, 8, 16, 24, 60])
@pytest.mark.parametrize("keys", [(), ("i",), ("d",), ("?",), ("m", "f"), ("/", "a")])
def test_no_size_is_overflowed(
    replay: Replay, width: int, height: int, keys: tuple[str, ...]
) -> None:
    player = Navigation(3, 1, 1.0, playing=False)
    for key in keys:
        player.press(key)
    shown = draw_page(replay, player, width, height, sight="as spectator").split(allow_blank=True)
    assert len(shown) == height
    assert max(line.cell_len for line in shown) <= width


def test_the_moves_stand_beside_the_board_with_the_present_one_marked(replay: Replay) -> None:
    player = Navigation(3, 1, 1.0, playing=False, found=[2], mark=0)
    shown = draw_page(replay, player, 80, 24).plain
    moves = [line.rpartition(" | ")[2] for line in shown.splitlines() if " | " in line][:3]
    assert [line[:4] for line in moves] == [" *  ", "> 1 ", " /2 "]


def test_the_present_move_is_kept_in_view(replay: Replay) -> None:
    first = replay.frames[1]
    frames = [
        first._replace(version=n, view=first.view._replace(ply=n), text=f"step {n}")
        for n in range(1, 101)
    ]
    many = Replay(replay.shown, frames)
    for index in (0, 3, 50, 97, 99):
        player = Navigation(100, index, 1.0, playing=False)
        shown = draw_moves(many, player, 10, 30)
        assert len(shown) == 10
        assert [line.plain for line in shown if line.plain.startswith(">")] == [
            f"> {index + 1:>3}  step {index + 1}"
        ]


def test_where_it_is_narrow_the_moves_stand_below(replay: Replay) -> None:
    player = Navigation(3, 1, 1.0, playing=False)
    shown = draw_page(replay, player, 60, 40).plain.splitlines()
    assert [line[:4] for line in shown if line.startswith("> ")] == ["> 1 "]


def test_the_event_is_shown_whole_with_what_became_of_its_hash(
    replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = screen(replay, after("right", "i"), 60)
    event = replay.frames[1].event
    assert event is not None
    text = "\n".join(shown)
    assert f"hash     {event['hash']}" in text
    assert "it is the SHA-256 of what is shown" in text
    assert "Nothing is sealed in it." in text
    monkeypatch.setitem(event, "at", "2020-01-01T00:00:00.000000Z")
    assert "IT IS NOT THAT OF WHAT IS SHOWN" in "\n".join(screen(replay, after("right", "i"), 60))
    first = "\n".join(screen(replay, after("i"), 400))
    assert "events led to the position before the first move." in first
    for number, kind in enumerate(("match-created", "seat-taken", "seat-taken"), 1):
        assert f"Event {number}: {kind}" in first
    assert "Seal 1, for server" in first


def test_differences_are_to_the_step_before_or_to_the_marked_one(replay: Replay) -> None:
    shown = screen(replay, Navigation(3, 2, 1.0, playing=False, panel="differences"), 40)
    assert "Move 1 (@5) -> Move 2 (@6)" in shown
    assert "  players.1.node: 10 -> 8" in shown
    marked = Navigation(3, 2, 1.0, playing=False, panel="differences", mark=0)
    shown = screen(replay, marked, 40)
    assert "Before the first move (@4) -> Move 2 (@6)" in shown
    assert "  players.0.node: 0 -> 3" in shown


def test_long_names_take_a_second_line(replay: Replay) -> None:
    player = Navigation(3, 1, 1.0, playing=False)
    assert draw_page(replay, player, 40, 20).plain.splitlines()[1] == "P1 ada against P2 bob"
