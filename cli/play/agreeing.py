"""What two people at one terminal agree on: a draw, and taking back the last move."""

from __future__ import annotations

from collections.abc import Callable

from domain.match.views import MatchView
from services.container import House
from services.drawing.text.frames import Names
from services.matches.actions import Action
from services.matches.queries import Look
from services.matches.requests import Request


class Agreeing:
    """Offers of the seat to act, and the other's answer at once.

    ``sure`` asks a question that is answered by yes or no.
    """

    def __init__(self, house: House, names: Names, sure: Callable[[str], bool]) -> None:
        self.house = house
        self.names = names
        self.sure = sure

    def draw(self, view: MatchView) -> None:
        """Offer a draw."""
        self._offer(view, Action("offer_draw"), "a draw", "draw")

    def undo(self, view: MatchView) -> None:
        """Ask to take back the last move. Raises a ``Refusal`` if there is none, or it may not."""
        frames = self.house.replays.replay(Look(local=True), view.id).frames
        moves = [
            frame.version
            for frame in frames
            if frame.taken_back is None and frame.event and frame.event["kind"] == "move-made"
        ]
        # Without a move this asks for what there is not, and is refused in a sentence.
        to_version = (moves[-1] if moves else view.version) - 1
        offer = Action("offer_takeback", to_version=to_version)
        self._offer(view, offer, "to take back the last move", "takeback")

    def _offer(self, view: MatchView, offer: Action, words: str, kind: str) -> None:
        asks = view.to_act or 1
        other = self.names.of_seat(view, 3 - asks)
        version = self._act(view, asks, view.version, offer)
        verb = "accept" if self.sure(f"{other}: accept {words}?") else "decline"
        self._act(view, 3 - asks, version, Action(f"{verb}_{kind}"))

    def _act(self, view: MatchView, seat: int, version: int, action: Action) -> int:
        """Take an action for a seat; return the version after it."""
        player = view.seats[seat - 1] or ""
        done = self.house.matches.act(Request(player, version), view.id, action)
        return done.shown.view.version
