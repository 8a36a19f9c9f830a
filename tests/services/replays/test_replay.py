"""Replays: the right frames, for the right eyes."""

import pytest

from domain.errors import NotYourSeat
from services.container import Services
from services.errors import InvalidRequest
from services.matches.queries import Asker
from services.replays.replay import frame_json
from tests.services.people import Table, table


@pytest.fixture
def there(house: Services) -> Table:
    seated = table(house).start()
    seated.play({"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3})
    return seated


def test_frame_0_stands_before_the_first_move_and_then_one_follows_per_event(
    house: Services, there: Table
) -> None:
    frames = house.replays.replay(Asker(), there.match).frames
    assert [frame.version for frame in frames] == [4, 5, 6, 7, 8, 9]
    assert frames[0].event is None
    assert [frame.event["version"] for frame in frames[1:] if frame.event] == [5, 6, 7, 8, 9]
    first, last = frame_json(frames[0]), frame_json(frames[-1])
    assert first["state"] == {"players": [{"node": 0}, {"node": 10}]}
    assert (first["to_act"], last["to_act"]) == (1, None)
    assert last["text"] == "P2 wins (capture)."


def test_a_part_of_a_replay_is_the_same_as_in_the_whole(house: Services, there: Table) -> None:
    whole = house.replays.replay(Asker(), there.match).frames
    part = house.replays.replay(Asker(), there.match, first=6, last=8).frames
    assert part == [frame for frame in whole if 6 <= frame.version <= 8]


def test_a_replay_that_ends_before_it_begins_is_refused(house: Services, there: Table) -> None:
    with pytest.raises(InvalidRequest):
        house.replays.replay(Asker(), there.match, first=8, last=6)


def test_an_open_match_has_one_frame_without_a_state(house: Services) -> None:
    from services.matches.requests import ChangeRequest, NewMatch

    match = house.matches.create(
        ChangeRequest(table(house).first), NewMatch("path-capture")
    ).shown.view.id
    [frame] = house.replays.replay(Asker(), match).frames
    assert frame_json(frame)["state"] is None


def test_a_match_resigned_before_any_move_ends_in_its_second_frame(house: Services) -> None:
    there = table(house).start()
    there.act(1, "resign")
    texts = [frame.text for frame in house.replays.replay(Asker(), there.match).frames]
    assert texts == ["The position before the first move.", "P1 resigns; P2 wins."]


def test_while_a_match_runs_nobody_borrows_the_eyes_of_a_seat(house: Services) -> None:
    there = table(house).start("whisper")
    for caller, asked in ((None, "seat-1"), (there.second, "seat-1"), (there.first, "seat-2")):
        with pytest.raises(NotYourSeat):
            house.replays.replay(Asker(caller, asked), there.match)
    assert house.replays.replay(Asker(there.first, "seat-1"), there.match)
    assert house.replays.replay(Asker(there.first, "spectator"), there.match)


def test_a_replay_shows_everything_once_it_is_over_and_the_eyes_of_then_if_asked(
    house: Services,
) -> None:
    there = table(house).start("whisper")
    while (seat := there.shown().view.to_act) is not None:
        look = Asker(there.player(seat))
        moves = [entry["move"] for entry in house.queries.list_legal_moves(look, there.match).moves]
        there.play(next((move for move in moves if move["action"] == "whisper"), moves[0]))
    everything = house.replays.replay(Asker(), there.match).frames
    spectator = house.replays.replay(Asker(asked="spectator"), there.match).frames
    assert len(everything) == len(spectator)
    assert frame_json(everything[1])["state"] != frame_json(spectator[1])["state"]
    sealed = [entry for frame in everything if frame.event for entry in frame.event["sealed"]]
    assert sealed
    assert all("value" in entry for entry in sealed)
    for frame in spectator[:-1]:
        assert not [
            entry for entry in (frame.event or {"sealed": []})["sealed"] if "value" in entry
        ]
