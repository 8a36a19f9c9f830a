"""Everything that can be wrong with a request about a match, walked through on every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.matches.actions import ACTIONS
from tests.web.people import Person, play_out, problem

GAMES = ("energy-capture", "grid-power", "path-capture", "power-line", "whisper")

MALFORMED: list[Any] = [
    None, 5, "x", [], True, {}, {"action": "fly"}, {"action": None}, {"steps": "1"},
    {"steps": True}, {"steps": 1.0}, {"unknown": 1}, {"action": ["x"]}, {"": {}},
]  # fmt: skip

DEEP = '{"move": ' + '{"action": ' * 400 + "1" + "}" * 401


@pytest.fixture
def events_of(house: Services) -> Callable[[JsonObject], list[str]]:
    """Give a function that tells the hashes of a match's events, as the store has them."""

    def hashes(match: JsonObject) -> list[str]:
        from services.matches.queries import Asker

        page = house.queries.show_events(Asker(local=True), match["id"])
        return [event["hash"] for event in page.events]

    return hashes


class Walk:
    """Wrong requests about one match, each of which must change nothing."""

    def __init__(self, match: JsonObject, events_of: Callable[[JsonObject], list[str]]) -> None:
        self.match = match
        self.path = f"/matches/{match['id']}"
        self.events_of = events_of
        self.before = events_of(match)

    def refused(self, answer: Any, status: int, code: str) -> JsonObject:  # noqa: ANN401
        body = problem(answer, status, code)
        assert body["detail"].endswith("."), body["detail"]
        assert self.events_of(self.match) == self.before
        return body


def test_malformed_moves_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        mover = (ada, bob)[match["to_act"] - 1]
        for move in MALFORMED:
            body = {"move": move}
            answer = mover.post(f"{walk.path}/moves", body, version=match["version"])
            code = (400, "malformed-request") if move is None else (422, "malformed-move")
            fault = walk.refused(answer, *code)
            assert fault["errors"][0]["pointer"].startswith("/move")


def test_malformed_envelopes_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        mover = (ada, bob)[match["to_act"] - 1]
        move, version = mover.legal(match)[0]["move"], match["version"]
        envelopes: tuple[Any, ...] = (
            {}, [], "move", 5, {"move": move, "moves": move},
            {"move": move, "expected_version": "4"},
            {"move": move, "expected_version": True}, {"move": move, "expected_version": -1},
            {"move": move, "expected_version": 1.0}, {"move": move, "expected_version": 2**70},
        )  # fmt: skip
        for body in envelopes:
            answer = mover.post(f"{walk.path}/moves", body, version=version)
            walk.refused(answer, 400, "malformed-request")
        for raw in (b"", b"{", b"\xff\xfe", b'"\\ud800"', b'{"move": NaN}', DEEP.encode(), b"null"):
            answer = mover.ask(
                "POST", f"{walk.path}/moves", data=raw, content_type="application/json"
            )
            walk.refused(answer, *_expected_of(raw))
        for given in ("5", "five", '"x"', '"1", "2"', '"-1"', '"5"x', '"' + "9" * 40 + '"'):
            answer = mover.ask(
                "POST", f"{walk.path}/moves", {"If-Match": given}, json={"move": move}
            )
            fault = walk.refused(answer, 400, "malformed-request")
            assert fault["errors"][0]["header"] == "If-Match"
        walk.refused(
            mover.post(f"{walk.path}/moves?x=1", {"move": move}, version=version),
            400,
            "malformed-request",
        )


def _expected_of(raw: bytes) -> tuple[int, str]:
    # The deep one is JSON, and its move is for the game to refuse.
    return (422, "malformed-move") if raw == DEEP.encode() else (400, "malformed-request")


def test_illegal_moves_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        mover = (ada, bob)[match["to_act"] - 1]
        legal = mover.legal(match)[0]["move"]
        for name, value in legal.items():
            if type(value) is not int:
                continue
            for wrong in (-1, 99, 2**53 - 1, -(2**63)):
                answer = mover.post(
                    f"{walk.path}/moves", {"move": {**legal, name: wrong}}, version=match["version"]
                )
                fault = walk.refused(answer, 422, "illegal-move")
                assert fault["errors"][0]["pointer"].startswith("/move")


def test_stale_and_missing_versions_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        mover = (ada, bob)[match["to_act"] - 1]
        move = mover.legal(match)[0]["move"]
        for version in (0, 1, match["version"] - 1, match["version"] + 1, 10**8):
            stale = walk.refused(mover.move(match, move, version=version), 412, "stale-version")
            assert stale["version"] == match["version"]
        walk.refused(mover.post(f"{walk.path}/moves", {"move": move}), 428, "precondition-required")


