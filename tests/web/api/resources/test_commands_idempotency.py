"""Requests that may be repeated: on both databases."""

from tests.web.people import Person, problem

ON_BOTH_DATABASES = True


def test_a_repeated_move_is_made_once_and_answered_alike(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    move = ada.legal(match)[0]["move"]
    first = ada.move(match, move, key="k1", version=match["version"])
    again = ada.move(match, move, key="k1", version=match["version"])
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.data == first.data
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.content_type == "application/json"
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert ada.look(match)["version"] == match["version"] + 1


def test_a_repeated_creation_and_joining_are_done_once(ada: Person, bob: Person) -> None:
    body = {"game": "path-capture"}
    first, again = (ada.post("/matches", body, key="new") for _ in range(2))
    assert first.data == again.data
    assert first.headers["Location"] == again.headers["Location"]
    path = f"/matches/{first.json['id']}/join"
    joined = [bob.post(path, key="join") for _ in range(2)]
    assert [answer.status_code for answer in joined] == [200, 200]
    assert joined[0].data == joined[1].data
    assert len(ada.get("/matches").json["matches"]) == 1


def test_a_key_is_for_one_request_only(ada: Person, bob: Person) -> None:
    match, other = ada.start(bob), ada.start(bob)
    moves = [legal["move"] for legal in ada.legal(match)]
    version = match["version"]
    ada.move(match, moves[0], key="k", version=version)
    for answer in (
        ada.move(match, moves[1], key="k", version=version),
        ada.move(other, moves[0], key="k", version=version),
        ada.move(match, moves[0], key="k", version=version + 1),
    ):
        problem(answer, 422, "idempotency-key-reused")
    assert ada.look(other)["ply"] == 0


def test_a_key_belongs_to_the_player(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    assert ada.move(match, key="k").status_code == 201
    answer = bob.move(match, key="k")
    assert answer.status_code == 201
    assert "Idempotent-Replayed" not in answer.headers


def test_a_refusal_is_not_stored(ada: Person, bob: Person) -> None:
    match = ada.start(bob)
    move = {"steps": 2}
    problem(bob.move(match, move, key="k", version=match["version"]), 409, "not-your-turn")
    problem(ada.move(match, {"steps": 9}, key="k", version=4), 422, "illegal-move")
    assert ada.move(match, move, key="k", version=match["version"]).status_code == 201


def test_a_key_that_is_none_is_malformed(ada: Person) -> None:
    for key in ("", " ", "a b", "ä", "x" * 201):
        headers = {"Idempotency-Key": key}
        answer = ada.ask("POST", "/matches", headers, json={"game": "path-capture"})
        body = problem(answer, 400, "malformed-request")
        assert body["errors"][0]["header"] == "Idempotency-Key", key
        assert ada.get("/matches").json["matches"] == [], key
