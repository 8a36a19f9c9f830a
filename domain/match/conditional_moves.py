"""Conditional moves: "if they play this, I play that", as lines that branch.

A line begins at a move of the opponent as the author sees it, and says what the author plays
then: one move, several in a row where the turn goes on, or none yet where the opponent's own
turn goes on. ``next`` holds the lines that follow on it. People enter one line after the other,
and each is put into the tree of those that there are.

Lines that begin behind moves which their author is still to make by hand hang on one line whose
condition is empty, and whose answers are these moves: see ``put_behind``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from domain.errors import InvalidConditionalMoves, MalformedMove
from domain.game.game import Act, AnyGame, Draw, Move, Over, Pass, Position, Viewer
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match.state import Match

MOST_LINES = 100
"""So many lines in all, those that follow on others counted."""
DEEPEST = 20
"""So many lines may follow one on the other."""
MOST_ANSWERS = 8
"""So many moves in a row may answer one move."""

_LABEL = re.compile(r"[1-9][0-9]{0,2}(\.[1-9][0-9]{0,2})*", re.ASCII)


class Line(NamedTuple):
    """A condition, the author's answers to it, and the lines that follow. Moves are JSON."""

    when: JsonObject
    then: tuple[JsonObject, ...]
    next: tuple[Line, ...] = ()


ConditionalMoves = tuple[Line, ...]


def read(json: Json, game: AnyGame) -> ConditionalMoves:
    """Return lines given as JSON, every move in its canonical form.

    Raises ``InvalidConditionalMoves`` where the form is wrong, or there is too much of it.
    """
    return _Reading(game).read_lines(json, "/lines", 1)


def read_moves(json: Json, game: AnyGame) -> tuple[JsonObject, ...]:
    """Return the author's own moves given as JSON, in their canonical form.

    Raises ``InvalidConditionalMoves``.
    """
    return _Reading(game).read_moves(json, "/after")


def put_behind(after: tuple[JsonObject, ...], lines: ConditionalMoves) -> ConditionalMoves:
    """Return lines that begin behind moves of their author's own."""
    return (Line({}, after, lines),) if after else lines


def split(lines: ConditionalMoves) -> tuple[tuple[JsonObject, ...], ConditionalMoves]:
    """Return the author's own moves that come first, if any, and the lines behind them.

    >>> split(put_behind(({"steps": 1},), (Line({"steps": 2}, ({"steps": 3},)),)))[0]
    ({'steps': 1},)
    """
    return (lines[0].then, lines[0].next) if lines and not lines[0].when else ((), lines)


def dump_lines(lines: ConditionalMoves) -> list[JsonObject]:
    """Return lines as JSON.

    >>> dump_lines((Line({"steps": 1}, ({"steps": 2},)),))
    [{'if': {'steps': 1}, 'then': [{'steps': 2}], 'next': []}]
    """
    return [
        {"if": line.when, "then": list(line.then), "next": dump_lines(line.next)} for line in lines
    ]


def load_lines(json: list[JsonObject]) -> ConditionalMoves:
    """Return the lines that ``dump_lines`` wrote."""
    return tuple(Line(one["if"], tuple(one["then"]), load_lines(one["next"])) for one in json)


def remove_line(lines: ConditionalMoves, label: str) -> ConditionalMoves | None:
    """Return lines without the one of this label and what follows on it; None: there is none.

    Labels count from 1 at each branching: ``2.1`` is the first line that follows on the second.

    >>> line = Line({}, (), (Line({}, ()), Line({}, ())))
    >>> remove_line((line,), "1.2") == (Line({}, (), (Line({}, ()),)),)
    True
    """
    index, rest = _find_labelled(lines, label)
    if index is None:
        return None
    if not rest:
        return lines[:index] + lines[index + 1 :]
    line = lines[index]
    following = remove_line(line.next, rest)
    if following is None:
        return None
    kept = () if not line.then and not following else (line._replace(next=following),)
    return lines[:index] + kept + lines[index + 1 :]


def _find_labelled(lines: ConditionalMoves, label: str) -> tuple[int | None, str]:
    """Return the index of the line that a label begins with, or None, and the rest of the label."""
    first, _, rest = label.partition(".")
    there = _LABEL.fullmatch(label) is not None and int(first) <= len(lines)
    return int(first) - 1 if there else None, rest


