"""People who use the API, for tests to speak of."""

from __future__ import annotations

from typing import Any, Protocol, cast

from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from domain.json_types import JsonObject

BASE = "/api/v1"
PASSWORD = "correct horse battery"


class Answer(Protocol):
    """An answer of the test client, whose JSON is as it is: a test that errs there fails."""

    status_code: int
    data: bytes
    text: str
    json: Any
    headers: Headers
    content_type: str | None
    mimetype: str | None


class Person:
    """Somebody with a client, and perhaps with a token."""

    def __init__(self, client: FlaskClient, name: str = "", token: str = "") -> None:
        self.client = client
        self.name = name
        self.token = token

    def sign_up(self, name: str) -> Person:
        """Sign somebody up, and give them a token."""
        account = {"name": name, "password": PASSWORD}
        assert self.post("/players", account).status_code == 201
        return Person(self.client, name, self.log_in(name))

    def log_in(self, name: str, *scopes: str) -> str:
        """Return a new token of somebody's, with these scopes or the usual ones."""
        asked: JsonObject = {"name": name, "password": PASSWORD, "label": "test"}
        if scopes:
            asked["scopes"] = list(scopes)
        answer = self.post("/tokens", asked)
        assert answer.status_code == 201, answer.text
        token: str = answer.json["token"]
        return token

    def with_scopes(self, *scopes: str) -> Person:
        """Return the same person with a token of these scopes."""
        return Person(self.client, self.name, self.log_in(self.name, *scopes))

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        """Get an address below the base."""
        return self.ask("GET", path, headers)

    def visit(self, address: str) -> Answer:
        """Get any address at all."""
        return cast("Answer", self.client.get(address))

    def post(
        self,
        path: str,
        body: Any = None,  # noqa: ANN401 - any JSON
        *,
        version: int | None = None,
        key: str | None = None,
    ) -> Answer:
        """Post JSON, decided on a ``version``, under an idempotency ``key``."""
        headers = {}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if key is not None:
            headers["Idempotency-Key"] = key
        return self.ask("POST", path, headers, json=body)

    def ask(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        **what: Any,  # noqa: ANN401 - what the client takes
    ) -> Answer:
        """Send any request; ``path`` is below the base unless it begins with it."""
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        address = path if path.startswith(("/api", "http")) else BASE + path
        if what.get("json", ...) is None:
            del what["json"]
        answer = self.client.open(
            address, method=method, headers={**token, **(headers or {})}, **what
        )
        return cast("Answer", answer)

    def create(self, game: str = "path-capture", **more: Any) -> JsonObject:  # noqa: ANN401
        """Create a match in which this person has seat 1."""
        answer = self.post("/matches", {"game": game, "seat": 1, **more})
        assert answer.status_code == 201, answer.text
        return dict(answer.json)

    def start(self, other: Person, game: str = "path-capture", **more: Any) -> JsonObject:  # noqa: ANN401
        """Create a match and let the other one join it."""
        match = self.create(game, **more)
        answer = other.post(f"/matches/{match['id']}/join")
        assert answer.status_code == 200, answer.text
        return dict(answer.json)

    def look(self, match: JsonObject) -> JsonObject:
        """Return the match as this person sees it now."""
        return dict(self.get(f"/matches/{match['id']}").json)

    def legal(self, match: JsonObject) -> list[JsonObject]:
        """Return the legal moves of this person's seat."""
        return list(self.get(f"/matches/{match['id']}/legal-moves").json["moves"])

    def move(self, match: JsonObject, move: JsonObject | None = None, **more: Any) -> Answer:  # noqa: ANN401
        """Make a move (by default the first legal one) on the present version."""
        if move is None:
            move = self.legal(match)[0]["move"]
        more.setdefault("version", self.look(match)["version"])
        return self.post(f"/matches/{match['id']}/moves", {"move": move}, **more)

    def act(self, match: JsonObject, action: str, **more: Any) -> Answer:  # noqa: ANN401
        """Take an action on the present version."""
        version = self.look(match)["version"]
        body = {"action": action, **more}
        return self.post(f"/matches/{match['id']}/actions", body, version=version)


def play_out(match: JsonObject, *seats: Person, most: int = 400) -> JsonObject:
    """Play a match to its end, each seat its first legal move; return it as seat 1 sees it."""
    for _ in range(most):
        now = seats[0].look(match)
        if now["status"] != "active":
            return now
        assert seats[now["to_act"] - 1].move(match).status_code == 201
    raise AssertionError("this match does not end")


def problem(answer: Answer, status: int, code: str) -> JsonObject:
    """Return the body of an answer that must be this problem, in full form."""
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), (
        answer.status_code,
        answer.text,
    )
    body = dict(answer.json)
    assert (body["status"], body["code"]) == (status, code), body
    assert {"type", "title", "detail", "request_id"} <= set(body)
    return body
