"""A scene as a page shows it: a picture of each zone, and the same in words.

In words each space stands with what lies there and why it stands out. All that is drawn and read
out is in the language of the present page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from flask import request
from markupsafe import Markup

from domain.game.game import AnyGame
from domain.game.scene import (
    BOARDS,
    Mark,
    Meter,
    Note,
    Scene,
    Shape,
    Space,
    Token,
    Zone,
    turn_scene,
)
from domain.i18n import Said, say
from services.drawing.svg.cards import draw_readable
from services.drawing.svg.picture import NOWHERE, Ways, draw_zone, is_night
from services.matches.match_json import ShownMatch
from services.runtime.languages import ENGLISH, load_catalogue
from web.i18n import N_, _, get_language, get_people, translate
from web.pages.common.visitors import find_practiser

_MARKS = {
    Mark.LAST: N_("the last move went here"),
    Mark.LEFT: N_("the last move came from here"),
    Mark.CAPTURED: N_("something was captured here"),
    Mark.CLOSED: N_("closed"),
    Mark.REACH: N_("in reach"),
    Mark.LOOSE: N_("cut off from its base"),
    Mark.TRIED: N_("if you play this"),
}


TableCell: TypeAlias = tuple[str, str | None]
"""What a space holds, in words, and its id, None where there is none."""


class Table(NamedTuple):
    """Rows of cells below ``columns``; each row begins with its name.

    A zone that is no grid has no columns and one cell in each row. ``walked``: a keyboard can
    go over it.
    """

    columns: tuple[str, ...]
    rows: list[tuple[str, list[TableCell]]]
    walked: bool = False


def make_table(zone: Zone, scene: Scene, ways: Ways) -> Table:
    """Return a zone in words, with what can be chosen in it and what has been."""
    if zone.shape is Shape.GRID and scene.columns and scene.rows:
        return _make_grid(zone, scene, ways)
    spaces = [
        space
        for space in zone.spaces
        if zone.shape is not Shape.FIELD or _is_busy(space) or space.id in ways.open
    ]
    rows = [(space.label, [_make_cell(space, ways)]) for space in spaces]
    walked = ways.placed and bool(rows)
    if zone.hidden_count:
        hidden = _("%(number)d that only their owner may see") % {"number": zone.hidden_count}
        rows.append((_("hidden"), [(hidden, None)]))
    return Table((), rows, walked)


def describe_zone(zone: Zone) -> str:
    """Return in a sentence what lies in a zone."""
    lying = [
        _("%(place)s: %(things)s") % {"place": space.label, "things": _describe_tokens(space)}
        for space in zone.spaces
        if space.tokens
    ]
    if zone.hidden_count:
        lying.append(_("%(number)d hidden") % {"number": zone.hidden_count})
    return "; ".join(lying) + "." if lying else _("Nothing lies here.")


def describe_space(space: Space) -> str:
    """Return what lies on a space and why it stands out.

    >>> describe_space(Space("cell:1,1", 0, 0, "cell 1,1", marks=frozenset({Mark.REACH})))
    'empty; in reach'
    """
    parts = [_describe_tokens(space) or _("empty")]
    if space.owner is not None:
        parts.append(translate(say("P{seat}'s", seat=space.owner)))
    parts += [translate(say("closed to P{seat}", seat=seat)) for seat in space.closed_to]
    marks = sorted(space.marks - ({Mark.CLOSED} if space.closed_to else set()))
    return "; ".join([*parts, *(_(_MARKS[mark]) for mark in marks)])


def _describe_tokens(space: Space) -> str:
    return ", ".join(_describe_token(token) for token in space.tokens)


def _describe_token(token: Token) -> str:
    if not token.marks:
        return token.label
    marks = ", ".join(_(_MARKS[mark]) for mark in sorted(token.marks))
    return _("%(thing)s (%(marks)s)") % {"thing": token.label, "marks": marks}


def _make_cell(space: Space, ways: Ways) -> TableCell:
    chosen = _("; chosen") if space.id in ways.chosen else ""
    can_be = _("; can be chosen") if space.id in ways.open else ""
    return describe_space(space) + chosen + can_be, space.id


def _make_grid(zone: Zone, scene: Scene, ways: Ways) -> Table:
    cells = {(one.x, one.y): _make_cell(one, ways) for one in zone.spaces}
    rows = [
        (name, [cells.get((x, y), ("", None)) for x in range(len(scene.columns))])
        for y, name in enumerate(scene.rows)
    ]
    return Table(scene.columns, rows, ways.placed)


def _is_busy(space: Space) -> bool:
    return bool(space.tokens or space.marks - {Mark.REACH})


def translate_scene(scene: Scene) -> Scene:
    """Return a scene whose labels, titles and notes are in the language of the page, with names."""
    whom, words = get_people(), load_catalogue(get_language())
    if whom is None and get_language() == ENGLISH:
        return scene
    told: Scene = _translate_part(scene, lambda said: said.tell_in(words, whom))
    return told


def _translate_part(value: Any, tell: Callable[[Said], str]) -> Any:  # noqa: ANN401 - any part
    if isinstance(value, Said):
        return tell(value)
    # Most parts say nothing, and to make them anew takes half the time.
    if isinstance(value, tuple):
        told = tuple(_translate_part(one, tell) for one in value)
        same = all(one is other for one, other in zip(told, value, strict=True))
        return value if same else told
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {one.name: getattr(value, one.name) for one in fields(value)}
    fresh = {name: _translate_part(part, tell) for name, part in parts.items()}
    changed = {name: part for name, part in fresh.items() if part is not parts[name]}
    return replace(value, **changed) if changed else value


def holder(owner: int | None, *, plays: bool = False) -> str:
    """Say whose things lie somewhere; ``plays``: they are played from there."""
    if owner is None:
        return _("Beside the board")
    if plays:
        return translate(say("P{seat} plays from here", seat=owner))
    return translate(say("P{seat} holds", seat=owner))


class Board(NamedTuple):
    """A zone: its picture, and its spaces in words for those who do not see it.

    ``opened`` is what a pile holds, its top first; empty for anything else. ``told`` are the
    cards of a hand that say what they do, each once, drawn large enough to be read.
    """

    zone: Zone
    picture: Markup
    words: Table
    opened: list[str]
    night: bool
    told: list[Markup]


class Boards(NamedTuple):
    """What there is to show of a scene.

    ``main`` is the board itself. ``held`` are hands and piles by owner (None: nobody's),
    ``meters`` are by seat.
    """

    main: list[Board]
    held: dict[int | None, list[Board]]
    meters: dict[int, list[Meter]]
    notes: tuple[Note, ...]

    def list_hand(self, owner: int) -> list[Board]:
        """Return what a seat has in hand: it is played from there."""
        return [one for one in self.held.get(owner, ()) if one.zone.shape is Shape.HAND]

    def list_others(self, you: int | None) -> list[tuple[int | None, list[Board]]]:
        """Return all that is held besides the hand of the one who looks, their own things first."""
        rest = {
            owner: [one for one in held if owner != you or one.zone.shape is not Shape.HAND]
            for owner, held in self.held.items()
        }
        return sorted(rest.items(), key=lambda one: one[0] != you)

    def list_saying(self) -> list[Board]:
        """Return the hands whose cards say what they do."""
        return [one for held in self.held.values() for one in held if one.told]


SIDES = ("0", "1")
"""As the address (``flip``) names the sides of a board: as it is drawn, and turned."""


def read_flip() -> str | None:
    """Return the side that the address asks for, one of ``SIDES``, or None."""
    asked = request.args.get("flip")
    return asked if asked in SIDES else None


def is_turned(shown: ShownMatch) -> bool:
    """Whether the board is seen from its other side: as the address says, or by one's own seat."""
    asked = request.args.get("flip", "")
    return asked == "1" if asked else turns_by_itself(shown)


def turns_by_itself(shown: ShownMatch) -> bool:
    """Whether only a turned board has the own side of the one who looks at the bottom or the left.

    Who practises has both sides, and the board lies still.
    """
    return (
        shown.you is not None and shown.you == shown.view.game.turned_for and not find_practiser()
    )


def turn_to_seat(scene: Scene, game: AnyGame, seat: int) -> Scene:
    """Return a scene with the side of a seat at the bottom or the left."""
    return turn_scene(scene) if seat == game.turned_for else scene


_HOLDINGS = frozenset({Shape.HAND, Shape.PILE})


def draw_boards(scene: Scene, ways: Ways = NOWHERE, prefix: str = "z") -> Boards:
    """Draw a scene; ``ways`` are the spaces that a move being entered can go on with.

    Ids of the pictures begin with ``prefix``, which differs from scene to scene on a page.

    Choices are left out where there is a board: whoever may choose has them as a list.
    """
    scene = translate_scene(scene)
    drawn = [
        (zone.shape, _draw_board(scene, zone, f"{prefix}{at}", ways))
        for at, zone in enumerate(scene.zones)
    ]
    held: dict[int | None, list[Board]] = {}
    for shape, board in drawn:
        if shape in _HOLDINGS:
            held.setdefault(board.zone.owner, []).append(board)
    main = [board for shape, board in drawn if shape in BOARDS]
    return Boards(
        main or [board for shape, board in drawn if shape is Shape.CHOICES],
        held,
        {seat: [meter for meter in scene.meters if meter.owner == seat] for seat in (1, 2)},
        scene.notes,
    )


def _draw_board(scene: Scene, zone: Zone, prefix: str, ways: Ways) -> Board:
    picture = draw_zone(zone, scene, prefix, describe_zone(zone), ways)
    tokens = [token.label for space in zone.spaces for token in space.tokens]
    opened = tokens[::-1] if zone.shape is Shape.PILE else []
    held = {
        (token.text, token.told): token
        for space in zone.spaces
        for token in space.tokens
        if token.told
    }
    sayings = [draw_readable(card, prefix) for card in held.values()]
    night = is_night(zone, scene)
    return Board(zone, picture, make_table(zone, scene, ways), opened, night, sayings)
