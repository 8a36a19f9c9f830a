"""Where the keys lead in a replay, and what the screen shows."""

from __future__ import annotations

import pytest

from cli.player import HELP, Player, page
from services.looking import Look
from services.replays import Replay
from services.settings import Settings
from services.wiring import wire
from tests.cli.calls import begun
from tests.cli.conftest import Plybook


def after(*keys: str, index: int = 0, playing: bool = False) -> Player:
    player = Player(count=6, index=index, speed=1.0, playing=playing)
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


def test_playing_ends_with_the_last_frame() -> None:
    player = after(index=4, playing=True)
    player.tick()
    assert (player.index, player.playing) == (5, False)


def test_speed_has_bounds() -> None:
    assert after(*["+"] * 30).speed == 20
    assert after(*["-"] * 30).speed == pytest.approx(0.1)


def test_any_key_leaves_the_help_and_does_nothing_else() -> None:
    player = after("?", "right")
    assert (player.helping, player.index) == (False, 0)


@pytest.mark.parametrize("key", ["q", "Q", "\x1b", "\x04"])
def test_a_viewer_gets_out(key: str) -> None:
    assert after(key).done


@pytest.fixture
def replay(plybook: Plybook, database: object) -> Replay:
    match = begun(plybook, "path-capture", "3", "2")
    house = wire(Settings(database_url=str(database)))
    found = house.replays.replay(Look(local=True), match)
    house.close()
    return found


def screen(replay: Replay, player: Player, height: int = 20) -> list[str]:
    return page(replay, player, 80, height).plain.splitlines()


def test_the_screen_is_filled_and_ends_with_a_footer(replay: Replay) -> None:
    shown = screen(replay, Player(3, 1, 1.0, playing=False))
    assert len(shown) == 20
    assert shown[0].startswith("Path Capture  ")
    assert shown[2] == "Event 5 of 6: P1 goes 3 nodes forward to node 3."
    assert shown[-1].startswith("2/3 paused   ")


def test_a_board_that_is_too_tall_is_scrolled_no_further_than_its_end(replay: Replay) -> None:
    player = Player(3, 1, 1.0, playing=False)
    top = screen(replay, player, 8)
    assert top[-1].endswith("up/down scroll")
    for _ in range(50):
        player.press("down")
    bottom = screen(replay, player, 8)
    assert bottom[5].endswith("+ in reach")
    player.press("up")
    assert screen(replay, player, 8)[1:6] == bottom[:5]
    assert top != bottom


def test_the_help_takes_the_whole_screen(replay: Replay) -> None:
    player = after("?")
    assert page(replay, player, 80, 20).plain == HELP


def test_long_names_take_a_second_line(replay: Replay) -> None:
    player = Player(3, 1, 1.0, playing=False)
    assert page(replay, player, 40, 20).plain.splitlines()[1] == "P1 ada against P2 bob"
