"""One moment of a match as text: who plays, the board, what happened, who is to act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from rich.text import Text

from domain.game.scene import Shape
from domain.match.views import MatchView, drawn
from services.drawing.text.board import render
from services.drawing.text.cells import OWNER_STYLES, QUIET
from services.drawing.text.names import written

RULE = 40


class Names(NamedTuple):
    """The names of a match's players, by id; ``numbered``: with their seats."""

    names: Mapping[str, str]
    numbered: bool = True

    def of(self, player: str) -> str:
        """Return the name of a player, by id."""
        return written(self.names.get(player, player))

    def of_seat(self, view: MatchView, seat: int) -> str:
        """Return ``P1 ada``, or ``ada``; ``P1`` alone while nobody sits there."""
        player = view.seats[seat - 1]
        if player is None:
            return f"P{seat}"
        return f"P{seat} {self.of(player)}" if self.numbered else self.of(player)


def heading(view: MatchView, names: Names, width: int) -> Text:
    """Name the game, the match and both sides, in one line or, where it is too long, in two."""
    first, second = (Text(names.of_seat(view, seat), OWNER_STYLES[seat]) for seat in (1, 2))
    match = Text.assemble((view.game.name, "bold"), (f"  {view.id}", QUIET))
    sides = Text.assemble(first, " against ", second)
    fits = match.cell_len + len("  ") + sides.cell_len <= width
    return Text("  " if fits else "\n").join([match, sides])


def rule() -> Text:
    """Draw a line between two moments."""
    return Text("-" * RULE, QUIET)


def board(view: MatchView, width: int, *, acting: bool = False, flipped: bool = False) -> Text:
    """Draw the board, ``flipped`` from its other side; say why there is none.

    Choices without a place on the board are listed only for somebody who is ``acting``.
    """
    scene = drawn(view)
    if scene is None:
        return Text("The match has not started: a seat is still free.")
    if not acting:
        zones = tuple(zone for zone in scene.zones if zone.shape is not Shape.CHOICES)
        scene = replace(scene, zones=zones)
    return render(scene, width, flipped=flipped)


_PENDING = {
    None: "The match goes on by itself.",
    "chance": "Chance decides next.",
    "pass": "A pass follows: there is no legal move.",
    "end": "The game is over.",
}
"""What a match waits for in which nobody is to act."""


def _awaited(view: MatchView, names: Names) -> str:
    """Say what a match waits for in which nobody is to act."""
    if view.status != "open":
        return _PENDING[view.pending]
    if view.opponent is None:
        return "Waiting for a second player."
    return f"A challenge: waits for {names.of(view.opponent)} to take it up."


def standing(view: MatchView, names: Names) -> Text:
    """Say who is to act, or how it ended."""
    if view.to_act is not None:
        return Text(f"{names.of_seat(view, view.to_act)} to move.", OWNER_STYLES[view.to_act])
    if view.result is None:
        return Text(_awaited(view, names))
    winner, reason = view.result["winner"], str(view.result["reason"]).replace("-", " ")
    if winner is not None:
        return Text(f"{names.of_seat(view, winner)} wins ({reason}).", OWNER_STYLES[winner])
    if view.status == "aborted":
        return Text(f"Aborted ({reason}).")
    return Text(f"A draw ({reason}).")
