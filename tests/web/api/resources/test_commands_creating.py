"""Creating, finding and joining matches: on both databases."""

from domain.json_types import JsonObject
from tests.web.people import Person, problem

CONTRIBUTION = "0123456789abcdef" * 4


ON_BOTH_DATABASES = True


def test_a_new_match_is_open_and_says_where_it_is(ada: Person) -> None:
    answer = ada.post("/matches", {"game": "path-capture", "seat": 2, "options": {"length": 7}})
    match = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/matches/{match['id']}"
    assert answer.headers["ETag"].startswith(f'"{match["version"]}.')
    assert (match["status"], match["state"], match["you"]) == ("open", None, 2)
    assert match["seats"] == [
        {"seat": 1, "player": None, "house": None},
        {"seat": 2, "player": "ada", "house": None},
    ]
    assert match["options"] == {"length": 7}
    assert ada.get(answer.headers["Location"]).json == match


def test_a_match_has_exactly_the_members_of_the_contract(ada: Person) -> None:
    match = ada.create()
    assert list(match) == [
        "id", "game", "rules_version", "options", "status", "visibility", "rated", "version",
        "seats", "opponent", "you", "to_act", "ply", "pace", "series", "deadline", "result",
        "state", "offers", "created_at", "updated_at",
    ]  # fmt: skip


def test_joining_starts_the_match(ada: Person, bob: Person) -> None:
    match = ada.create()
    answer = bob.post(f"/matches/{match['id']}/join")
    joined = answer.json
    assert (answer.status_code, joined["status"], joined["you"]) == (200, "active", 2)
    assert joined["to_act"] == 1
    assert answer.headers["ETag"].startswith(f'"{joined["version"]}.')


def test_a_random_seat_is_the_default_and_drawn_in_the_open(ada: Person) -> None:
    match = ada.post("/matches", {"game": "path-capture", "seat": "random"}).json
    events = ada.get(f"/matches/{match['id']}/events").json["events"]
    assert [event["kind"] for event in events] == ["match-created", "chance-drawn", "seat-taken"]
    assert events[1]["data"] == {"draw": 0, "purpose": "seat", "outcome": match["you"]}


def test_a_contribution_comes_with_joining_or_by_an_action_while_open(
    ada: Person, bob: Person
) -> None:
    match = ada.create("energy-capture")
    assert ada.act(match, "contribute", contribution=CONTRIBUTION).status_code == 201
    problem(ada.act(match, "contribute", contribution=CONTRIBUTION), 409, "already-contributed")
    answer = bob.post(f"/matches/{match['id']}/join", {"contribution": CONTRIBUTION})
    assert answer.status_code == 200
    events = ada.get(f"/matches/{match['id']}/events").json["events"]
    given = [event["data"]["seat"] for event in events if event["kind"] == "dice-contributed"]
    assert given == [1, 2]
    problem(bob.act(match, "contribute", contribution=CONTRIBUTION), 409, "match-not-open")


def test_a_challenge_is_for_the_one_who_was_challenged(
    ada: Person, bob: Person, eve: Person
) -> None:
    match = ada.create(opponent="BOB")
    assert match["opponent"] == "bob"
    problem(eve.post(f"/matches/{match['id']}/join"), 409, "seat-reserved")
    problem(ada.post(f"/matches/{match['id']}/join"), 409, "own-match")
    assert bob.post(f"/matches/{match['id']}/join").status_code == 200
    problem(eve.post(f"/matches/{match['id']}/join"), 409, "seat-reserved")


