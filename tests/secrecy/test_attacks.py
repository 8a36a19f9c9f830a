"""What an enemy would try: other eyes, other people's keys and tags, doors that are shut."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from tests.secrecy.pairs import PAIRINGS
from tests.secrecy.worlds import World
from tests.support.figures import figures_of
from tests.web.people import Answer as Response
from tests.web.people import Person

GAMES = ("power-lines", "whisper")
NOBODYS = "0000000000000000"
"""An id that no match has."""
JSON_AND_LINES = ("application/json", "application/x-ndjson", "text/html")
MOVE = {"move": {"action": "draw"}}
NO_MOVES: tuple[JsonObject, ...] = (
    {},
    {"move": 3},
    {"move": {"action": "place"}},
    {"move": {}, "surplus": 1},
)


def begun(world: World, game: str, visibility: str = "public", moves: int = 4) -> str:
    """Play a few moves of a match; return its id."""
    script = PAIRINGS[game](Viewer.SPECTATOR, 1, 6).first
    match = world.start(game, script, visibility)
    for move in script.moves[:moves]:
        world.play(match, move)
    return match


def strangers(world: World) -> list[Person]:
    return [world.people["eve"], world.anyone]


# --- through other eyes ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("aborted", [False, True], ids=["running", "aborted"])
def test_nobody_looks_through_eyes_that_are_not_their_own(
    world: World,
    game: str,
    aborted: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    match = begun(world, game)
    if aborted:
        world.abort(match)
    own = {"ada": "seat-1", "bob": "seat-2"}
    for person in (*world.people.values(), world.anyone, world.root):
        for sight in ("seat-1", "seat-2"):
            for path in (f"/matches/{match}", f"/matches/{match}/replay"):
                for more in ("", "&version=5") if not path.endswith("replay") else ("", "&to=6"):
                    answer = person.get(f"{path}?as={sight}{more}")
                    allowed = own.get(person.name) == sight
                    assert answer.status_code == (200 if allowed else 403), (person.name, sight)
        assert person.get(f"/matches/{match}?as=server").status_code == 400
    for sight in ("seat-1", "seat-2"):
        page = world.anyone.visit(f"/m/{match}?as={sight}")
        assert page.status_code == 403
    assert world.anyone.visit(f"/m/{match}?as=server").status_code == 400


@pytest.mark.parametrize("game", GAMES)
def test_an_administrator_sees_no_more_than_a_spectator(world: World, game: str) -> None:
    match = begun(world, game)
    for path in ("", "/events", "/replay", "/stream"):
        answers = [one.get(f"/matches/{match}{path}").text for one in (world.root, world.anyone)]
        assert answers[0] == answers[1]


# --- with other people's keys and tags ------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_idempotency_key_gives_its_own_player_alone_the_answer_again(
    world: World, game: str
) -> None:
    script = PAIRINGS[game](Viewer.SPECTATOR, 1, 6).first
    match = world.start(game, script)
    answer = world.play(match, script.moves[0], "the-key")
    version, mover = world.last
    for person in (*world.people.values(), world.anyone):
        path, body = f"/matches/{match}/moves", {"move": script.moves[0]}
        again = person.post(path, body, version=version, key="the-key")
        if person is mover:
            assert again.data == answer.data
        else:
            assert again.status_code in (401, 403, 412)
            assert "Idempotent-Replayed" not in again.headers


@pytest.mark.parametrize("game", GAMES)
def test_the_tag_of_another_viewers_answer_is_none_of_ones_own(world: World, game: str) -> None:
    match = begun(world, game)
    for path in ("", "/events", "/replay"):
        address = f"/matches/{match}{path}"
        tags = {
            name: world.people[name].get(address).headers["ETag"] for name in ("ada", "bob", "eve")
        }
        assert len(set(tags.values())) == 3
        for name, tag in tags.items():
            for person in world.people.values():
                answer = person.get(address, {"If-None-Match": tag})
                same = person.name == name or (name == "eve" and person.name == "root")
                assert answer.status_code == (304 if same else 200), (person.name, name)
                assert answer.headers["Cache-Control"].startswith("private")
                assert "Authorization" in answer.headers["Vary"]


# --- at doors that are shut -----------------------------------------------------------------------


def knocks(person: Person, match: str) -> Iterator[Response]:
    """Try everything that can be done with a match's id."""
    at = f"/matches/{match}"
    for path in (
        *("", "?version=1", "?version=999", "?as=seat-1", "?as=nobody", "?surplus=1"),
        *("/legal-moves", "/events", "/events?after=2&limit=1", "/events?after=x"),
        *("/stream", "/stream?after=999", "/replay", "/replay?from=9&to=2", "/replay?as=seat-2"),
    ):
        for method in ("GET", "HEAD"):
            for accept in JSON_AND_LINES:
                yield person.ask(method, at + path, {"Accept": accept})
    yield person.get(at, {"If-None-Match": "*"})
    for body in (MOVE, *NO_MOVES, None):
        yield person.post(f"{at}/moves", body)
        yield person.post(f"{at}/moves", body, version=3, key="k")
        yield person.post(f"{at}/moves", body, version=999)
    for body in ({"action": "abort"}, {"action": "resign"}, {"action": "contribute"}, {}):
        yield person.post(f"{at}/actions", body, version=3)
    for body in (None, {}, {"settings": {"deck": []}}, {"contribution": "x"}, {"surplus": 1}):
        yield person.post(f"{at}/join", body)
    for query in ("", "?at=3", "?at=x", "?as=seat-1", "?as=nobody"):
        yield person.visit(f"/m/{match}{query}")


def told(answer: Response, match: str) -> str:
    """Return an answer without the id that was asked for and what is another every time."""
    headers = {
        name: value
        for name, value in answer.headers.items()
        if name not in ("X-Request-Id", "Date", "ETag")
    }
    text = re.sub(r'"request_id":"[0-9a-f]+"', "", answer.text)
    return f"{answer.status_code}\n{sorted(headers.items())}\n{text}".replace(match, "ID")


@pytest.mark.parametrize("game", GAMES)
def test_a_private_match_is_to_strangers_as_if_it_were_not_there(world: World, game: str) -> None:
    match = begun(world, game, "private")
    for state in ("running", "over"):
        for person in strangers(world):
            for there, absent in zip(knocks(person, match), knocks(person, NOBODYS), strict=True):
                assert told(there, match) == told(absent, NOBODYS)
                assert there.status_code in (401, 404), there.text
        if state == "running":
            world.abort(match)


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_what_is_not_public_stands_in_no_list_but_its_players(
    world: World, visibility: str
) -> None:
    match = begun(world, "power-lines", visibility)
    lists = ("", "?player=ada", "?to_act=ada", "?to_act=bob", "?status=active", "?game=power-lines")
    for query in lists:
        for person in strangers(world):
            assert person.get(f"/matches{query}").json["matches"] == []
        assert match not in world.anyone.visit(f"/{query}").text
    assert world.people["eve"].get("/matches?mine=true").json["matches"] == []
    listed: list[JsonObject] = world.people["bob"].get("/matches?mine=true").json["matches"]
    assert [one["id"] for one in listed] == [match]
    assert match not in figures_of(world.app)