class _Reading:
    """One reading; counts the lines that it has met."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._count = 0

    def read_lines(self, json: Json, pointer: str, depth: int) -> ConditionalMoves:
        if type(json) is not list:
            raise InvalidConditionalMoves(say("Lines are a list."), pointer=pointer)
        if json and depth > DEEPEST:
            raise InvalidConditionalMoves(
                say("At most {most} lines may follow one on the other.", most=DEEPEST),
                pointer=pointer,
            )
        lines: list[Line] = []
        for index, one in enumerate(json):
            at = f"{pointer}/{index}"
            line = self._read_line(one, at, depth)
            if any(line.when == other.when for other in lines):
                raise InvalidConditionalMoves(
                    say("The same move is answered twice."), pointer=f"{at}/if"
                )
            lines.append(line)
        return tuple(lines)

    def _read_line(self, json: Json, at: str, depth: int) -> Line:
        self._count += 1
        if self._count > MOST_LINES:
            raise InvalidConditionalMoves(
                say("There may be {most} lines in all.", most=MOST_LINES), pointer=at
            )
        if type(json) is not dict or not {"if", "then"} <= json.keys() <= {"if", "then", "next"}:
            raise InvalidConditionalMoves(
                say("A line is an object of 'if', 'then' and perhaps 'next'."), pointer=at
            )
        line = Line(
            _read_move(self._game.parse_seen or self._read_own, json["if"], f"{at}/if"),
            self.read_moves(json["then"], f"{at}/then"),
            self.read_lines(json.get("next", []), f"{at}/next", depth + 1),
        )
        if not line.then and not line.next:
            raise InvalidConditionalMoves(
                say("A line ends with a move of yours."), pointer=f"{at}/then"
            )
        return line

    def read_moves(self, json: Json, at: str) -> tuple[JsonObject, ...]:
        if type(json) is not list or len(json) > MOST_ANSWERS:
            raise InvalidConditionalMoves(
                say("This must be a list of at most {most} moves.", most=MOST_ANSWERS), pointer=at
            )
        return tuple(
            _read_move(self._read_own, one, f"{at}/{index}") for index, one in enumerate(json)
        )

    def _read_own(self, json: Json) -> JsonObject:
        return self._game.dump_move(self._game.parse_move(json))


def _read_move(read: Callable[[Json], JsonObject], json: Json, at: str) -> JsonObject:
    try:
        return read(json)
    except MalformedMove as fault:
        raise InvalidConditionalMoves(fault.detail, pointer=f"{at}{fault.pointer or ''}") from fault


def check(match: Match, seat: int, lines: ConditionalMoves) -> None:
    """Judge lines of ``seat`` as far as their author could.

    The other seat is to act, or lines hang behind moves of their author's own. In a game
    without secrets every move is tried, up to where chance decides. In one with secrets only what
    the author's own sight answers is asked: whether the moves are sure to be its to make. Raises
    ``InvalidConditionalMoves``.
    """
    after, lines = split(lines)
    if match.game.secrets:
        _Knowing(match, seat).begin(after, lines)
    else:
        _Trying(match.game, seat).begin(match.started, after, lines)


class _Knowing:
    """A check by what the author sees."""

    def __init__(self, match: Match, seat: int) -> None:
        self._game = match.game
        self._position = match.started
        self._sight = match.game.view(match.started, Viewer.from_seat(seat), False)  # noqa: FBT003 - as in Game

    def begin(self, after: tuple[JsonObject, ...], lines: ConditionalMoves) -> None:
        if after:
            # It is the author's turn, who could as well ask whether this is legal by playing it.
            forbidden = self._game.check_move(self._position, self._game.parse_move(after[0]))
            if forbidden is not None:
                raise InvalidConditionalMoves(forbidden, pointer="/after/0")
        self._check(lines, self._check_moves((), after, "/after"), "/lines")

    def _check(self, lines: ConditionalMoves, before: tuple[Move, ...], pointer: str) -> None:
        for index, line in enumerate(lines):
            at = f"{pointer}/{index}"
            self._check(line.next, self._check_moves(before, line.then, f"{at}/then"), f"{at}/next")

    def _check_moves(
        self, before: tuple[Move, ...], moves: tuple[JsonObject, ...], at: str
    ) -> tuple[Move, ...]:
        """Return all moves of the author's up to the last of these, each of them a sure one."""
        for number, json in enumerate(moves):
            before = (*before, self._game.parse_move(json))
            fault = self._game.doubt(self._sight, before)
            if fault is not None:
                raise InvalidConditionalMoves(fault, pointer=f"{at}/{number}")
        return before


