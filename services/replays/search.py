"""Finding the steps of replays at which a condition holds, in what the viewer may see of them.

Conditions are a small language of their own, of which nothing is evaluated:

    players.0.score >= 10 and not to_act = 1
    count(players.*.hand) == 0 or event.kind = turn-passed

A path leads through the state as the game's rule page has it (members by name, items by index,
the first is 0, ``*`` for each), or begins with ``event``, ``version``, ``to_act``, ``ply`` or
``text``. A comparison holds if it does for one of the values that its path leads to; where there
is none it does not hold.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.events import format_actor
from services.accounts.accounts import find_id, fold_name
from services.errors import InvalidRequest
from services.matches.queries import Asker
from services.replays.replay import Frame, Replays, frame_json
from services.store.db.engine import Database
from services.store.lobby.filters import RowFilters, iter_match_ids

Holds: TypeAlias = Callable[[JsonObject], bool]


class Condition(NamedTuple):
    """Whether something ``holds`` of the values of a step (see ``get_values``).

    ``paths`` are those that it asks for.
    """

    holds: Holds
    paths: tuple[str, ...]


LONGEST = 500
"""Characters of a condition; longer ones are nobody's typing."""

DEEPEST = 20

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?\d+(?![\w.*-]))|(?P<string>"[^"]*"|'[^']*')"""
    r"""|(?P<operator>==|!=|<=|>=|[=<>()])|(?P<word>[\w*][\w.*-]*))""",
    re.ASCII,
)
_LITERALS: dict[str, Json] = {"true": True, "false": False, "null": None}
_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_COMPARISONS = ("=", "==", "!=", "has", *_ORDERS)


def parse(text: str) -> Condition:
    """Read a condition. Raises ``InvalidRequest``, which says where it cannot be read."""
    parser = _Parser(text)
    holds = parser.parse_either()
    token = parser.take_next()
    if token is not None:
        raise parser.make_fault(token, say("'and', 'or' or the end"))
    return Condition(holds, tuple(parser.paths))


def look_up(value: Json, path: str) -> Iterator[Json]:
    """Yield the values that a path leads to; none where it leads nowhere.

    >>> list(look_up({"players": [{"node": 3}, {"node": 8}]}, "players.*.node"))
    [3, 8]
    """
    name, _, rest = path.partition(".")
    for found in _step_into(value, name):
        if rest:
            yield from look_up(found, rest)
        else:
            yield found


def _step_into(value: Json, name: str) -> list[Json]:
    if isinstance(value, dict):
        if name == "*":
            return list(value.values())
        return [value[name]] if name in value else []
    if isinstance(value, list):
        if name == "*":
            return value
        return [value[int(name)]] if name.isdecimal() and int(name) < len(value) else []
    return []


