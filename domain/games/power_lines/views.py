"""What one viewer may see, and what a seat can plan without knowing what it will draw.

A view carries the position with every hidden face replaced by ``HIDDEN`` before it gets
here. Values, connection, options and refusals never look at a hidden face, so the same
functions serve the truth and the view, and what is drawn or told cannot depend on what
is no longer there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.game.game import Act, Viewer
from domain.games.power_lines.cards import BASE, HIDDEN, Card, Spot, compute_value
from domain.games.power_lines.moves import Decline, DrawCard, Move, Place, Play, Shuffle
from domain.games.power_lines.position import SHUFFLE, Position, Side
from domain.games.power_lines.rules import apply_move, finish_step, get_next_step, iter_legal_moves
from domain.i18n import say
from domain.json_types import Json, JsonObject


class View(NamedTuple):
    """What a viewer sees. ``seat``: the viewer's, or None. ``opened``: nothing is hidden.

    ``seen`` is redacted; it shares no face with the truth that the viewer must not know.
    """

    seen: Position
    seat: int | None
    opened: bool

    def owns(self, seat: int) -> bool:
        """Say whether the hand and the face-down cards of ``seat`` are in sight."""
        return self.opened or self.seat == seat


def view(position: Position, viewer: Viewer, over: bool) -> View:  # noqa: FBT001 - as in Game
    """Return what ``viewer`` may see; all of it when the match is ``over``."""
    opened = over or viewer is Viewer.SERVER
    if opened:
        return View(position, viewer.seat, opened)
    first, second = (
        _redact_side(side, own=viewer.seat == seat) for seat, side in enumerate(position.sides, 1)
    )
    return View(position._replace(sides=(first, second)), viewer.seat, opened)


def show(view: View) -> JsonObject:
    """Return the state as the game's page gives it; ``first`` is null before the coin."""
    seen = view.seen
    pending = []
    if seen.pending is not None:
        kind, seat, (x, y) = seen.pending
        pending.append({"kind": kind, "seat": seat, "x": x, "y": y})
    return {
        "phase": "setup" if seen.setting_up else "play",
        "first": seen.first or None,
        "turn": seen.turn,
        "seat": seen.seat or None,
        "actions_left": seen.actions,
        "placed": [side.placed for side in seen.sides],
        "pending": pending,
        "field": _show_field(seen),
        "players": [_show_side(view, seat) for seat in (1, 2)],
    }


def iter_revealed(view: View) -> Iterator[tuple[int, int]]:
    """Yield owner and face of every card whose face is in sight; a card in trash stays there."""
    for seat, side in enumerate(view.seen.sides, 1):
        laid = (card.face for card in side.cards.values())
        for face in (*side.hand, *laid, *side.discard, *side.trash):
            if face != HIDDEN:
                yield seat, face


def _show_face(face: int) -> Json:
    """Return a face as the state shows it: a number, ``"base"``, null."""
    if face == BASE:
        return "base"
    return None if face == HIDDEN else face


def list_in_play(seen: Position) -> list[tuple[Spot, int, Card]]:
    """Return position, owner and card of all in play, by y, then x, then the covered first."""
    cards = (
        (spot, owner, card)
        for owner, side in enumerate(seen.sides, 1)
        for spot, card in side.cards.items()
    )
    return sorted(cards, key=lambda entry: (entry[0][1], entry[0][0], entry[2].over))


def _redact_side(side: Side, *, own: bool) -> Side:
    deck = (HIDDEN,) * len(side.deck)
    if own:
        return side._replace(deck=deck)
    cards = {spot: card if card.up else Card(HIDDEN, up=False) for spot, card in side.cards.items()}
    return side._replace(deck=deck, hand=(HIDDEN,) * len(side.hand), cards=cards)


def _show_field(seen: Position) -> list[JsonObject]:
    connected = (seen.list_connected(1), seen.list_connected(2))
    return [
        {
            "x": spot[0],
            "y": spot[1],
            "owner": owner,
            "card": _show_face(card.face),
            "face": "up" if card.up else "down",
            "value": compute_value(seen.get_side(owner).cards, spot),
            "connected": spot in connected[owner - 1],
        }
        for spot, owner, card in list_in_play(seen)
    ]


def _show_side(view: View, seat: int) -> JsonObject:
    side = view.seen.get_side(seat)
    return {
        "hand": list(side.hand) if view.owns(seat) else None,
        "hand_count": len(side.hand),
        "deck": list(side.deck) if view.opened else None,
        "deck_count": len(side.deck),
        "discard": [_show_face(face) for face in side.discard],
        "trash": [_show_face(face) for face in side.trash],
    }


def doubt(view: View, moves: Sequence[Move]) -> str | None:
    """Say why a seat does not know that it will hold what these moves of its own take, or None.

    A hand only grows but by what its owner plays and pays, so what is in it now will be there.
    """
    hand = Counter(view.seen.get_side(view.seat).hand) if view.seat else Counter()
    for move in moves:
        for card in _list_cards(move):
            hand[card] -= 1
            if hand[card] < 0:
                return say(
                    "You cannot know that you will have this {card} in your hand.", card=card
                )
    return None


def foresee(view: View, move: Move) -> View | None:
    """Return the view after a move as far as its player knows it; None if it shows on no board.

    What is drawn, and what an enemy card turns out to be, is left away.
    """
    if isinstance(move, DrawCard | Shuffle | Decline):
        return None
    return _keep_known(view, apply_move(view.seen, move))


def find_sequel(view: View, move: Move) -> tuple[View, Iterator[Move]] | None:
    """Return the view after a move and what may follow in the same turn.

    None where nothing follows, or where the seat cannot know that before it moves.

    What the move draws or turns over is left away, and what chance takes stays where it lies: what
    follows rests on what the seat holds and sees already, and can be done whatever comes.
    """
    seen, seat = view.seen, view.seat
    if seen.setting_up or seat is None:
        return None
    # Whether a seat that has nothing to draw or to shuffle can go on, only its hand could say.
    other = seen.get_side(3 - seat)
    if not other.discard and len(other.deck) <= _MOST_WATCHERS:
        return None
    known = _keep_known(view, apply_move(seen, move))
    after = finish_step(_remove_chance(known.seen))
    if get_next_step(after) != Act(seat):
        return None
    return known._replace(seen=after), iter_legal_moves(after)


_MOST_WATCHERS = 8
"""One move makes the other seat draw fewer cards: one for each 4 beside the card that is laid."""


def _remove_chance(position: Position) -> Position:
    """Return a position that waits for no draw: a shuffled deck is as unknown as it was before."""
    due = position.due
    if due is not None and due.seat is not None and due.purpose == SHUFFLE:
        side = position.get_side(due.seat)
        deck = (HIDDEN,) * (len(side.deck) + len(side.discard))
        position = position.replace_side(due.seat, side._replace(deck=deck, discard=()))
    return position._replace(due=None)


def _keep_known(view: View, position: Position) -> View:
    """Return what the seat that looks knows of a position that its own move would lead to."""
    for seat, side in enumerate(position.sides, 1):
        known = side._replace(
            discard=_remove_hidden(side.discard), trash=_remove_hidden(side.trash)
        )
        if view.owns(seat):
            known = known._replace(hand=_remove_hidden(side.hand))
        position = position.replace_side(seat, known)
    return view._replace(seen=position)


def _remove_hidden(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(face for face in cards if face != HIDDEN)


def _list_cards(move: Move) -> tuple[int, ...]:
    match move:
        case Place(card=card):
            return (card,)
        case Play(card=card, discard=discard):
            return (card, *discard)
        case _:
            return ()