class _Trying:
    """A check by playing the lines, in a game where both seats see everything."""

    def __init__(self, game: AnyGame, seat: int) -> None:
        self._game = game
        self._seat = seat

    def begin(
        self, position: Position, after: tuple[JsonObject, ...], lines: ConditionalMoves
    ) -> None:
        self._check(self._play_answers(position, after, "/after"), lines, "/lines")

    def _check(self, position: Position | None, lines: ConditionalMoves, pointer: str) -> None:
        if position is None:
            return
        for index, line in enumerate(lines):
            at = f"{pointer}/{index}"
            after = self._play(position, line.when, 3 - self._seat, f"{at}/if")
            self._check(self._play_answers(after, line.then, f"{at}/then"), line.next, f"{at}/next")

    def _play_answers(
        self, position: Position | None, moves: tuple[JsonObject, ...], at: str
    ) -> Position | None:
        for number, move in enumerate(moves):
            if position is not None:
                position = self._play(position, move, self._seat, f"{at}/{number}")
        return position

    def _play(self, position: Position, json: JsonObject, seat: int, at: str) -> Position | None:
        """Return the position after a move and what follows on it; None: chance decides that."""
        game = self._game
        step = game.get_next_step(position)
        if isinstance(step, Over):
            raise InvalidConditionalMoves(say("The game is over before this."), pointer=at)
        if step != Act(seat):
            own = say("It is your turn at this point.")
            other = say("It is your opponent's turn at this point.")
            raise InvalidConditionalMoves(own if seat != self._seat else other, pointer=at)
        move = game.parse_move(json)
        forbidden = game.check_move(position, move)
        if forbidden is not None:
            raise InvalidConditionalMoves(forbidden, pointer=at)
        return self._settle(game.play(position, move))

    def _settle(self, position: Position) -> Position | None:
        while True:
            match self._game.get_next_step(position):
                case Pass():
                    position = self._game.forfeit(position)
                case Draw():
                    return None
                case _:
                    return position


def find_line(lines: ConditionalMoves, move: JsonObject) -> Line | None:
    """Return the line that begins at a move of the opponent, given as the author sees it."""
    return next((line for line in lines if line.when == move), None)


def make_line(moves: Sequence[tuple[int, JsonObject]], seat: int) -> ConditionalMoves:
    """Return the line of ``seat`` that a sequence of moves is, each with the seat that makes it.

    Moves of its own at the beginning are those that it makes by hand first. Raises
    ``InvalidConditionalMoves`` unless it ends with a move of ``seat`` that answers one.

    >>> a, b, c = ({"steps": steps} for steps in (1, 2, 3))
    >>> make_line([(1, a), (2, b), (1, c)], 1) == put_behind((a,), (Line(b, (c,)),))
    True
    """
    first = next((at for at, (mover, _) in enumerate(moves) if mover != seat), len(moves))
    lines: ConditionalMoves = ()
    answers: list[JsonObject] = []
    for mover, move in reversed(moves[first:]):
        if mover == seat:
            answers.insert(0, move)
        elif answers or lines:
            lines, answers = (Line(move, tuple(answers), lines),), []
        else:
            raise InvalidConditionalMoves(say("A line ends with a move of yours."))
    if not lines:
        raise InvalidConditionalMoves(
            say("A line answers a move of your opponent's with one of yours.")
        )
    return put_behind(tuple(move for _, move in moves[:first]), lines)


def join_lines(lines: ConditionalMoves, more: ConditionalMoves) -> ConditionalMoves:
    """Return lines with others among them.

    Raises ``InvalidConditionalMoves`` where both answer the same move, and differently.
    """
    found = list(lines)
    for line in more:
        at = next((at for at, one in enumerate(found) if one.when == line.when), None)
        if at is None:
            found.append(line)
            continue
        there = found[at]
        if there.then != line.then:
            raise InvalidConditionalMoves(
                say("You answer that move already, and differently. Remove that line first.")
                if line.when
                else say("Your lines begin behind another move of yours. Remove them first.")
            )
        found[at] = there._replace(next=join_lines(there.next, line.next))
    return tuple(found)


def put_under(
    lines: ConditionalMoves, label: str, more: ConditionalMoves
) -> ConditionalMoves | None:
    """Return ``more`` as it stands behind the line of a label; None: there is no such line.

    >>> one = Line({"steps": 1}, ({"steps": 2},))
    >>> put_under((one,), "1", (Line({"steps": 3}, ({"steps": 3},)),))[0].next[0].when
    {'steps': 3}
    """
    index, rest = _find_labelled(lines, label)
    if index is None:
        return None
    line = lines[index]
    following = put_under(line.next, rest, more) if rest else more
    return None if following is None else (line._replace(next=following),)