def test_moves_of_others_are_refused(
    ada: Person,
    bob: Person,
    eve: Person,
    anyone: Person,
    events_of: Callable[[JsonObject], list[str]],
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        people = (ada, bob)
        mover, waiting = people[match["to_act"] - 1], people[2 - match["to_act"]]
        move = mover.legal(match)[0]["move"]
        version = match["version"]
        walk.refused(waiting.move(match, move, version=version), 409, "not-your-turn")
        walk.refused(eve.move(match, move, version=version), 403, "not-your-seat")
        walk.refused(anyone.move(match, move, version=version), 401, "unauthenticated")
        reader = mover.with_scopes("match:read")
        walk.refused(reader.move(match, move, version=version), 403, "missing-scope")
        for action in ("resign", "abort"):
            walk.refused(eve.act(match, action), 403, "not-your-seat")
        walk.refused(eve.post(f"{walk.path}/join"), 409, "match-not-open")
        walk.refused(waiting.post(f"{walk.path}/join"), 409, "own-match")


def test_oversized_and_foreign_bodies_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        mover = (ada, bob)[match["to_act"] - 1]
        long = {"move": {"action": "x" * 70_000}}
        walk.refused(
            mover.post(f"{walk.path}/moves", long, version=match["version"]),
            413,
            "payload-too-large",
        )
        for kind in (
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; a=b",
            "",
        ):
            answer = mover.ask(
                "POST", f"{walk.path}/moves", data=b'{"move": {}}', content_type=kind
            )
            walk.refused(answer, 415, "unsupported-media-type")


def test_actions_that_there_are_not_are_refused(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        walk = Walk(match, events_of)
        for body in (
            {"action": "offer_drawn"}, {"action": "offer_takeback"}, {"action": "dance"}, {},
            {"action": 1}, {"action": "resign", "contribution": "ab" * 32},
            {"action": "contribute"}, {"action": "contribute", "contribution": "xyz"},
            {"action": "resign", "why": "tired"},
        ):  # fmt: skip
            answer = ada.post(f"{walk.path}/actions", body, version=match["version"])
            fault = walk.refused(answer, 400, "malformed-request")
            assert fault["errors"]
        known = ada.post(f"{walk.path}/actions", {"action": "dance"}, version=4).json
        assert known["errors"][0] == {
            "pointer": "/action",
            "detail": f"This must be one of: {', '.join(ACTIONS)}.",
        }


def test_an_open_match_takes_no_moves_and_an_aborted_one_nothing(
    ada: Person, bob: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.create(game)
        walk = Walk(match, events_of)
        walk.refused(
            bob.post(f"{walk.path}/join", {"settings": {"colour": 1}}), 422, "invalid-settings"
        )
        walk.refused(bob.post(f"{walk.path}/join", {"settings": [1]}), 422, "invalid-settings")
        walk.refused(bob.post(f"{walk.path}/join", {"contribution": "x"}), 400, "malformed-request")
        walk.refused(ada.post(f"{walk.path}/join"), 409, "own-match")
        walk.refused(ada.act(match, "resign"), 409, "match-not-active")
        ada.act(match, "abort")
        after = Walk(match, events_of)
        after.refused(ada.act(match, "abort"), 409, "match-not-active")
        after.refused(bob.post(f"{after.path}/join"), 409, "match-not-open")


def test_after_the_end_nothing_more_happens(
    ada: Person, bob: Person, eve: Person, events_of: Callable[[JsonObject], list[str]]
) -> None:
    for game in GAMES:
        match = ada.start(bob, game)
        mover = (ada, bob)[match["to_act"] - 1]
        move = mover.legal(match)[0]["move"]
        play_out(match, ada, bob)
        walk = Walk(match, events_of)
        for person in (ada, bob):
            walk.refused(person.move(match, move), 409, "match-not-active")
            walk.refused(person.act(match, "resign"), 409, "match-not-active")
            walk.refused(person.act(match, "abort"), 409, "match-not-active")
        walk.refused(eve.post(f"{walk.path}/join"), 409, "match-not-open")


NO_IDS = ["0000000000000000", "x", "%00", "%ff%fe", "ü", "a" * 500]


def test_a_match_that_is_not_there_is_not_found_before_the_form_is_looked_at(ada: Person) -> None:
    for match_id in NO_IDS:
        for path in ("", "/events", "/replay", "/legal-moves", "/stream", "?nonsense=1"):
            problem(ada.get(f"/matches/{match_id}{path}"), 404, "not-found")
        for path in ("join", "moves", "actions"):
            problem(ada.post(f"/matches/{match_id}/{path}", {"non": "sense"}), 404, "not-found")


def test_checks_come_in_the_order_of_the_contract(ada: Person, bob: Person, eve: Person) -> None:
    """Each request has every fault from its own on, so the first one must be told."""
    match = ada.start(bob)
    path = f"/matches/{match['id']}/moves"
    envelope, inside = {"moves": 1}, {"move": {"steps": "x"}}
    nobody = Person(ada.client)
    problem(nobody.post("/matches/0000000000000000/moves", envelope), 401, "unauthenticated")
    reader = eve.with_scopes("match:read")
    problem(reader.post("/matches/0000000000000000/moves", envelope), 403, "missing-scope")
    problem(eve.post("/matches/0000000000000000/moves", envelope), 404, "not-found")
    problem(eve.post(path, envelope), 400, "malformed-request")
    problem(eve.post(path, inside), 422, "malformed-move")
    problem(eve.post(path, {"move": {"steps": 9}}), 403, "not-your-seat")
    problem(bob.post(path, {"move": {"steps": 9}}), 428, "precondition-required")
    problem(bob.post(path, {"move": {"steps": 9}}, version=1), 412, "stale-version")
    problem(bob.post(path, {"move": {"steps": 9}}, version=4), 409, "not-your-turn")
    problem(ada.post(path, {"move": {"steps": 9}}, version=4), 422, "illegal-move")


def test_of_a_request_with_any_number_of_faults_a_hundred_are_told(ada: Person) -> None:
    many = {f"{number}": 0 for number in range(6_000)}
    fault = problem(ada.post("/matches", many), 400, "malformed-request")
    assert len(fault["errors"]) == 101
    assert fault["errors"][-1] == {"pointer": "", "detail": "There are more, not told here."}
    query = "&".join(f"p{number}=1" for number in range(900))
    fault = problem(ada.get(f"/matches?{query}"), 400, "malformed-request")
    assert len(fault["errors"]) == 101