def test_a_private_match_is_not_there_for_others(
    ada: Person, bob: Person, eve: Person, anyone: Person
) -> None:
    match = ada.create(opponent="bob", visibility="private")
    bob.post(f"/matches/{match['id']}/join")
    paths = ("", "/events", "/replay", "/legal-moves", "/stream")
    for path in paths:
        problem(eve.get(f"/matches/{match['id']}{path}"), 404, "not-found")
    for path in ("", "/events", "/replay", "/stream"):
        problem(anyone.get(f"/matches/{match['id']}{path}"), 404, "not-found")
    problem(eve.post(f"/matches/{match['id']}/join"), 404, "not-found")
    problem(eve.post(f"/matches/{match['id']}/moves", {"move": {}}, version=4), 404, "not-found")
    assert eve.get("/matches?player=ada").json["matches"] == []
    assert [one["id"] for one in bob.get("/matches?mine=true").json["matches"]] == [match["id"]]


IMPOSSIBLE: list[tuple[JsonObject, int, str]] = [
    ({"game": "chess"}, 404, "not-found"),
    ({"game": "path-capture", "options": {"length": 3}}, 422, "invalid-options"),
    ({"game": "path-capture", "options": {"width": 3}}, 422, "invalid-options"),
    ({"game": "path-capture", "options": 5}, 422, "invalid-options"),
    ({"game": "path-capture", "settings": {"deck": []}}, 422, "invalid-settings"),
    ({"game": "path-capture", "opponent": "nobody"}, 422, "unknown-opponent"),
    ({"game": "path-capture", "opponent": "ada"}, 422, "unknown-opponent"),
    ({"game": "path-capture", "visibility": "private"}, 400, "malformed-request"),
    ({"game": "path-capture", "visibility": "secret"}, 400, "malformed-request"),
    ({"game": "path-capture", "seat": 3}, 400, "malformed-request"),
    ({"game": "path-capture", "seat": True}, 400, "malformed-request"),
    ({"game": "path-capture", "seat": None}, 400, "malformed-request"),
    ({"game": "path-capture", "rated": 1}, 400, "malformed-request"),
    ({"game": "path-capture", "pace": "7d"}, 400, "malformed-request"),
    ({"game": 5}, 400, "malformed-request"),
    ({}, 400, "malformed-request"),
    ({"game": "path-capture", "colour": "red"}, 400, "malformed-request"),
]


def test_a_match_that_cannot_be_is_refused_and_none_is_there(ada: Person) -> None:
    for body, status, code in IMPOSSIBLE:
        answer = ada.post("/matches", body)
        assert (answer.status_code, answer.json["code"]) == (status, code), body
        problem(answer, status, code)
        assert ada.get("/matches?mine=true").json["matches"] == [], body


def test_lists_are_filtered_and_paged_without_gaps(ada: Person, bob: Person) -> None:
    made = [ada.create()["id"] for _ in range(5)]
    running = ada.start(bob, "power-line")
    seen: list[str] = []
    path = "/matches?limit=2&sort=created"
    while True:
        answer = ada.get(path)
        seen += [match["id"] for match in answer.json["matches"]]
        if answer.json["next_cursor"] is None:
            assert "Link" not in answer.headers
            break
        link = answer.headers["Link"]
        assert link.endswith('; rel="next"')
        path = link[1 : link.index(">")]
    assert seen == [running["id"], *reversed(made)]

    def found(query: str) -> list[str]:
        return [match["id"] for match in ada.get(f"/matches?{query}").json["matches"]]

    assert found("status=active") == found("game=power-line") == [running["id"]]
    assert found("player=bob") == found("to_act=ada") == [running["id"]]
    assert found("to_act=bob") == found("player=nobody") == []
    assert len(found("mine=true")) == 6


NO_QUERIES = [
    "limit=0", "limit=101", "limit=x", "limit=+5", "limit=1&limit=2", "cursor=nonsense", "cursor=",
    "status=closed", "sort=name", "mine=yes", "page=2", "player=%00",
]  # fmt: skip


def test_a_list_that_cannot_be_is_malformed(ada: Person) -> None:
    for query in NO_QUERIES:
        body = problem(ada.get(f"/matches?{query}"), 400, "malformed-request")
        assert body["errors"][0]["parameter"] == query.partition("=")[0], query
