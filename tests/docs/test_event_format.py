"""The page about the event format is true: a verifier that knows nothing but its tables agrees.

What stands in the tables is read from the page, and held against whole matches in which everything
happens; and the verifier that comes with every export draws from the same cells, for the same
purposes.
"""

from __future__ import annotations

import hmac
import importlib.util
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.log.event_format import write_canonical
from domain.match import commands
from tests.services.forging import finished
from tests.services.planting import lines_of
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, Table

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "event-format.md").read_text(encoding="utf-8")
STANDALONE = ROOT / "services" / "exchange" / "verify_match.py"
TOLD = ("energy-capture", "grid-power", "path-capture", "power-line", "power-lines")
"""Games whose draws the page tells; what others draw, their rule books say."""
FOREIGN = {game.slug for game in test_games()} - {*TOLD}


def table_of(first: str) -> list[list[str]]:
    """Return the rows of the page's table that begins with these cells."""
    _, _, behind = PAGE.partition(f"\n{first}\n")
    assert behind, first
    rows = re.match(r"\| ---.*\n((?:\|.*\n)+)", behind)
    assert rows is not None
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows[1].splitlines()]


def said(cell: str) -> list[str]:
    """Return what a cell names, without what it explains in brackets and behind a colon."""
    while (shorter := re.sub(r"\([^()]*\)", "", cell)) != cell:
        cell = shorter
    return re.findall(r"`([^`]*)`", cell.split(":")[0])


class Kind(NamedTuple):
    """What the page says of a kind of event."""

    members: set[str]
    actor: str
    sealed: str


@cache
def kinds() -> dict[str, Kind]:
    rows = table_of("| kind | `data` | `actor` | sealed |")
    return {
        kind: Kind(set(said(data)), actor, sealed)
        for names, data, actor, sealed in rows
        for kind in said(names)
    }


class End(NamedTuple):
    """What the page says of one way in which matches end."""

    winner: str
    actor: str


@cache
def ends() -> dict[tuple[str, str], End]:
    rows = table_of("| kind | `reason` | `winner` | `actor` |")
    return {
        (said(kind)[0], (said(reason) or ["any other"])[0]): End(winner, actor)
        for kind, reason, winner, actor in rows
    }


class Purpose(NamedTuple):
    """What the page says of a purpose of chance."""

    game: str
    has_seat: bool
    is_sealed: bool
    method: str


@cache
def purposes() -> dict[str, Purpose]:
    rows = table_of("| `purpose` | game | `seat` | outcome | method | when |")
    return {
        said(name)[0]: Purpose(
            game.strip("`"), seat != "none", outcome.startswith("sealed for the server"), method
        )
        for name, game, seat, outcome, method, _ in rows
    }


