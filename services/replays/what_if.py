"""What if: moves tried out from any step of a match, on a board that nobody else sees.

It works on what the viewer sees anyway. Where something is hidden from somebody, it is off while
the match runs; where chance is to decide, a line ends, since the match's own dice stay secret.
Nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from domain.errors import Refusal
from domain.game.game import Act, AnyGame, Draw, Last, Over, Pass, Position, Sight
from domain.i18n import join_texts, say
from domain.json_types import JsonObject
from domain.match.move_count import MoveCount
from domain.match.narration import format_reason
from domain.match.state import FINISHED
from domain.match.views import MatchView, show_move, view
from services.errors import InvalidRequest, NoSuchStep
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries

LONGEST = 60
"""How many moves a line may have."""

MOST_MOVES = 2_000
"""How many legal moves are listed."""


class Tried(NamedTuple):
    """A move of a line: its notation, what it did, and the seat that made it."""

    text: str
    told: str
    seat: int


class TriedLine(NamedTuple):
    """Moves tried from a step on, and where they lead.

    ``view``: the position at the line's end; ``start``: where among the moves it begins.
    ``legal``: how it may go on, as ``MatchQueries.list_legal_moves`` gives it. ``ends``: why it
    does not. ``fault``: why the next move of what was asked for cannot be made.
    """

    shown: ShownMatch
    view: MatchView
    tried: list[Tried]
    legal: list[JsonObject]
    ends: str | None
    fault: str | None
    start: MoveCount


@dataclass(slots=True)
class _Trial:
    """A line in the making; ``position`` does not leave this module but as a view."""

    game: AnyGame
    base: MatchView
    position: Position
    last: Last | None
    tried: list[Tried] = field(default_factory=list)

    def settle(self) -> tuple[int | None, str | None]:
        """Pass over seats without a move; return who is to act, or why nobody is."""
        while True:
            match self.game.get_next_step(self.position):
                case Act(seat):
                    return seat, None
                case Pass(seat):
                    self.position = self.game.forfeit(self.position)
                    self._tell(say("P{seat} has no legal move and is passed over.", seat=seat))
                case Draw():
                    return None, say(
                        "From here on chance decides, and a match keeps its dice secret."
                    )
                case Over(winner, reason):
                    told = {"winner": winner, "reason": format_reason(reason)}
                    if winner:
                        return None, say("P{winner} wins ({reason}).", **told)
                    return None, say("It is a draw ({reason}).", **told)

    def try_move(self, seat: int, text: str) -> str | None:
        """Make a move of ``seat``; return why it cannot be made, or None."""
        game = self.game
        try:
            move = game.parse_move(game.notation.read(text))
        except Refusal as refusal:
            return refusal.detail
        fault = game.check_move(self.position, move)
        if fault is not None:
            return fault
        before = self._make_sight()
        self.position = game.play(self.position, move)
        written = game.dump_move(move)
        self.last = Last(seat, written)
        told = game.tell(before, self._make_sight(), self.last)
        self.tried.append(Tried(game.notation.write(written), told, seat))
        return None

    def _tell(self, more: str) -> None:
        """Tell what followed on the last move; before the first one, nobody tried anything."""
        if self.tried:
            last = self.tried[-1]
            self.tried[-1] = last._replace(told=join_texts([last.told, more]))

    def make_view(self, to_act: int | None) -> MatchView:
        """Return the present position as the viewer of the base sees it."""
        ply = self.base.ply + len(self.tried)
        return self.base._replace(
            sight=self._make_sight(), to_act=to_act, ply=ply, last=self.last, result=None
        )

    def _make_sight(self) -> Sight:
        return self.game.view(self.position, self.base.viewer, False)  # noqa: FBT003 - as in Game

    def list_legal(self) -> list[JsonObject]:
        """List how the line may go on."""
        sight, moves = self._make_sight(), self.game.iter_legal_moves(self.position)
        return [show_move(self.game, sight, move) for move in islice(moves, MOST_MOVES)]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Tries moves out from a step of a match, without changing anything."""

    queries: MatchQueries

    def try_line(self, look: Asker, match_id: str, version: int, moves: Sequence[str]) -> TriedLine:
        """Try ``moves`` (in notation) from right after the event ``version`` on.

        Raises ``NotFound`` for a match, ``NoSuchStep`` for a position that is not there, and
        ``InvalidRequest`` where moves cannot be tried, or for too many of them.
        """
        if len(moves) > LONGEST:
            raise InvalidRequest(
                say("A line has {most} moves at most.", most=LONGEST), pointer="/try"
            )
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, look, match_id)
            if match.game.secrets and (match.status != FINISHED or look.asked is not None):
                lacking = say("Moves can be tried only where nothing is hidden from anybody.")
                raise InvalidRequest(lacking)
            viewer = look.choose_viewer(match)
            shown = self.queries.show_state(connection, match, look)
            past = self.queries.load_at(connection, match, version)
        if past.position is None:
            raise NoSuchStep(say("There is no position yet at that version."))
        base = view(past, viewer)
        trial = _Trial(past.game, base, past.position, base.last)
        return _try_moves(trial, shown, moves, over=past.over)


def _try_moves(trial: _Trial, shown: ShownMatch, moves: Sequence[str], *, over: bool) -> TriedLine:
    seat, ends = (None, say("The match is over at this step.")) if over else trial.settle()
    fault = None
    for text in moves:
        fault = say("The line has ended before.") if seat is None else trial.try_move(seat, text)
        if fault is not None:
            fault = say("{move}: {fault}", move=text, fault=fault)
            break
        seat, ends = trial.settle()
    legal = [] if seat is None else trial.list_legal()
    start = MoveCount(trial.base.ply, made=False)
    return TriedLine(shown, trial.make_view(seat), trial.tried, legal, ends, fault, start)
