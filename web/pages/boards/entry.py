"""Entering a move: the steps that were chosen, those that go on from there, the move itself.

All of it is in the address, so it works without a script, and back is back. Nothing here
knows a game: the steps are ids of the seat's scene, and the legal moves say which go on. Where a
step leads nowhere, the rules are asked about the move that it would have been.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from flask import request, url_for

from domain.game.move_tree import Candidate, MoveTree, grow_tree
from domain.game.scene import Scene, Shape
from domain.json_types import JsonObject
from domain.match.views import MatchView, build_scene, foresee_move
from services.drawing.svg.picture import Way, Ways
from web.i18n import N_, _
from web.pages.boards.boards import translate_scene


def find_meant_move(branch: MoveTree, step: str) -> str | None:
    """Return the notation of the move that a forbidden step would have been, None if nobody knows.

    A game writes its moves alike. Where a legal move turns into another legal one when the name
    of another step is put in the place of its own, the name of the forbidden step turns it into
    what was tried. So no game has to say how its steps make a move.
    """
    kind = _get_kind(step)
    alike = [
        (_get_name(other), one.text)
        for other, moves in branch.steps.items()
        if _get_kind(other) == kind
        for one in moves
    ]
    legal = {one.text for one in branch.moves}
    names = {name for name, _ in alike}
    for name, text in alike:
        if text.count(name) != 1:
            continue
        if any(text.replace(name, other) in legal for other in names - {name}):
            return text.replace(name, _get_name(step))
    return None


def _get_kind(step: str) -> str:
    return step.partition(":")[0]


def _get_name(step: str) -> str:
    return step.partition(":")[2]


ANCHOR = "entry"
"""Where every step leads, so that the reader and the keyboard stay at the entry."""

OTHER = N_("Moves")
"""The title over steps that the scene does not show, and over whole moves."""


class EntryChoice(NamedTuple):
    """A step that goes on, in words.

    ``move``: the notation of the move that this step plays at once; None where it leads on.
    ``drawn``: whether it can be chosen on a board or in a hand as well.
    """

    id: str
    label: str
    url: str
    move: str | None = None
    drawn: bool = True


class Preview(NamedTuple):
    """The one move that is left: its notation, its steps in words, why it may be regretted.

    ``reckoning``: the sum that it rests on, if it rests on one. ``outcome``: what it would do, and
    ``scene`` what there would be to draw, where that is known.
    """

    text: str
    steps: list[str]
    move: JsonObject
    warning: str | None = None
    reckoning: str | None = None
    outcome: str | None = None
    scene: Scene | None = None


class Entry(NamedTuple):
    """A move being entered.

    ``path``: the steps that stand; ``taken``: each in words, with what leads to the moment before
    it. ``groups``: what goes on, by the titles of zones. ``lost``: a
    step of the address that is not possible (any more), in words, and ``tried`` the move that it
    would have been, if that can be told. ``moves``: how many are left.
    ``otherwise``: where a move is paid for in another way than the usual one.
    """

    path: tuple[str, ...]
    taken: list[tuple[str, str]]
    groups: dict[str, list[EntryChoice]]
    preview: Preview | None
    lost: str | None
    moves: int
    start: str
    ways: Ways
    tried: str | None
    otherwise: str | None = None


class EntryAddress(NamedTuple):
    """What the address says of an entry: the steps, the notation of a whole move, the version.

    ``at_once``: this reader wants moves to be played with their last step. ``pay``: they choose
    what they pay with. ``then``: the moves of this turn that are entered already.
    """

    path: tuple[str, ...] = ()
    move: str = ""
    on: int | None = None
    at_once: bool = False
    pay: bool = False
    then: tuple[str, ...] = ()


def read_tried_move() -> EntryAddress:
    """Return what the address says of a move that is tried: what it is paid with is chosen."""
    path = tuple(request.args.getlist("path"))
    return EntryAddress(path, request.args.get("move", "").strip(), pay=True)


Address: TypeAlias = Callable[..., str]
"""The address of an entry after some steps, or, with ``move``, of a whole move."""


def enter(
    view: MatchView,
    legal: Sequence[JsonObject],
    scene: Scene,
    asked: EntryAddress,
    address: Address,
) -> Entry:
    """Follow an address through the legal moves of the seat that looks; ``address`` makes links."""
    words = Words(scene)
    branch, lost = _follow(grow_tree(legal, scene), asked.path)
    whole = next((one for one in branch.moves if one.text == asked.move), None)
    if whole is not None:
        branch = branch.settle(whole)
    chosen = whole is not None or bool(branch.taken)
    # Where something is entered already it can be sent alone: that may show what else can be done.
    settled = len(branch.moves) == 1 and (chosen or (len(legal) == 1 and not asked.then))
    only = branch.moves[0] if settled else None
    otherwise = None
    if only is None and not (asked.pay or asked.at_once) and is_payment(branch, scene):
        only, otherwise = _choose_cheapest(branch, scene), address(branch.taken, pay="1")
    groups = {} if only else _group_choices(branch, words, address, view if asked.at_once else None)
    return Entry(
        path=branch.taken,
        taken=[
            (words.describe(step), address(branch.taken[:number]))
            for number, step in enumerate(branch.taken)
        ],
        groups=groups,
        preview=_make_preview(view, only, words) if only else None,
        lost=None if lost is None else words.describe(lost),
        moves=len(branch.moves),
        start=address(()),
        ways=_make_ways(groups, only.path if only else branch.taken),
        tried=None if lost is None or words.is_held(lost) else find_meant_move(branch, lost),
        otherwise=otherwise,
    )


def is_payment(branch: MoveTree, scene: Scene) -> bool:
    """Whether only the payment is left to choose: own things that a move out of a hand costs.

    They are cards of that hand, or things of the mover on the board.

    >>> is_payment(MoveTree([], {}), Scene(()))
    False
    """
    hands = [zone for zone in scene.zones if zone.shape is Shape.HAND]
    hand = {space.id: zone.owner for zone in hands for space in zone.spaces}
    movers = {hand[step] for step in branch.taken if step in hand}
    own = {*hand, *(space for space, (owner, _) in _get_worths(scene).items() if owner in movers)}
    left = [one.rest for one in branch.moves]
    placed = any(step not in hand for step in branch.taken)
    return placed and bool(left) and all(rest and own.issuperset(rest) for rest in left)


def _choose_cheapest(branch: MoveTree, scene: Scene) -> Candidate:
    """Return the payment that is worth least. Cards of a hand are worth nothing."""
    worths = _get_worths(scene)
    return min(branch.moves, key=lambda one: sum(worths.get(step, (0, 0))[1] for step in one.rest))


def _get_worths(scene: Scene) -> dict[str, tuple[int | None, int]]:
    """Return whose the thing on top of each space of the boards is, and what it is worth."""
    boards = (zone for zone in scene.zones if zone.shape is not Shape.HAND)
    tops = {space.id: space.tokens[-1] for zone in boards for space in zone.spaces if space.tokens}
    return {space: (top.owner, top.value or 0) for space, top in tops.items()}


def look_ahead(entry: Entry | None) -> Scene | None:
    """Return what there would be to draw after the move that is being entered, if it is whole."""
    return None if entry is None or entry.preview is None else entry.preview.scene


class Words:
    """Steps in words, as the scene has them."""

    def __init__(self, scene: Scene) -> None:
        zones = translate_scene(scene).zones
        self._places = {space.id: (zone, space) for zone in zones for space in zone.spaces}

    def describe(self, step: str) -> str:
        """Say what a chosen step is, with where it lies; of equal cards, one."""
        if step not in self._places:
            return step.replace(":", " ")
        zone, space = self._places[step]
        one_of_many = zone.shape is Shape.HAND and space.tokens
        label = space.tokens[-1].label if one_of_many else self.describe_within(step)
        if zone.shape is Shape.CHOICES:
            return label
        return _("%(zone)s: %(place)s") % {"zone": zone.title, "place": label}

    def describe_within(self, step: str) -> str:
        """Say what a step is, inside its zone."""
        if step not in self._places:
            return step.replace(":", " ")
        zone, space = self._places[step]
        if not space.tokens or zone.shape is Shape.HAND:
            return space.label
        things = ", ".join(token.label for token in space.tokens)
        return _("%(place)s: %(things)s") % {"place": space.label, "things": things}

    def is_held(self, step: str) -> bool:
        """Whether a step lies in a hand, where ids say nothing of what they hold."""
        return any(
            zone.shape is Shape.HAND and _get_kind(one) == _get_kind(step)
            for one, (zone, _) in self._places.items()
        )

    def is_drawn(self, step: str) -> bool:
        """Whether a step is a place of a board or of a hand."""
        return step in self._places and self._places[step][0].shape is not Shape.CHOICES

    def get_title(self, step: str) -> str:
        """Return the title of the zone that a step lies in."""
        return self._places[step][0].title if step in self._places else OTHER

    def sort_steps(self, steps: Collection[str]) -> list[str]:
        """Return steps in the order of the scene, those that it lacks last."""
        lacking = (one for one in steps if one not in self._places)
        return [*(one for one in self._places if one in steps), *lacking]


def make_entry_url(
    match_id: str, version: int = 0, path: Sequence[str] = (), **more: str | Sequence[str]
) -> str:
    """Return the address of an entry after some steps, decided on a version of the match."""
    steps: dict[str, Any] = {name: value for name, value in more.items() if value}
    if path:
        steps["path"] = list(path)
    if steps:
        steps["on"] = version
    return url_for("pages.match", match_id=match_id, _anchor=ANCHOR, **steps)


def _follow(branch: MoveTree, path: Iterable[str]) -> tuple[MoveTree, str | None]:
    """Go as far as the moves allow; return where that is, and the step that it ended at."""
    for step in path:
        if step not in branch.steps:
            return branch, step
        branch = branch.take(step)
    return branch, None


def _group_choices(
    branch: MoveTree, words: Words, address: Address, at_once: MatchView | None
) -> dict[str, list[EntryChoice]]:
    groups: dict[str, list[EntryChoice]] = {}
    for step in words.sort_steps(branch.steps):
        left = branch.steps[step]
        url, move = address((*branch.taken, step)), _find_only_move(at_once, left)
        choice = EntryChoice(step, words.describe_within(step), url, move, words.is_drawn(step))
        groups.setdefault(words.get_title(step), []).append(choice)
    for one in branch.complete:
        told = _("Just %(move)s") % {"move": one.text}
        url = address(branch.taken, move=one.text)
        choice = EntryChoice("", told, url, _find_only_move(at_once, [one]), drawn=False)
        groups.setdefault(OTHER, []).append(choice)
    return groups


def _find_only_move(view: MatchView | None, moves: Sequence[Candidate]) -> str | None:
    """Return the notation of the only move that is left, unless one is warned of it.

    None for a view: this reader wants no move to be played at once.
    """
    if view is None or len(moves) != 1:
        return None
    game, (only,) = view.game, moves
    if view.sight is not None and game.warn(view.sight, game.parse_move(only.move)):
        return None
    return only.text


def _make_preview(view: MatchView, move: Candidate, words: Words) -> Preview:
    game, sight = view.game, view.sight
    parsed = game.parse_move(move.move)
    steps = [words.describe(step) for step in move.path]
    if sight is None:
        return Preview(move.text, steps, move.move)
    warning, reckoning = game.warn(sight, parsed), game.reckon(sight, parsed)
    outcome, after = None, foresee_move(view, move.move)
    if after is not None and after.sight is not None and after.last is not None:
        # What turns over or is drawn is not known before: then there is no sentence.
        outcome = None if game.secrets else game.tell(sight, after.sight, after.last)
    return Preview(
        move.text, steps, move.move, warning, reckoning, outcome, after and build_scene(after)
    )


def _make_ways(groups: dict[str, list[EntryChoice]], chosen: tuple[str, ...]) -> Ways:
    choices = (one for group in groups.values() for one in group if one.id)
    open_ = {one.id: Way(one.url, _("Choose %(step)s") % {"step": one.label}) for one in choices}
    return Ways(open_, chosen, placed=True)