@cache
def cells() -> list[list[int]]:
    block = re.search(r"\*The 23 cells\*.*?```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    found: list[list[int]] = json.loads(block[1])
    return found


# --- matches in which everything happens ---------------------------------------------------------


def _ended(*asked: commands.Command, opponent: str | None = None, joined: bool = False) -> Table:
    game = test_games().get("path-capture")
    table = Table(game, opponent=opponent)
    if joined:
        table.join()
    for command in asked:
        at = "2027-11-27T00:00:00.000000Z" if isinstance(command, commands.LapseMatch) else None
        table.do(command, at)
    return table


@cache
def matches() -> dict[str, Table]:
    challenged = PLAYERS[1]
    aborted = {
        "aborted": _ended(commands.AbortMatch(1)),
        "aborted by the other": _ended(commands.AbortMatch(2), joined=True),
        "withdrawn": _ended(commands.AbortMatch(1), opponent=challenged),
        "declined": _ended(commands.DeclineChallenge(challenged), opponent=challenged),
        "agreed": _ended(
            commands.MakeOffer(1, "abort"), commands.AcceptOffer(2, "abort"), joined=True
        ),
        "lapsed": _ended(commands.LapseMatch()),
        "administrator": _ended(commands.AbortMatch(None), joined=True),
    }
    played = {n: one for n, one in finished().items() if n.split()[0] not in FOREIGN}
    return {**played, "taken back": _dice_taken_back(), **aborted}


def _dice_taken_back() -> Table:
    """Take moves of cards back, so that what there is on the piles goes back as well."""
    table = Table.started(test_games().get("path-capture"))
    table.play({"steps": 1}, {"steps": 1})
    table.take_back(1, len(table.events) - 1)
    table.do(commands.Resign(2))
    return table


def events() -> Iterator[tuple[Any, Any, set[str]]]:
    """Yield each event of each match as JSON, with the match's first event, and the seats taken."""
    for table in matches().values():
        taken: set[str] = set()
        shown = _open(table)
        for event in shown:
            yield event, shown[0], taken
            if event["kind"] == "seat-taken":
                taken = taken | {f"seat-{event['data']['seat']}"}


def _open(table: Table) -> list[Any]:
    return lines_of(table)[1:]


# --- kinds, members, actors, seals ---------------------------------------------------------------


def test_the_page_names_every_kind_and_its_members() -> None:
    seen: dict[str, set[str]] = {}
    for event, _, _ in events():
        seen.setdefault(event["kind"], set()).update(event["data"])
    assert seen == {kind: one.members for kind, one in kinds().items()}


def _seat(event: Any) -> str:  # noqa: ANN401 - JSON
    return f"seat-{event['data'].get('seat')}"


def _other(seat: Any) -> str:  # noqa: ANN401 - JSON
    return f"seat-{3 - int(str(seat)[-1])}"


def _follows(event: Any) -> bool:  # noqa: ANN401 - JSON
    number: int = (event["data"].get("series") or {}).get("number", 1)
    return number > 1


ACTORS: dict[str, Callable[[Any, set[str]], set[str]]] = {
    "`creator`": lambda _, __: {"creator"},
    "`creator`; `server`, of a match that follows in a series": lambda event, _: {
        "server" if _follows(event) else "creator"
    },
    "`server`": lambda _, __: {"server"},
    "`admin`": lambda _, __: {"admin"},
    "the seat": lambda event, _: {_seat(event)},
    "`creator`, of the one who joins their seat, of a match that follows in a series `server`": (
        lambda event, taken: ({_seat(event)} if taken else {"creator"}) | {"server"}
    ),
    "of a gift the other seat, of a downtime `server`": lambda event, _: (
        {_other(_seat(event))} if event["data"]["reason"] == "gift" else {"server"}
    ),
    "the seat that gives up": lambda event, _: {_other(event["data"]["winner"])},
    "the seat that accepts a draw": lambda _, taken: taken,
    "the seat that accepts to abort": lambda _, taken: taken,
    "a seat that is taken": lambda _, taken: taken,
    "the seat that is free": lambda _, taken: {"seat-1", "seat-2"} - taken,
}
"""What the page's words for actors mean."""
WINNERS: dict[str, list[int | None]] = {
    "": [None],
    "null": [None],
    "the other seat": [1, 2],
    "as its rules have it": [1, 2, None],
}
"""What its words for winners can mean."""


def test_the_page_says_who_the_actor_of_each_event_is() -> None:
    met = set()
    for event, first, taken in events():
        words = kinds()[event["kind"]].actor
        if words == "by the reason, see below":
            key = event["kind"], event["data"]["reason"]
            if key not in ends():
                assert key[1] in test_games().get(first["data"]["game"]).endings
                key = event["kind"], "any other"
            met.add(key)
            winner, words = ends()[key]
            assert event["data"].get("winner") in WINNERS[winner]
        assert event["actor"] in ACTORS[words](event, taken), (event, words)
    assert met == ends().keys()


def test_the_page_says_what_is_sealed_and_for_whom() -> None:
    for event, first, _ in events():
        words, audiences = kinds()[event["kind"]].sealed, [one["for"] for one in event["sealed"]]
        if "for the server" in words:
            hidden = (
                purposes()[event["data"]["purpose"]].is_sealed if "draw" in event["data"] else 1
            )
            assert audiences == ([["server"]] if hidden else []), event
        elif "for its seat" in words or "for the seat" in words:
            assert audiences in ([], [[_seat(event)]])
            settings = first["data"]["game"] == "power-lines"
            assert event["kind"] != "seat-taken" or bool(audiences) is settings
        elif "for both seats" in words:
            assert audiences in ([], [["seat-1", "seat-2"]])
        else:
            assert (words, audiences) == ("", [])


def test_events_follow_on_each_other_as_the_page_says() -> None:
    never = re.search(r"any kind but these four: (.*?)\. ", PAGE.replace("\n", " "))
    assert never is not None
    following = set(re.findall(r"`([^`]*)`", never[1]))
    for table in matches().values():
        shown = _open(table)
        for before, event in pairwise(shown):
            assert not before["kind"].startswith(("match-ended", "match-aborted"))
            if event["kind"] in following:
                assert event["at"] == before["at"]
                assert before["kind"] in {*following, "match-created", "seat-taken",
                                          "dice-contributed", "move-made"}  # fmt: skip


# --- chance ---------------------------------------------------------------------------------------


class Stream:
    """The numbers of a draw, as the page has them."""

    def __init__(self, secret: str, match: str, contributions: list[Any], draw: int) -> None:
        self._of = secret, match, contributions, draw
        self._bytes, self._block = b"", 0

    def below(self, bound: int) -> int:
        while True:
            while len(self._bytes) < 8:
                secret, match, contributions, draw = self._of
                label = write_canonical(["plybook/dice/1", match, contributions, draw, self._block])
                self._bytes += hmac.new(bytes.fromhex(secret), label, sha256).digest()
                self._block += 1
            word, self._bytes = int.from_bytes(self._bytes[:8], "big"), self._bytes[8:]
            if word < 2**64 // bound * bound:
                return word % bound

    def shuffled(self, ascending: list[Any]) -> list[Any]:
        made = [*ascending]
        for at in range(len(made) - 1, 0, -1):
            other = self.below(at + 1)
            made[at], made[other] = made[other], made[at]
        return made


def _setup(stream: Stream) -> list[Any]:
    while True:
        kept = [[*place, 1 + stream.below(5)] for place in stream.shuffled(cells())[:8]]
        if sum(cell[2] for cell in kept) >= 15:
            return [
                dict(zip(("row", "column", "value"), cell, strict=True)) for cell in sorted(kept)
            ]


METHODS: dict[str, Callable[[Stream, Any, int], Any]] = {
    "coin": lambda stream, _, __: 1 + stream.below(2),
    "setup": lambda stream, _, __: _setup(stream),
    "shuffle": lambda stream, outcome, _: stream.shuffled(sorted(outcome)),
    "pick": lambda stream, _, length: stream.below(length),
}


class Piles:
    """The discard piles, counted as the page says."""

    def __init__(self) -> None:
        self.now = {1: 0, 2: 0}
        self._then = {0: {1: 0, 2: 0}}

    def behind(self, event: Any) -> None:  # noqa: ANN401 - JSON
        data, now = event["data"], dict(self.now)
        move, purpose = data.get("move", {}), data.get("purpose")
        if move.get("action") == "play":
            now[data["seat"]] += len(move.get("discard", [])) + ("sacrifice" in move)
        elif move.get("action") == "discard":
            now[3 - data["seat"]] += 1
        elif purpose == "shuffle":
            now[data["seat"]] = 0
        elif purpose == "trash":
            now[data["seat"]] -= 1
        elif event["kind"] == "takeback-accepted":
            now = self._then[data["version"]]
        self.now = self._then[event["version"]] = now


@pytest.mark.parametrize("name", matches())
def test_every_draw_is_as_the_page_says(name: str) -> None:
    shown, piles, contributions, last = _open(matches()[name]), Piles(), [None, None], 0
    secret = shown[0]["sealed"][0]["value"]["secret"]
    for event in shown:
        data = event["data"]
        if event["kind"] == "dice-contributed":
            contributions[data["seat"] - 1] = data["contribution"]
        if event["kind"] == "chance-drawn":
            purpose = purposes()[data["purpose"]]
            assert purpose.game in ("any", shown[0]["data"]["game"])
            assert ("seat" in data, "outcome" not in data) == (purpose.has_seat, purpose.is_sealed)
            assert data["draw"] == (0 if data["purpose"] == "seat" else last + 1)
            last = data["draw"]
            outcome = event["sealed"][0]["value"] if purpose.is_sealed else data["outcome"]
            stream = Stream(secret, event["match"], list(contributions), last)
            length = piles.now[data.get("seat", 1)]
            assert METHODS[purpose.method](stream, outcome, length) == outcome, event
        piles.behind(event)


def test_every_purpose_and_method_is_met() -> None:
    met = {event["data"]["purpose"] for event, _, _ in events() if event["kind"] == "chance-drawn"}
    assert met == purposes().keys()
    assert {one.method for one in purposes().values()} == METHODS.keys()
    assert len(cells()) == 23


def test_the_standalone_verifier_knows_the_same_purposes_and_cells() -> None:
    spec = importlib.util.spec_from_file_location("verify_match", STANDALONE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shuffled: list[Any] = []

    class Looking(module.Dice):  # type: ignore[name-defined, misc]
        """Dice that tell what was shuffled with them."""

        def shuffle(self, items: Any) -> Any:  # noqa: ANN401 - JSON
            shuffled.append([list(one) for one in items])
            return super().shuffle(items)

    assert Looking("00" * 32, "0" * 16, [None, None], 1).draw_setup()
    assert shuffled[0] == cells()
    of = "ab" * 32, "0" * 16, [None, "cd" * 32], 7
    for name, purpose in purposes().items():
        outcome = METHODS[purpose.method](Stream(*of), list(range(26)), 9)
        data = {"purpose": name, "seat": 1}
        assert module.check_draw(data, outcome, module.Dice(*of), 9) is True, name
    assert module.check_draw({"purpose": "another"}, 1, module.Dice(*of), 9) is False
