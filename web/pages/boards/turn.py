"""A turn of several moves: those that are entered already, and what the seat may go on with.

They stand in the address until the turn is sent, each by its notation, so each can be taken back.
What follows on them is worked out from what the seat sees alone: behind a move that turns something
over, draws, or lets chance decide, it goes on with what it has already.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from domain.game.scene import Scene
from domain.json_types import JsonObject
from domain.match.views import MatchView, build_scene, find_sequel
from web.pages.boards.entry import Address, Entry, EntryAddress, enter, look_ahead, make_entry_url


class Planned(NamedTuple):
    """A move of the turn that is entered: its notation, and where it is taken back.

    ``otherwise``: where it is paid for in another way, None where there is no other.
    """

    text: str
    back: str
    otherwise: str | None


class Turn(NamedTuple):
    """The moves of a turn that are ``planned``, the ``entry`` of the next, and what they lead to.

    ``ahead``: what there would be to draw, None where nothing is tried.
    """

    planned: list[Planned]
    entry: Entry
    ahead: Scene | None

    @property
    def texts(self) -> list[str]:
        """The notations of the planned moves."""
        return [one.text for one in self.planned]


def enter_turn(view: MatchView, legal: Sequence[JsonObject], asked: EntryAddress) -> Turn:
    """Follow an address through the turn of the seat that looks: its moves, then the steps.

    A move that is whole, with more to come in this turn, counts as entered.
    """
    planned: list[Planned] = []
    now, moves = view, legal
    for text in asked.then:
        found = next((one for one in moves if one["text"] == text), None)
        after = None if found is None else find_sequel(now, found["move"])
        if after is None:
            break
        planned.append(_make_planned(view, planned, text, ()))
        now, moves = after
    entry = _enter_move(view, now, moves, asked, planned)
    preview = entry.preview
    chosen = asked.path or asked.move
    if preview is not None and preview.warning is None and chosen and not asked.at_once:
        after = find_sequel(now, preview.move)
        if after is not None:
            path = entry.path if entry.otherwise else ()
            planned.append(_make_planned(view, planned, preview.text, path))
            now, moves = after
            entry = _enter_move(view, now, moves, EntryAddress(on=asked.on), planned)
    return Turn(planned, entry, look_ahead(entry) or (build_scene(now) if planned else None))


def _enter_move(
    view: MatchView,
    now: MatchView,
    moves: Sequence[JsonObject],
    asked: EntryAddress,
    planned: Sequence[Planned],
) -> Entry:
    scene = build_scene(now) or Scene(())
    asked = asked._replace(then=tuple(one.text for one in planned))
    return enter(now, moves, scene, asked, _make_address(view, planned))


def _make_address(view: MatchView, planned: Sequence[Planned]) -> Address:
    then: dict[str, Any] = {"then": [one.text for one in planned]} if planned else {}
    return partial(make_entry_url, view.id, view.version, **then)


def _make_planned(
    view: MatchView, before: Sequence[Planned], text: str, path: Sequence[str]
) -> Planned:
    address = _make_address(view, before)
    return Planned(text, address(()), address(path, pay="1") if path else None)
