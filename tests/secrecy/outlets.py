"""Every outlet of the service, and what one viewer gets there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import TypeAlias, cast

from domain.errors import MalformedMove
from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.match.state import Match
from services.store.log.feed import OWN_START
from tests.domain.almost_legal import malformed, neighbours
from tests.secrecy.worlds import World
from tests.web.people import Answer as Response
from tests.web.people import Person

Answer: TypeAlias = tuple[str, bytes]
"""What was asked, and all that came back: status, headers, body."""

NDJSON = {"Accept": "application/x-ndjson"}
SIGHTS = ("seat-1", "seat-2", "spectator")
BESIDE = (
    "analysis",
    "conditional-moves",
    "conditional-moves/happenings",
    "notes",
    "chat/players",
    "chat/spectators",
)
MALFORMED, ILLEGAL = 2, 5
SMALL = 100
"""Greater numbers are refused before a rule is asked, in one way or another."""

"""When a figure was first counted: the true time, which no request decides."""

_PLACE = re.compile(rb'"(id|next_cursor)":"[0-9A-Za-z_-]{100,}"')
"""A sealed place: PostgreSQL numbers transactions, and both worlds are in one server."""


def onlookers(world: World, viewer: Viewer) -> list[Person]:
    """Return whose answers are those of ``viewer``."""
    if viewer.seat is None:
        return [world.people["eve"], world.anyone]
    return [world.people[("ada", "bob")[viewer.seat - 1]]]


def moment(world: World, person: Person, match: str) -> Iterator[Answer]:
    """Ask for what changes with every move."""
    version = world.truth(match).version
    at = f"/matches/{match}"
    pictured = (f"{at}?scene=true", f"{at}/replay?from={version}&scene=true")
    for path in (at, f"{at}/legal-moves", *pictured, "/matches?limit=2"):
        yield _get(person, path)
    yield _get(person, f"{at}/events?after={max(0, version - 6)}")
    for sight in SIGHTS:
        yield _get(person, f"{at}?as={sight}")
    # The pages of players take their time, for all the moves that they offer.
    if person.token and version % 3 == 0:
        yield from own_stream(world, person)
    if not person.token or version % 6 == 0:
        yield page(world, person, f"/m/{match}")


def whole(world: World, person: Person, match: str, stride: int) -> Iterator[Answer]:
    """Ask for everything that there is of a match, by every way there is.

    Of its past only every ``stride``th version is asked for by itself.
    """
    at, last = f"/matches/{match}", world.truth(match).version
    yield from moment(world, person, match)
    for version in (*range(0, last, stride), last, last + 1):
        yield _get(person, f"{at}?version={version}")
        yield page(world, person, f"/m/{match}?at={version}")
    yield from _events(person, at)
    for path in (f"{at}/replay", *(f"{at}/replay?as={sight}" for sight in SIGHTS)):
        yield _get(person, path)
    for sight in SIGHTS:
        yield page(world, person, f"/m/{match}?as={sight}")
        yield _get(person, f"{at}/replay?from={max(0, last - 3)}&to={last}&as={sight}")
    yield from _lists(world, person)
    yield from own_stream(world, person)
    for path in ("/me/challenges", "/me/challenges?by=me", "/me/invitations", "/me/vacation"):
        yield _get(person, path)
    yield from _validators(person, at)
    yield from beside(person, at)
    yield "metrics", everything(person.visit("/metrics"))


def refusals(
    world: World, person: Person, match: str, viewer: Viewer, random: Random
) -> Iterator[Answer]:
    """Make moves that are malformed, illegal, stale, out of turn, or somebody else's."""
    truth, path = world.truth(match), f"/matches/{match}/moves"
    for move in _wrong_moves(truth, viewer, random):
        answer = person.post(path, {"move": move}, version=truth.version)
        assert answer.status_code >= 400, answer.text
        yield f"{move}", everything(answer)
    known = {"move": {"action": "draw"}}
    yield "stale", everything(person.post(path, known, version=truth.version - 1))
    yield "no version", everything(person.post(path, known))
    yield "no body", everything(person.post(path))
    for action in ("abort", "contribute", "accept_draw"):
        body = {"action": action, "contribution": "0" * 64 if action == "contribute" else None}
        answer = person.post(f"/matches/{match}/actions", body, version=truth.version)
        assert answer.status_code >= 400, answer.text
        yield action, everything(answer)
    yield "join", everything(person.post(f"/matches/{match}/join"))


def _wrong_moves(truth: Match, viewer: Viewer, random: Random) -> list[Json]:
    """Return some moves that are malformed, and more that only break a rule."""
    game = truth.game
    legal = [game.dump_move(move) for move in game.iter_legal_moves(truth.started)]
    own = viewer.seat is not None and truth.to_act == viewer.seat
    # Somebody who may not know the legal moves asks for what everybody can think of.
    bases = random.sample(legal, min(3, len(legal))) if own else _GUESSES
    misshapen = [move for base in bases for move in malformed(base)]
    illegal = [
        move for move in (*_GUESSES, *_near(bases)) if not own or _breaks_a_rule(truth, move)
    ]
    return random.sample(misshapen, MALFORMED) + random.sample(illegal, ILLEGAL)


