"""Moving, resigning, aborting, and looking at what was played: on both databases."""

import pytest

from services.container import Services
from tests.web.people import Person, play_out, problem

GAMES = ("path-capture", "power-line", "energy-capture", "grid-power")


def test_a_move_answers_with_the_match_and_what_it_led_to(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    answer = ada.move(match)
    assert (answer.status_code, set(answer.json)) == (201, {"match", "events"})
    after, events = answer.json["match"], answer.json["events"]
    assert [event["kind"] for event in events] == ["move-made"]
    assert events[-1]["version"] == after["version"] == match["version"] + 1
    assert (after["to_act"], after["ply"]) == (2, 1)
    assert answer.headers["ETag"].startswith(f'"{after["version"]}.')
    assert ada.look(match) == after


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_over_http(game: str, ada: Person, bob: Person) -> None:
    ended = play_out(ada.start(bob, game), ada, bob)
    assert ended["status"] == "finished"
    assert set(ended["result"]) == {"winner", "reason"}
    assert ended["to_act"] is None
    moves = ada.get(f"/matches/{ended['id']}/legal-moves").json
    assert (moves["moves"], moves["seat"]) == ([], 1)


@pytest.mark.parametrize("given", ['"{}"', 'W/"{}"', '"{}.0123abc"', 'W/"{}.0123abc"'])
def test_if_match_compares_the_number_only(given: str, ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    body = {"move": ada.legal(match)[0]["move"]}
    path = f"/matches/{match['id']}/moves"
    stale = {"If-Match": given.format(match["version"] - 1)}
    assert ada.ask("POST", path, stale, json=body).status_code == 412
    fresh = {"If-Match": given.format(match["version"])}
    assert ada.ask("POST", path, fresh, json=body).status_code == 201


def test_the_body_may_say_the_version_and_must_not_contradict_the_header(
    ada: Person, bob: Person
) -> None:
    match = ada.start(bob)
    version = match["version"]
    body = {"move": ada.legal(match)[0]["move"], "expected_version": version}
    path = f"/matches/{match['id']}/moves"
    problem(ada.post(path, body, version=version + 1), 400, "malformed-request")
    assert ada.ask("POST", path, {"If-Match": "*"}, json=body).status_code == 201
    reply = {"move": bob.legal(match)[0]["move"], "expected_version": version + 1}
    assert bob.post(path, reply, version=version + 1).status_code == 201


def test_without_a_version_nothing_is_decided(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    path, body = f"/matches/{match['id']}/moves", {"move": ada.legal(match)[0]["move"]}
    problem(ada.post(path, body), 428, "precondition-required")
    problem(ada.ask("POST", path, {"If-Match": "*"}, json=body), 428, "precondition-required")
    actions = f"/matches/{match['id']}/actions"
    problem(ada.post(actions, {"action": "resign"}), 428, "precondition-required")
    assert ada.look(match) == ada.look(match) | {"version": match["version"]}


def test_a_stale_version_is_told_the_present_one(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    body = problem(ada.move(match, version=1), 412, "stale-version")
    assert body["version"] == match["version"]


def test_a_player_may_resign_out_of_turn(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    answer = bob.act(match, "resign")
    assert answer.status_code == 201
    assert answer.json["match"]["result"] == {"winner": 1, "reason": "resignation"}
    assert [event["kind"] for event in answer.json["events"]] == ["match-ended"]


def test_a_match_is_aborted_by_one_player_only_early(ada: Person, bob: Person) -> None:
    early = ada.start(bob)
    assert ada.act(early, "abort").json["match"]["status"] == "aborted"
    late = ada.start(bob)
    ada.move(late)
    bob.move(late)
    problem(ada.act(late, "abort"), 409, "too-late-to-abort")


def test_an_administrator_may_abort_a_match_of_others_late(
    ada: Person, bob: Person, eve: Person, house: Services
) -> None:
    match = ada.start(bob)
    ada.move(match)
    bob.move(match)
    problem(eve.act(match, "abort"), 403, "not-your-seat")
    house.accounts.set_admin("eve", admin=True)
    admin = eve.with_scopes("match:read", "match:play", "admin")
    answer = admin.act(match, "abort")
    assert answer.json["match"]["result"] == {"winner": None, "reason": "administrator"}


def test_legal_moves_are_for_the_seat_to_act(ada: Person, bob: Person, anyone: Person) -> None:
    match = ada.start(bob)
    path = f"/matches/{match['id']}/legal-moves"
    listed = ada.get(path).json
    assert (listed["version"], listed["seat"]) == (match["version"], 1)
    assert set(listed["moves"][0]) == {"move", "text", "path"}
    assert bob.get(path).json == {"version": match["version"], "seat": 2, "moves": []}
    problem(anyone.get(path), 401, "unauthenticated")


def test_a_replay_has_a_frame_before_the_first_move_and_one_an_event(
    ada: Person, bob: Person
) -> None:
    ended = play_out(ada.start(bob), ada, bob)
    replay = ada.get(f"/matches/{ended['id']}/replay").json
    versions = [frame["version"] for frame in replay["frames"]]
    assert versions == list(range(4, ended["version"] + 1))
    assert replay["frames"][0]["event"] is None
    assert replay["match"] == ended
    members = {"version", "ply", "event", "state", "to_act", "text"}
    assert set(replay["frames"][0]) == members
    assert set(replay["frames"][1]) == {*members, "seconds"}
    part = ada.get(f"/matches/{ended['id']}/replay?from=5&to=6").json["frames"]
    assert [frame["version"] for frame in part] == [5, 6]
    problem(ada.get(f"/matches/{ended['id']}/replay?from=6&to=5"), 400, "malformed-request")


def test_a_match_is_shown_as_it_was(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    ada.move(match)
    before = ada.get(f"/matches/{match['id']}?version={match['version']}").json
    assert (before["version"], before["ply"], before["to_act"]) == (match["version"], 0, 1)
    problem(ada.get(f"/matches/{match['id']}?version=99"), 404, "not-found")
    problem(ada.get(f"/matches/{match['id']}?version=0"), 400, "malformed-request")


def test_a_scene_comes_along_where_it_is_asked_for(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    ada.move(match)
    path = f"/matches/{match['id']}"
    assert "scene" not in ada.get(path).json
    scene = ada.get(f"{path}?scene=true").json["scene"]
    assert scene["zones"][0]["spaces"]
    frames = ada.get(f"{path}/replay?scene=true").json["frames"]
    assert frames[-1]["scene"] == scene
    assert ada.get(f"/matches/{ada.create()['id']}?scene=true").json["scene"] is None
    problem(ada.get(f"{path}?scene=yes"), 400, "malformed-request")


def test_a_scene_shows_no_more_than_the_state(ada: Person, bob: Person) -> None:
    match = ada.start(bob, "whisper")
    path = f"/matches/{match['id']}?scene=true"
    own, others = ada.get(path).json["scene"], bob.get(path).json["scene"]
    hands = [zone for zone in own["zones"] if zone["hidden_count"]]
    assert hands
    assert own != others
