"""What several ask for at the same instant: over a real server with two processes, both databases.

Whoever asks for what there is already gets it; a repeated request gets the first one's answer; of
what only one can have, one gets it and the others are told so. Nobody gets a fault of the server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import httpx
import pytest

from domain.json_types import JsonObject
from tests.support.servers import Server
from tests.web.people import PASSWORD

pytestmark = pytest.mark.slow

ROUNDS = 6
EACH = 2
"""So many times each of two players asks at an instant."""

_numbers = count(1)


class Asking:
    """Two players, and as many connections as they have requests under way."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=f"{url}/api/v1", timeout=30)
        self.tokens = [self._sign_up(name) for name in ("ada", "brook")]
        self.pool = ThreadPoolExecutor(2 * EACH)

    def _sign_up(self, name: str) -> dict[str, str]:
        account = {"name": name, "password": PASSWORD}
        assert self.client.post("/players", json=account).status_code == 201
        token = self.client.post("/tokens", json=account).json()["token"]
        return {"Authorization": f"Bearer {token}"}

    def close(self) -> None:
        self.pool.shutdown()
        self.client.close()

    def post(
        self, who: int, path: str, body: JsonObject | None = None, **headers: str
    ) -> httpx.Response:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(path, json=body or {}, headers={**self.tokens[who], **names})

    def done(
        self, who: int, path: str, body: JsonObject | None = None, **headers: str
    ) -> JsonObject:
        """Ask for what must come to something."""
        answer = self.post(who, path, body, **headers)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    def at_once(
        self, *asked: tuple[int, str, JsonObject | None], repeated: bool = False
    ) -> list[httpx.Response]:
        """Ask for several things, each several times, at the same instant.

        ``repeated``: each is one request that is sent again, under a key.
        """
        once = [(*one, f"key-{next(_numbers)}") for one in asked]
        tasks = [one for one in once for _ in range(2 * EACH // len(asked))]
        gate = Barrier(len(tasks))

        def ask(task: tuple[int, str, JsonObject | None, str]) -> httpx.Response:
            who, path, body, key = task
            gate.wait()
            return self.post(who, path, body, **({"Idempotency_Key": key} if repeated else {}))

        return list(self.pool.map(ask, tasks))

    def match(self, **more: str) -> str:
        """Create a match by the first player."""
        return str(self.done(0, "/matches", {"game": "path-capture", "seat": 1, **more})["id"])

    def started(self) -> JsonObject:
        """Start a match of the two."""
        return self.done(1, f"/matches/{self.match()}/join")

    def ended(self) -> str:
        match = self.started()
        resigned = {"action": "resign", "expected_version": match["version"]}
        return str(self.done(0, f"/matches/{match['id']}/actions", resigned)["match"]["id"])


@pytest.fixture(scope="module")
def asking(two_processes: Server) -> Iterator[Asking]:
    """Give two players of one server for all of these tests: none minds what is there already."""
    made = Asking(two_processes.url)
    yield made
    made.close()


def statuses(answers: list[httpx.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def told(answers: list[httpx.Response]) -> str:
    return "\n".join(answer.text for answer in answers)


def codes(answers: list[httpx.Response]) -> Counter[str]:
    return Counter(one.json()["code"] for one in answers if one.status_code >= 400)


def test_a_rematch_that_both_ask_for_is_one_and_everybody_gets_it(asking: Asking) -> None:
    for _ in range(ROUNDS):
        path = f"/matches/{asking.ended()}/rematch"
        answers = asking.at_once((0, path, None), (1, path, None))
        assert statuses(answers) == [200] * (2 * EACH - 1) + [201], told(answers)
        (rematch,) = {answer.json()["id"] for answer in answers}
        there = asking.client.get(f"/matches/{rematch}").json()
        assert there["status"] == "active"
        assert [seat["player"] for seat in there["seats"]] == ["brook", "ada"]


def test_asking_for_a_rematch_again_under_one_key_gives_the_first_answer(asking: Asking) -> None:
    for _ in range(ROUNDS):
        path = f"/matches/{asking.ended()}/rematch"
        answers = asking.at_once((0, path, None), repeated=True)
        assert statuses(answers) == [201] * len(answers), told(answers)
        assert len({answer.content for answer in answers}) == 1
        assert len([one for one in answers if "Idempotent-Replayed" in one.headers]) == 3


def test_both_ask_for_a_rematch_twice_under_keys(asking: Asking) -> None:
    for _ in range(ROUNDS):
        path = f"/matches/{asking.ended()}/rematch"
        answers = asking.at_once((0, path, None), (1, path, None), repeated=True)
        assert statuses(answers) == [200, 200, 201, 201], told(answers)
        assert len({answer.json()["id"] for answer in answers}) == 1
        for own in (answers[:EACH], answers[EACH:]):
            assert len({answer.content for answer in own}) == 1


def test_a_challenge_that_is_declined_by_two_windows_is_declined_once(asking: Asking) -> None:
    for _ in range(ROUNDS):
        path = f"/matches/{asking.match(opponent='brook')}/decline"
        answers = asking.at_once((1, path, {"reason": "no time"}))
        assert statuses(answers) == [200, 409, 409, 409], told(answers)
        assert codes(answers) == {"match-not-open": 3}
        again = f"/matches/{asking.match(opponent='brook')}/decline"
        answers = asking.at_once((1, again, {"reason": "no time"}), repeated=True)
        assert statuses(answers) == [200] * len(answers), told(answers)
        assert len({answer.content for answer in answers}) == 1


def test_an_invitation_that_is_accepted_again_under_one_key_is_accepted_once(
    asking: Asking,
) -> None:
    for _ in range(ROUNDS):
        made = asking.done(0, f"/matches/{asking.match()}/invitations")
        path = f"/invitations/{made['token']}/accept"
        answers = asking.at_once((1, path, None), repeated=True)
        assert statuses(answers) == [200] * len(answers), told(answers)
        assert len({answer.content for answer in answers}) == 1


def test_an_invitation_that_two_windows_accept_lets_one_in(asking: Asking) -> None:
    for _ in range(ROUNDS):
        made = asking.done(0, f"/matches/{asking.match()}/invitations")
        answers = asking.at_once((1, f"/invitations/{made['token']}/accept", None))
        assert answers[0].status_code in (200, 404, 409)
        assert statuses(answers)[0] == 200
        assert set(codes(answers)) <= {"not-found", "own-match"}, told(answers)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/matches/{open}/join", {}),
        ("/matches/{open}/invitations", {"days": 3}),
        ("/matches/{active}/chat/players", {"text": "hello"}),
        ("/matches", {"game": "path-capture"}),
    ],
)
def test_what_is_sent_again_under_one_key_is_done_once(
    asking: Asking, path: str, body: JsonObject
) -> None:
    who = 0 if "invitations" in path else 1
    for _ in range(ROUNDS // 2):
        there = path.format(open=asking.match(), active=asking.started()["id"])
        answers = asking.at_once((who, there, body), repeated=True)
        assert {answer.status_code for answer in answers} <= {200, 201}, told(answers)
        assert len({answer.content for answer in answers}) == 1
        assert len([one for one in answers if "Idempotent-Replayed" in one.headers]) == 3


def test_a_draw_that_both_offer_at_once_is_offered_by_one_and_accepted_by_one(
    asking: Asking,
) -> None:
    for _ in range(ROUNDS // 2):
        match = asking.started()
        path = f"/matches/{match['id']}/actions"
        offer = {"action": "offer_draw", "expected_version": match["version"]}
        answers = asking.at_once((0, path, offer), (1, path, offer))
        assert statuses(answers) == [201, 412, 412, 412], told(answers)
        there = asking.client.get(f"/matches/{match['id']}").json()
        asked_of = 2 - there["offers"]["draw"]["seat"]
        accept = {"action": "accept_draw", "expected_version": there["version"]}
        answers = asking.at_once((asked_of, path, accept), repeated=True)
        assert statuses(answers) == [201] * len(answers), told(answers)
        assert len({answer.content for answer in answers}) == 1


def test_of_those_who_sign_up_with_one_name_one_gets_it(asking: Asking) -> None:
    for number in range(ROUNDS):
        account = {"name": f"carol{number}", "password": PASSWORD}
        answers = asking.at_once((0, "/players", account))
        assert statuses(answers) == [201, 409, 409, 409], told(answers)
        assert codes(answers) == {"name-taken": 3}