def _near(bases: list[JsonObject]) -> list[JsonObject]:
    near = [move for base in bases for move in neighbours(base, bases)]
    return [move for move in near if -SMALL < max(_numbers(move), default=0, key=abs) < SMALL]


def _numbers(move: JsonObject) -> list[int]:
    return [value for value in move.values() if type(value) is int]


_GUESSES: list[JsonObject] = [
    {"action": "play", "card": 9, "x": 2, "y": 0, "discard": [1, 4]},
    *({"action": "play", "card": card, "x": 1, "y": 0} for card in (0, 1, 2, 4, 5, 6)),
    {"action": "place", "card": 3, "x": 1, "y": 0},
    {"action": "dominate", "x": 3, "y": 0},
    *({"action": "say", "card": card} for card in range(6)),
]


def _breaks_a_rule(truth: Match, move: JsonObject) -> bool:
    try:
        parsed = truth.game.parse_move(move)
    except MalformedMove:
        return False
    return truth.game.check_move(truth.started, parsed) is not None


def _events(person: Person, at: str) -> Iterator[Answer]:
    path: str | None = f"{at}/events?limit=9"
    while path is not None:
        answer = person.get(path)
        yield path, everything(answer)
        following = answer.json["next_cursor"]
        path = None if following is None else f"{at}/events?limit=9&cursor={following}"
    yield "lines", everything(person.get(f"{at}/events", NDJSON))
    yield "later lines", everything(person.get(f"{at}/events?after=5&limit=3", NDJSON))
    yield "stream", everything(person.get(f"{at}/stream"))
    yield "resumed", everything(person.get(f"{at}/stream", {"Last-Event-ID": "4"}))


def _lists(world: World, person: Person) -> Iterator[Answer]:
    world.settle()
    for query in ("", "?mine=true", "?player=bob&sort=created", "?to_act=ada", "?status=active"):
        yield _get(person, f"/matches{query}")
    first = person.get("/matches?limit=1")
    yield "first page", masked(world, everything(first))
    following = f"/matches?limit=1&cursor={first.json['next_cursor']}"
    yield "second page", masked(world, everything(person.get(following)))
    yield page(world, person, "/")


def own_stream(world: World, person: Person) -> Iterator[Answer]:
    """Ask for the stream of all one's matches: what is present, and what has happened."""
    world.settle()
    yield "stream", masked(world, everything(person.get("/me/stream")))
    player = world.house.accounts.find(person.name)
    if player is not None:
        for name, place in (("start", OWN_START), ("middle", world.middle())):
            last = world.house.player_stream.make_id(player.id, place)
            yield name, masked(world, everything(person.get(f"/me/stream?after={last}")))
            resumed = person.get("/me/stream", {"Last-Event-ID": last})
            yield f"resumed from {name}", masked(world, everything(resumed))


def masked(world: World, answer: bytes) -> bytes:
    """Return an answer without sealed places, where they cannot be the same in both worlds."""
    return answer if world.house.database.sqlite else _PLACE.sub(rb'"\1":""', answer)


def _validators(person: Person, at: str) -> Iterator[Answer]:
    for path in (at, f"{at}/legal-moves", f"{at}/events", f"{at}/replay"):
        tag = person.get(path).headers.get("ETag", '"none"')
        yield f"again {path}", everything(person.get(path, {"If-None-Match": tag}))
        yield f"HEAD {path}", everything(person.ask("HEAD", path))
        yield f"OPTIONS {path}", everything(person.ask("OPTIONS", path))


def beside(person: Person, at: str) -> Iterator[Answer]:
    """Ask for all that is kept beside a match, one's own and what may be somebody else's."""
    for more in BESIDE:
        yield _get(person, f"{at}/{more}")
    yield "no line", everything(person.ask("DELETE", f"{at}/conditional-moves/9"))
    yield "no note", everything(person.ask("DELETE", f"{at}/notes/1"))


def _get(person: Person, path: str) -> Answer:
    return path, everything(person.get(path))


def page(world: World, person: Person, path: str) -> Answer:
    """Ask for a page, logged in if the person has a name."""
    session = world.sessions.get(person.name)
    headers = {} if session is None else {"Cookie": f"plybook={session}"}
    # A client that keeps cookies would send its own alone.
    browser = world.app.test_client(use_cookies=False)
    return f"page {path}", everything(cast("Response", browser.get(path, headers=headers)))


def everything(answer: Response) -> bytes:
    """Return all that came back: status, headers, body."""
    headers = "".join(f"{name}: {value}\n" for name, value in sorted(answer.headers.items()))
    return f"{answer.status_code}\n{headers}\n".encode() + answer.data
