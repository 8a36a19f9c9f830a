"""The style page: every component and every board in every state, to be looked at.

Its scenes are made up from the vocabulary, so that a state that no game has just now shows too.
It is for the tests, and for whoever changes a component: no service has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, Flask, Response, url_for

from domain.game.scene import Link, Mark, Meter, Scene, Shape, Sign, Space, Token, Trail, Zone
from domain.i18n import say
from services.drawing.svg.picture import NOWHERE, Way, Ways
from web.i18n import _
from web.pages.boards.boards import Board, draw_boards
from web.pages.common.answers import answer_page

showcase = Blueprint(
    "showcase",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/style/static",
)

_LONG_NAME = "a-name-as-long-as-allowed"
_PILE = 26
_FIELD = 60
_ACROSS = 12


class Sample(NamedTuple):
    """A board to look at, and what it shows."""

    title: str
    board: Board


def install(app: Flask) -> None:
    """Let an application that has answered nothing yet show the style page at ``/style``."""
    app.register_blueprint(showcase)


@showcase.get("/style")
def show_style() -> Response:
    """Show everything that pages are made of."""
    return answer_page(
        "style.html",
        samples=list(_samples()),
        meters=[
            Meter(1, say("energy"), 12, 30),
            Meter(2, say("power"), 25),
            Meter(2, say("cells"), 4, 5),
        ],
        long_name=_LONG_NAME,
    )


def _samples() -> Iterator[Sample]:
    shown = (
        (say("Stepping stones: pieces, reach, the last move"), _stones(), NOWHERE),
        (say("Towers: values, lit spans, captures"), _towers(), NOWHERE),
        (say("A long line is folded"), _long_line(), NOWHERE),
        (say("Tiles: bonds, totals"), _tiles(), NOWHERE),
        (say("Night: trails, glows, closed cells"), _night(), NOWHERE),
        (say("Entering a move: what can be chosen, what has been"), _tiles(), _ways()),
        (say("Cards on a field: lines, covered, face down, cut off"), _cards(), NOWHERE),
        (say("A field of {number} cards", number=_FIELD), _wide_field(), NOWHERE),
        (say("A hand: a fan"), _hand(5), NOWHERE),
        (say("A large hand"), _hand(14), NOWHERE),
        (say("A hidden hand"), _zone(Shape.HAND, (), owner=2, hidden=5), NOWHERE),
        (say("Nothing held"), _zone(Shape.HAND, (), owner=1), NOWHERE),
        (say("A pile of {number} that can be opened", number=_PILE), _pile(), NOWHERE),
        (say("A face-down pile"), _zone(Shape.PILE, (), owner=2, hidden=20), NOWHERE),
        (say("Choices"), _choices(), NOWHERE),
    )
    for order, (title, scene, ways) in enumerate(shown):
        boards = draw_boards(scene, ways, f"s{order}-")
        held = [board for group in boards.held.values() for board in group]
        yield Sample(title, [*boards.main, *held][0])


def _scene(zone: Zone, **more: object) -> Scene:
    return Scene((zone,), **more)  # type: ignore[arg-type]


def _board(shape: Shape, spaces: tuple[Space, ...]) -> Zone:
    return Zone("sample", say("Sample"), shape, spaces)


def _zone(shape: Shape, spaces: tuple[Space, ...], *, owner: int, hidden: int = 0) -> Scene:
    return _scene(Zone("sample", say("Sample"), shape, spaces, owner, hidden))


def _marks(*marks: Mark) -> frozenset[Mark]:
    return frozenset(marks)


def _stones() -> Scene:
    marks = {1: Mark.LEFT, 3: Mark.LAST, 4: Mark.REACH, 5: Mark.REACH, 7: Mark.CAPTURED}
    pieces = {3: 1, 7: 2}
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            say("stone {number}", number=x),
            (Token(f"p:{x}", "piece", f"P{pieces[x]}", say("a piece"), pieces[x]),)
            if x in pieces
            else (),
            _marks(marks[x]) if x in marks else frozenset(),
        )
        for x in range(9)
    )
    return _scene(_board(Shape.LINE, spaces))


def _tower(x: int, owner: int, value: int) -> tuple[Token, ...]:
    return (Token(f"t:{x}", "node", f"{'AB'[owner - 1]}{value}", say("a tower"), owner, value),)


def _towers() -> Scene:
    values = {0: (1, 1), 1: (1, 3), 2: (1, 5), 4: (2, 2), 5: (2, 4), 6: (2, 9)}
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            say("place {number}", number=x),
            _tower(x, *values[x]) if x in values else (),
            _marks(*{2: (Mark.LAST,), 3: (Mark.CAPTURED,)}.get(x, ())),
        )
        for x in range(8)
    )
    links = tuple(
        Link(f"s:{x}", f"s:{x + 1}", owner) for x, owner in ((0, 1), (1, 1), (4, 2), (5, 2))
    )
    return _scene(_board(Shape.LINE, spaces), links=links)


def _long_line() -> Scene:
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            say("place {number}", number=x),
            _tower(x, 1 + x % 2, 1 + x % 5) if x % 3 else (),
        )
        for x in range(25)
    )
    return _scene(_board(Shape.LINE, spaces))


def _tile(x: int, y: int, owner: int, text: int, value: int) -> Token:
    return Token(
        f"u:{x},{y}", "unit", f"{text}", say("a tile of {value}", value=value), owner, value
    )


def _tiles() -> Scene:
    tiles = {(0, 0): (1, 3, 10), (1, 0): (1, 7, 10), (2, 1): (2, 9, 9), (2, 2): (2, 4, 13)}
    spaces = tuple(
        Space(
            f"s:{x},{y}",
            x,
            y,
            say("cell {x},{y}", x=x, y=y),
            (_tile(x, y, *tiles[x, y]),) if (x, y) in tiles else (),
            _marks(Mark.LAST) if (x, y) == (1, 0) else frozenset(),
        )
        for y in range(3)
        for x in range(3)
    )
    links = (Link("s:0,0", "s:1,0", 1), Link("s:2,1", "s:2,2", 2))
    return _scene(_board(Shape.GRID, spaces), links=links, columns=("1", "2", "3"), rows=("1",) * 3)


def _ways() -> Ways:
    here = url_for("showcase.show_style")
    return Ways(
        {f"s:{x},2": Way(here, _("Choose %(step)s") % {"step": x}) for x in (0, 1)}, ("s:1,1",)
    )


def _night() -> Scene:
    closed = {(0, 2): (1,), (1, 2): (2,), (2, 2): (1, 2)}
    marks = {(1, 0): Mark.LAST, (1, 1): Mark.LEFT, (2, 0): Mark.REACH, (4, 2): Mark.CLOSED}
    things = {
        (1, 0): Token("m:1", "marker", "P1", say("a marker"), 1),
        (3, 2): Token("m:2", "marker", "P2", say("a marker"), 2),
        **{
            (at, 1): Token(f"e:{at}", "energy", f"E{value}", say("a glow"), value=value)
            for at, value in ((2, 1), (3, 3), (4, 5))
        },
    }
    spaces = tuple(
        Space(
            f"s:{x},{y}",
            x,
            y,
            say("cell {x},{y}", x=x, y=y),
            (things[x, y],) if (x, y) in things else (),
            _marks(marks[x, y]) if (x, y) in marks else frozenset(),
            closed.get((x, y), ()),
        )
        for y in range(3)
        for x in range(5)
    )
    trails = (
        Trail(1, ("s:0,0", "s:0,1", "s:1,1", "s:1,0")),
        Trail(2, ("s:4,0", "s:3,0", "s:3,1", "s:3,2")),
    )
    axis = ("1", "2", "3", "4", "5")
    return _scene(_board(Shape.GRID, spaces), trails=trails, columns=axis, rows=axis[:3])


def _card(name: str, owner: int, text: str, value: int, **more: object) -> Token:
    return Token(name, "card", text, say("a card {card}", card=text), owner, value, **more)  # type: ignore[arg-type]


def _cards() -> Scene:
    row = (
        Token("c:0", "base", "B", say("a base"), 1, 12),
        _card("c:1", 1, "8", 10, effect=Sign.GROWS, price=(Sign.DISCARD,)),
        _card("c:2", 1, "3", 3, price=(Sign.DRAW, Sign.GIVE), effect=Sign.NONE),
        _card("c:3", 2, "?", 5, face_down=True),
        _card("c:4", 2, "7", 5, face_down=True),
        _card("c:5", 2, "9", 9, marks=_marks(Mark.LOOSE), effect=Sign.MORE),
        Token("c:6", "base", "B", say("a base"), 2, 12),
    )
    marks = {1: Mark.LAST, 2: Mark.REACH, 3: Mark.CAPTURED, 4: Mark.LEFT}
    over = _card("c:o", 2, "6", 6, effect=Sign.COVERS)
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            f"{x},0",
            (one, over) if x == 2 else (one,),
            _marks(marks[x]) if x in marks else frozenset(),
        )
        for x, one in enumerate(row)
    )
    below = tuple(Space(f"s:{x},1", x, 1, f"{x},1", (), _marks(Mark.REACH)) for x in range(3))
    links = (Link("s:0", "s:1", 1), Link("s:1", "s:2", 1), Link("s:5", "s:6", 2))
    return _scene(_board(Shape.FIELD, spaces + below), links=links)


def _wide_field() -> Scene:
    spaces = tuple(
        Space(
            f"s:{at}",
            at % _ACROSS,
            at // _ACROSS,
            say("place {number}", number=at),
            (_card(f"c:{at}", 1 + at // _ACROSS % 2, str(at % 11), at % 13),),
        )
        for at in range(_FIELD)
    )
    links = tuple(
        Link(f"s:{at}", f"s:{at + 1}", 1 + at // _ACROSS % 2)
        for at in range(_FIELD - 1)
        if (at + 1) % _ACROSS
    )
    return _scene(_board(Shape.FIELD, spaces), links=links)


def _hand(count: int) -> Scene:
    signs = tuple(Sign)
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            say("card {number}", number=x % 11),
            (
                _card(
                    f"c:{x}",
                    1,
                    str(x % 11),
                    x % 11,
                    effect=signs[x % len(signs)],
                    price=(Sign.DISCARD,) * (x % 3),
                    told=say("Price: what it costs. Effect: what this card does, in a sentence."),
                ),
            ),
        )
        for x in range(count)
    )
    return _zone(Shape.HAND, spaces, owner=1)


def _pile() -> Scene:
    spaces = tuple(
        Space(
            f"s:{x}",
            x,
            0,
            say("card {number}", number=x),
            (_card(f"c:{x}", 1, str(x % 11), x % 11),),
        )
        for x in range(_PILE)
    )
    return _zone(Shape.PILE, spaces, owner=1)


def _choices() -> Scene:
    spaces = tuple(
        Space(f"a:{x}", x, 0, name) for x, name in enumerate((say("Draw"), say("Decline")))
    )
    return _scene(Zone("sample", say("Sample"), Shape.CHOICES, spaces))