def compare(one: Json, sign: str, other: Json) -> bool:
    """Compare two values; numbers only are greater or smaller than each other."""
    if sign == "has":
        if isinstance(one, str):
            return isinstance(other, str) and other.casefold() in one.casefold()
        return isinstance(one, list | dict) and other in one
    if sign in _ORDERS:
        return type(one) is int and type(other) is int and _ORDERS[sign](one, other)
    same = type(one) is type(other) and one == other
    return same if sign in ("=", "==") else not same


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _Parser:
    """A parser by descent: or, and, not, comparison."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise InvalidRequest(say("A condition has at most {most} characters.", most=LONGEST))
        self.text = text
        self.tokens = list(_iter_tokens(text))
        self.place = self.depth = 0
        self.paths: list[str] = []

    def parse_either(self) -> Holds:
        conditions = [self.parse_both()]
        while self.take("or"):
            conditions.append(self.parse_both())
        return lambda values: any(one(values) for one in conditions)

    def parse_both(self) -> Holds:
        conditions = [self.parse_one()]
        while self.take("and"):
            conditions.append(self.parse_one())
        return lambda values: all(one(values) for one in conditions)

    def parse_one(self) -> Holds:
        negations = 0
        while self.take("not"):
            negations += 1
        condition = self.parse_group() if self.take("(") else self.parse_comparison()
        return (lambda values: not condition(values)) if negations % 2 else condition

    def parse_group(self) -> Holds:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InvalidRequest(
                say("A condition has at most {most} brackets in brackets.", most=DEEPEST)
            )
        condition = self.parse_either()
        self.must_take(")")
        self.depth -= 1
        return condition

    def parse_comparison(self) -> Holds:
        left = self.parse_left()
        sign = self.take_next()
        if sign is None or sign.text not in _COMPARISONS:
            raise self.make_fault(sign, say("one of {signs}", signs=" ".join(_COMPARISONS)))
        right = self.parse_right()
        return lambda values: any(compare(one, sign.text, right) for one in left(values))

    def parse_left(self) -> Callable[[JsonObject], Iterator[Json]]:
        path = self.take_word(say("the path of a value, such as players.0.score"))
        counts = path == "count" and self.take("(")
        if counts:
            path = self.take_word(say("the path of what is to be counted"))
            self.must_take(")")
        self.paths.append(path)
        if not counts:
            return lambda values: look_up(values, path)
        return lambda values: (
            len(one) for one in look_up(values, path) if isinstance(one, list | dict)
        )

    def take_word(self, wanted: str) -> str:
        token = self.take_next()
        if token is None or token.kind != "word":
            raise self.make_fault(token, wanted)
        return token.text

    def parse_right(self) -> Json:
        token = self.take_next()
        if token is None or token.kind == "operator":
            raise self.make_fault(token, say("a number, a word, or text in quotes"))
        if token.kind == "number":
            return int(token.text)
        if token.kind == "string":
            return token.text[1:-1]
        return _LITERALS.get(token.text, token.text)

    def take_next(self) -> _Token | None:
        token = self.tokens[self.place] if self.place < len(self.tokens) else None
        self.place += 1
        return token

    def take(self, text: str) -> bool:
        there = self.place < len(self.tokens) and self.tokens[self.place].text == text
        self.place += there
        return there

    def must_take(self, text: str) -> None:
        if not self.take(text):
            raise self.make_fault(self.take_next(), repr(text))

    def make_fault(self, token: _Token | None, wanted: str) -> InvalidRequest:
        if token is None:
            told = say(
                "The condition cannot be read at its end: there should be {wanted}.", wanted=wanted
            )
        else:
            told = say(
                "The condition cannot be read at {found!r}: there should be {wanted}.",
                found=self.text[token.at :][:20],
                wanted=wanted,
            )
        return InvalidRequest(told)


def _iter_tokens(text: str) -> Iterator[_Token]:
    at = 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            raise InvalidRequest(
                say("The condition cannot be read at {found!r}.", found=text[at:].strip()[:20])
            )
        kind = found.lastgroup or ""
        yield _Token(kind, found[kind], found.start(kind))
        at = found.end()


class StepFilter(NamedTuple):
    """What a step must be like; None: it does not matter.

    ``text`` stands in what is told of it, in whatever case. ``kind`` is its event's. ``player``
    (a name) did it. ``where`` holds of its ``values``.
    """

    text: str | None = None
    kind: str | None = None
    player: str | None = None
    where: Condition | None = None


class FoundStep(NamedTuple):
    """A step that is as wanted."""

    match: str
    frame: Frame


def get_values(frame: Frame) -> JsonObject:
    """Return what a condition may ask of a step: its state's members, and a few more."""
    shown = frame_json(frame)
    return {
        "version": frame.version,
        "event": frame.event,
        "to_act": frame.view.to_act,
        "ply": frame.view.ply,
        "text": frame.text,
        **(shown["state"] or {}),
    }


@dataclass(frozen=True, slots=True)
class Search:
    """Finds the steps of one match, or of many, at which a condition holds."""

    database: Database
    replays: Replays

    def iter_steps(self, look: Asker, match_id: str, wanted: StepFilter) -> Iterator[FoundStep]:
        """Yield the steps of a match that are as wanted, in order. Raises ``NotFound``."""
        replay = self.replays.replay(look, match_id)
        seats = replay.shown.view.seats
        actors = {
            format_actor(seat)
            for seat, player in enumerate(seats, 1)
            if wanted.player is not None
            and fold_name(replay.shown.get_name(player) or "") == fold_name(wanted.player)
        }
        for frame in replay.frames:
            if _is_wanted(frame, wanted, actors):
                yield FoundStep(match_id, frame)

    def list_unknown(self, look: Asker, match_id: str, condition: Condition) -> list[str]:
        """Return the paths of a condition that lead nowhere at any step: mistyped, most likely."""
        steps = [get_values(frame) for frame in self.replays.replay(look, match_id).frames]
        return [
            path
            for path in condition.paths
            if not any(True for step in steps for _ in look_up(step, path))
        ]

    def iter_matches(self, game: str | None = None, player: str | None = None) -> Iterator[str]:
        """Yield the ids of the public matches, the newest first.

        A page is read at a time, so that there may be any number. Private matches, and those
        that are found only by who has their id, are in no such search.
        """
        with self.database.read() as connection:
            found = None if player is None else find_id(connection, player)
        if player is None or found is not None:
            yield from iter_match_ids(self.database, RowFilters(game=game, player=found))


def _is_wanted(frame: Frame, wanted: StepFilter, actors: set[str]) -> bool:
    event = frame.event or {}
    if wanted.kind is not None and event.get("kind") != wanted.kind:
        return False
    if wanted.player is not None and event.get("actor") not in actors:
        return False
    if wanted.text is not None and wanted.text.casefold() not in frame.text.casefold():
        return False
    return wanted.where is None or wanted.where.holds(get_values(frame))
