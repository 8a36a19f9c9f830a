"""What a game is: a frozen record of plain functions over values.

The match around a game (seats, offers, results) knows this record and no game. The
three type parameters keep truth and sight apart: ``P`` is the whole position, ``M`` a
parsed move, ``V`` what one viewer may see. Outside its own package a game is an
``AnyGame``, whose parameters are opaque, so that a renderer given a raw position does
not type-check.

A ``Viewer`` is who looks: a seat, or a spectator. Hidden is the default: only an audience
sees what is sealed for it.

What checks, reads and writes the forms of moves is at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple, NewType, TypeAlias, TypeVar, get_type_hints

from domain.errors import MalformedMove
from domain.game.options import Options
from domain.game.scene import Scene
from domain.i18n import Persons, say
from domain.json_types import Json, JsonObject, make_pointer
from domain.log.chance import Dice, Sampler


class Viewer(StrEnum):
    """One who looks at a match; the values are the audiences of seals."""

    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SPECTATOR = "spectator"
    SERVER = "server"

    @property
    def seat(self) -> int | None:
        """The seat of this viewer, or None."""
        return _SEATS.get(self)

    @classmethod
    def from_seat(cls, seat: int | None) -> Viewer:
        """Return the viewer who holds ``seat``; without a seat, a spectator."""
        return cls.SPECTATOR if seat is None else cls(f"seat-{seat}")


_SEATS = {Viewer.SEAT_1: 1, Viewer.SEAT_2: 2}


NO_LEGAL_MOVE = "no-legal-move"
"""The reason of a forced pass, the same in every game."""


class Act(NamedTuple):
    """``seat`` (1 or 2) is to move."""

    seat: int


ACTS = {seat: Act(seat) for seat in (1, 2)}
"""One for each seat, made once: it is what a game says after nearly every move."""


class Draw(NamedTuple):
    """Chance is to decide: a die, a shuffle, a setup.

    ``purpose`` is stored; ``seat`` says whose, where it is somebody's. A ``hidden``
    outcome is sealed for the server.
    """

    purpose: str
    sample: Sampler
    seat: int | None = None
    hidden: bool = False


class Pass(NamedTuple):
    """``seat`` has no legal move and is passed over.

    ``shown`` is what the pass reveals to both seats (``{"hand": [...]}``), or None.
    """

    seat: int
    reason: str = NO_LEGAL_MOVE
    shown: JsonObject | None = None


class Over(NamedTuple):
    """The game has ended; ``winner`` None is a draw."""

    winner: int | None
    reason: str


Step: TypeAlias = Act | Draw | Pass | Over


class Last(NamedTuple):
    """The last move, as its viewer may see it (JSON form)."""

    seat: int
    move: JsonObject


class Notation(NamedTuple):
    """A short text for every move, and back.

    ``write`` takes a move's JSON form; of a move whose hidden members are left out it
    writes ``?`` in their place. ``read`` returns the JSON form, or raises
    ``MalformedMove`` with a sentence that names the forms there are. ``help`` is that
    sentence.
    """

    write: Callable[[JsonObject], str]
    read: Callable[[str], JsonObject]
    help: str


P = TypeVar("P")
M = TypeVar("M")
V = TypeVar("V")


def view_all(position: P, *_: object) -> P:
    """Return what everybody sees where nothing is hidden: the position."""
    return position


def _keep(position: P, *_: object) -> P:
    """Stand for the draws of a game that has none: by this one it is known."""
    return position


def _pass_over(position: Any) -> Any:  # noqa: ANN401 - a position with a seat
    return position._replace(seat=3 - position.seat)


@dataclass(frozen=True, slots=True)
class Game(Generic[P, M, V]):
    """One version of the rules of one game.

    Rules:

    - ``set_up(options, settings)``: the position before anything happened. ``options``
      are complete; ``settings`` are those of seats 1 and 2 (empty without settings).
    - ``get_next_step(position)``: who or what comes next: ``Act``, ``Draw``, ``Pass``, ``Over``.
    - ``parse_move(json)``: a move parsed, and brought to its one canonical form; raises
      ``MalformedMove``. ``dump_move(move)``: its JSON form.
    - ``check_move(position, move)``: the rule that forbids the move to the seat to act,
      as a sentence, or None. It does not build the list of legal moves.
    - ``iter_legal_moves(position)``: all of them, lazily, in the order of the game's page.
    - ``play``, ``draw``, ``forfeit``: the position after a move of the seat to act, after
      an outcome (purpose, seat, outcome), after a forced pass (left out, it is the same but for
      its ``seat``). They judge nothing.
    - ``conceal(position, move)``: the public part of the JSON form, if it hides some.
    - ``recall(json)``: a move that is on record, in its canonical form; looks at nothing, since
      a fold judges nothing. Left out, it is ``parse_move``.

    What is seen:

    - ``view(position, viewer, over)``: what the viewer may see; all of it when ``over``
      (``view_all`` where nothing is hidden).
    - ``show(view)``: the JSON of the game's page, section *State*.
    - ``build_scene(view, last)``: the board.
    - ``build_path(view, move)``: a move's steps over the ids of the board.
    - ``tell(before, after, last)``: what a move did, in a sentence; seats are P1 and P2.
    - ``tell_draw(view, purpose, seat, outcome)``: the same of a draw; outcome None: hidden.
    - ``iter_revealed(view)``: what the view shows that can be hidden, each piece by whose it is and
      what (``(1, 12)``), as often as it shows it; a takeback must not leave anybody with more of
      it. A game with secrets needs it.
    - ``foresee(view, move)``: the view after a move of the seat to act, as far as its player knows
      before it is made; None where nobody does. Left out, nothing is hidden, and it is ``play``.
    - ``find_sequel(view, move)``: where turns have several moves, the view after one, as far as its
      player knows it before, and the moves that may follow in the turn whatever that one shows;
      None where none follows or nobody knows. Left out, it is None.
    - ``reckon(view, move)``: the sum that a move rests on, to be looked at before it is made, or
      None.
    - ``tell_settled(view)``: why nothing can be decided any more and it will be a draw, or None.
    - ``warn(view, move)``: why a player may regret this move at once, or None.

    What is planned, in a game with secrets:

    - ``parse_seen(json)``: a move's JSON as the other seat sees it, in its one canonical form;
      raises ``MalformedMove``. Left out, moves hide nothing, and it is the written form.
    - ``doubt(view, moves)``: why a seat that sees ``view`` cannot know that it will be able to
      make these moves of its own, one after the other, whenever its turn comes; or None.

    What a search stands on (``domain.search``); a game that offers none of it is searched by
    playing matches out:

    - ``evaluate(position)``: by how many points seat 1 is ahead, as a whole number; of an ended
      match, by how many it won.
    - ``iter_promising(position)``: of the legal moves those that are worth a look, at least one,
      where there are too many to look at each; where nothing is hidden, one of the best must be
      among them. Left out, it is ``iter_legal_moves``.
    - ``find_opening(position)``: the best move where it was proven beforehand, or None: the
      strongest level knows it by heart.
    - ``complete(view, options, dice)``: a whole position that agrees with what its viewer sees, the
      hidden drawn with ``dice``. Left out, nothing is hidden, and the view is the position.
    - ``levels``: how many positions a house player looks at for a move, from the weakest to the
      strongest: 1 to 5 of them, as many as do better than the one before.
    - ``level_scores``: of 1,000 points, how many level 2 wins against level 1, level 3 against 2,
      and so on; left out, no level has a rating. Source: docs/strength.md. They are part of every
      rating that follows, and stay when levels are measured anew (docs/ratings.md).
    - ``lead``: so many points ahead, in what ``evaluate`` counts, three of four matches are won.

    What is kept: ``dump(position)`` is JSON, and ``load`` brings it back unchanged; its annotation
    says what. For tuples ``domain.log.shapes`` has both.
    """

    slug: str
    name: str
    rules_version: int
    summary: str
    endings: Mapping[str, str]
    """Every reason that the rules may end a match with (the match itself knows more), and what has
    happened then, as it goes on behind "P1 won:" and "A draw:"."""
    options: Options
    set_up: Callable[[JsonObject, tuple[JsonObject, JsonObject]], P]
    get_next_step: Callable[[P], Step]
    parse_move: Callable[[Json], M]
    dump_move: Callable[[M], JsonObject]
    check_move: Callable[[P, M], str | None]
    iter_legal_moves: Callable[[P], Iterable[M]]
    play: Callable[[P, M], P]
    view: Callable[[P, Viewer, bool], V]
    show: Callable[[V], JsonObject]
    build_scene: Callable[[V, Last | None], Scene]
    build_path: Callable[[V, M], tuple[str, ...]]
    notation: Notation
    tell: Callable[[V, V, Last], str]
    dump: Callable[[P], Json]
    load: Callable[[Json], P]
    recall: Callable[[JsonObject], M] | None = None
    settings: Options = ()
    forfeit: Callable[[P], P] = field(default=_pass_over)
    draw: Callable[[P, str, int | None, Json], P] = field(default=_keep)
    tell_draw: Callable[[V, str, int | None, Json], str] = field(default=lambda *_: "")
    conceal: Callable[[P, M], JsonObject | None] = field(default=lambda *_: None)
    tell_settled: Callable[[V], str | None] = field(default=lambda _: None)
    warn: Callable[[V, M], str | None] = field(default=lambda *_: None)
    foresee: Callable[[V, M], V | None] | None = None
    find_sequel: Callable[[V, M], tuple[V, Iterable[M]] | None] = field(default=lambda *_: None)
    reckon: Callable[[V, M], str | None] = field(default=lambda *_: None)
    parse_seen: Callable[[Json], JsonObject] | None = None
    doubt: Callable[[V, Sequence[M]], str | None] = field(default=lambda *_: None)
    iter_revealed: Callable[[V], Iterable[Hashable]] = field(default=lambda _: ())
    evaluate: Callable[[P], int] | None = None
    iter_promising: Callable[[P], Iterable[M]] | None = None
    find_opening: Callable[[P], M | None] = field(default=lambda _: None)
    complete: Callable[[V, JsonObject, Dice], P] | None = None
    levels: tuple[int, ...] = (100, 300, 2_000, 15_000)
    level_scores: tuple[int, ...] = ()
    lead: int = 100
    begun_by_chance: bool = False
    """Whether chance decides who makes the first move; else seat 1 makes it."""
    secrets: bool = False
    """Whether anything is hidden from anybody while a match runs."""
    persons: Persons = field(default_factory=dict)
    """Of each sentence about seats, what is said to their players (``domain.i18n.People``)."""
    turned_for: int | None = None
    """The seat for which the board is turned, since its own side would be at the top or right."""

    @property
    def has_dice(self) -> bool:
        """Whether chance takes part in it, with some of its options at least."""
        return self.draw is not _keep


Position = NewType("Position", object)
"""The truth: everything, the hidden included. Never leaves the service."""
Move = NewType("Move", object)
Sight = NewType("Sight", object)
"""What one viewer may see of a position."""

AnyGame: TypeAlias = Game[Position, Move, Sight]


Members: TypeAlias = Mapping[str, type]
"""Member names and their Python types, as JSON gives them: int, str, list, dict."""

_WORDS = {
    int: say("a whole number"),
    str: say("a text"),
    list: say("a list"),
    dict: say("an object"),
}


def check_members(move: Json, wanted: Members) -> JsonObject:
    """Return ``move`` if it is an object of exactly the ``wanted`` members.

    Raises ``MalformedMove`` otherwise. A boolean is no integer.
    """
    if type(move) is not dict:
        raise MalformedMove(say("A move is a JSON object."), pointer="")
    for name, kind in wanted.items():
        if name not in move:
            raise MalformedMove(say("The move lacks {name!r}.", name=name), pointer=f"/{name}")
        if type(move[name]) is not kind:
            raise MalformedMove(
                say("{name!r} must be {kind}.", name=name, kind=_WORDS[kind]), pointer=f"/{name}"
            )
    if len(move) > len(wanted):
        unknown = next(name for name in move if name not in wanted)
        raise MalformedMove(
            say("A move of this kind has no {unknown!r}.", unknown=unknown),
            pointer=make_pointer(unknown),
        )
    return move


def make_parser(move: type[M]) -> Callable[[Json], M]:
    """Make the ``parse_move`` of a game whose moves are one record: its fields are members."""
    wanted = get_type_hints(move)
    return lambda json: move(**check_members(json, wanted))


def read_action(move: Json, actions: Mapping[str, Members]) -> str:
    """Return the ``action`` of ``move`` after checking that its members fit it.

    ``actions`` gives the members of each action besides ``action`` itself. Raises
    ``MalformedMove``.
    """
    if type(move) is not dict:
        raise MalformedMove(say("A move is a JSON object."), pointer="")
    name = move.get("action")
    if type(name) is not str or name not in actions:
        known = ", ".join(repr(one) for one in actions)
        raise MalformedMove(say("'action' must be one of {known}.", known=known), pointer="/action")
    check_members(move, {"action": str, **actions[name]})
    return name


def make_notation(help_: str, forms: Mapping[str | None, tuple[str, str]]) -> Notation:
    """Return a notation for moves whose members are numbers.

    ``forms``: by the move's action (None: it has none) a template that writes its members, and a
    pattern whose named groups read them.
    """
    patterns = {action: re.compile(pattern) for action, (_, pattern) in forms.items()}

    def read(text: str) -> JsonObject:
        for action, pattern in patterns.items():
            found = pattern.fullmatch(text)
            if found is not None:
                numbers = {name: int(number) for name, number in found.groupdict().items()}
                return numbers if action is None else {"action": action, **numbers}
        raise MalformedMove(help_)

    return Notation(lambda move: forms[move.get("action")][0].format(**move), read, help_)
