"""Matches typed in notation, random courses of a game, and a second opinion on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from domain.errors import InvalidOptions
from domain.game.game import Act, Draw, Game, Over, Pass, Sight, Step, Viewer
from domain.game.options import fill
from domain.game.scene import Mark, Scene, Space
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource, Dice
from tests.support.scenario import SECRET, Given, Table

AnyRules = Game[Any, Any, Any]

HUGE = (-1, -(2**63), 2**53, 10**5000, -(10**5000))
"""Integers out of every range; Python does not even write the last two."""


def typed(game: AnyRules, moves: str, **options: Json) -> Table:
    """Return a match after ``moves``, written in the game's notation with spaces between."""
    table = Table.started(game, options=options)
    table.play(*map(game.notation.read, moves.split()))
    return table


def state(table: Table) -> JsonObject:
    """Return the state of a match that has started."""
    return table.game.show(_sight(table))


def refusal(table: Table, move: Json) -> str:
    """Return the sentence that refuses ``move`` to the seat to act as illegal."""
    return Given(table).when(move=move).refuses("illegal-move").detail


def listed(table: Table) -> list[str]:
    """Return the legal moves of the seat to act, in notation."""
    return [table.game.notation.write(move) for move in table.legal_moves()]


def kinds(table: Table, last: int) -> list[str]:
    """Return the kinds of the ``last`` events."""
    return [event.kind for event in table.events[-last:]]


def ended(table: Table) -> tuple[int | None, str | None]:
    """Return winner and reason of a match that has ended in its last event."""
    assert table.events[-1].kind == "match-ended"
    return table.match.winner, table.match.reason


def told(table: Table, move: str) -> str:
    """Play a move written in notation; return what it did, in a sentence."""
    before = _sight(table)
    table.play(table.game.notation.read(move))
    last = table.view(Viewer.SPECTATOR).last
    assert last is not None
    return table.game.tell(before, _sight(table), last)


def drawn(table: Table) -> Scene:
    """Return the scene of a match as it stands."""
    return table.game.build_scene(_sight(table), table.view(Viewer.SPECTATOR).last)


def _sight(table: Table) -> Sight:
    sight = table.view(Viewer.SPECTATOR).sight
    assert sight is not None
    return sight


def space(scene: Scene, name: str) -> Space:
    """Return the space with an id."""
    return next(one for zone in scene.zones for one in zone.spaces if one.id == name)


def marked(scene: Scene, mark: Mark) -> list[str]:
    """Return the ids of the spaces with a mark, in order."""
    return [one.id for zone in scene.zones for one in zone.spaces if mark in one.marks]


def invalid(game: AnyRules, **options: Json) -> str:
    """Return the sentence that refuses the options of a match."""
    try:
        fill(game.options, options)
    except InvalidOptions as refused:
        return refused.detail
    raise AssertionError(f"{options} were accepted")


class Turn(NamedTuple):
    """One move of a course: positions, the seat, what it could do and did, what came next."""

    before: Any
    seat: int
    legal: list[JsonObject]
    move: JsonObject
    after: Any
    then: list[Step]
    """Steps up to the next seat to act, or to the end."""


def course(game: AnyRules, options: JsonObject, number: int) -> Iterator[Turn]:
    """Yield the turns of a random match; ``number`` decides all of it."""
    chance = Random(number)
    position = game.set_up(fill(game.options, options), ({}, {}))
    position, then = _settled(game, position, number)
    while isinstance(then[-1], Act):
        legal = list(game.iter_legal_moves(position))
        move = chance.choice(legal)
        before, position = position, game.play(position, move)
        after, seat = position, then[-1].seat
        position, then = _settled(game, position, number)
        yield Turn(before, seat, [*map(game.dump_move, legal)], game.dump_move(move), after, then)


def _settled(game: AnyRules, position: Any, number: int) -> tuple[Any, list[Step]]:  # noqa: ANN401 - of any game
    steps: list[Step] = []
    while not steps or not isinstance(steps[-1], Act | Over):
        steps.append(game.get_next_step(position))
        match steps[-1]:
            case Draw(purpose, sample, seat):
                outcome = sample(Dice(ChanceSource(SECRET, f"{number}", (None, None)), 1))
                position = game.draw(position, purpose, seat, outcome)
            case Pass():
                position = game.forfeit(position)
            case Act() | Over():
                pass
    return position, steps


class Reference(NamedTuple):
    """A game said once more, over the JSON of states; ``options`` are complete.

    ``moves(state, seat, options)``: all legal moves in order. ``play(state, seat, move,
    options)``: the state afterwards. ``end(state, seat, options)``: winner and reason, or
    None, after a move of ``seat``.
    """

    moves: Callable[[JsonObject, int, JsonObject], list[JsonObject]]
    play: Callable[[JsonObject, int, JsonObject, JsonObject], JsonObject]
    end: Callable[[JsonObject, int, JsonObject], tuple[int | None, str] | None]

    def then(self, state: JsonObject, seat: int, options: JsonObject) -> list[Step]:
        """Return the steps that follow a move of ``seat`` that led to ``state``."""
        end = self.end(state, seat, options)
        if end is not None:
            return [Over(*end)]
        if self.moves(state, 3 - seat, options):
            return [Act(3 - seat)]
        return [Pass(3 - seat), Act(seat)]

    def sequences(self, state: JsonObject, seat: int, options: JsonObject, depth: int) -> int:
        """Count the sequences of ``depth`` moves, or fewer where the match ends before."""
        if depth == 0:
            return 1
        count = 0
        for move in self.moves(state, seat, options):
            after = self.play(state, seat, move, options)
            step = self.then(after, seat, options)[-1]
            if isinstance(step, Act):
                count += self.sequences(after, step.seat, options, depth - 1)
            else:
                count += 1
        return count


def agrees(game: AnyRules, reference: Reference, options: JsonObject, number: int) -> int:
    """Hold a random match against the reference; return the number of its moves."""
    complete = fill(game.options, options)
    count = 0
    for turn in course(game, options, number):
        before = game.show(turn.before)
        assert turn.legal == reference.moves(before, turn.seat, complete)
        after = reference.play(before, turn.seat, turn.move, complete)
        assert game.show(turn.after) == after
        assert turn.then == reference.then(after, turn.seat, complete)
        count += 1
    return count


def sequences(game: AnyRules, depth: int, **options: Json) -> int:
    """Count the sequences of ``depth`` moves that the rules allow, as the reference does."""
    position = game.set_up(fill(game.options, options), ({}, {}))
    return _sequences(game, position, depth)


def _sequences(game: AnyRules, position: Any, depth: int) -> int:  # noqa: ANN401 - of any game
    if depth == 0:
        return 1
    step = game.get_next_step(position)
    if isinstance(step, Pass):
        return _sequences(game, game.forfeit(position), depth)
    if not isinstance(step, Act):
        return 1
    moves = game.iter_legal_moves(position)
    return sum(_sequences(game, game.play(position, move), depth - 1) for move in moves)


def opening(game: AnyRules, **options: Json) -> tuple[JsonObject, JsonObject]:
    """Return the state that a match begins with, and its complete options."""
    complete = fill(game.options, options)
    return game.show(game.set_up(complete, ({}, {}))), complete
