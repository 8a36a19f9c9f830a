"""Each word of a scene's vocabulary shows, and not by colour alone."""

import re
from itertools import pairwise, product
from typing import Any

import pytest

from domain.game.scene import Link, Mark, Scene, Shape, Sign, Space, Token, Trail
from services.drawing.svg.cards import draw_readable
from tests.services.drawing.svg.scenes import SVG, drawn, parsed, token, two_spaces, zone

BOARDS = (Shape.LINE, Shape.GRID, Shape.FIELD)

FIGURES: dict[str, dict[str, Any]] = {
    "piece": {"kind": "piece"},
    "tile": {"kind": "unit", "value": 4},
    "card": {"kind": "card", "value": 4},
    "base": {"kind": "base", "value": 12},
    "card's back": {"kind": "card", "text": "?", "face_down": True},
}


def colourless(picture: str) -> str:
    """Return a picture without what only a style sheet makes visible."""
    return re.sub(r' class="[^"]*"', "", picture)


def with_token(one: Token, shape: Shape) -> str:
    return drawn(Scene((zone(shape, *two_spaces(one)),)))


OF_SPACES = set(Mark) - {Mark.TRIED}
"""The marks of spaces. ``TRIED`` is one of pieces, which it makes translucent."""


@pytest.mark.parametrize(("shape", "mark"), [*product(BOARDS, sorted(OF_SPACES - {Mark.CLOSED}))])
def test_a_mark_of_a_space_has_a_shape(shape: Shape, mark: Mark) -> None:
    plain = drawn(Scene((zone(shape, *two_spaces()),)))
    marked = drawn(Scene((zone(shape, *two_spaces(marks=frozenset({mark}))),)))
    assert colourless(marked) != colourless(plain)
    assert f"mark-{mark.value}" in marked


def test_marks_are_told_apart_by_shape() -> None:
    for shape in BOARDS:
        pictures = {
            colourless(drawn(Scene((zone(shape, *two_spaces(marks=frozenset({mark}))),))))
            for mark in OF_SPACES
        }
        assert len(pictures) == len(OF_SPACES)


@pytest.mark.parametrize("shape", BOARDS)
def test_closed_spaces_are_hatched_for_those_who_may_not_enter(shape: Shape) -> None:
    fills = {}
    for closed_to in ((), (1,), (2,), (1, 2)):
        space = Space("s", 0, 0, "s", marks=frozenset({Mark.CLOSED}), closed_to=closed_to)
        fills[closed_to] = re.findall(
            r"url\(#p-(closed[-12]*)\)", drawn(Scene((zone(shape, space),)))
        )
    assert fills == {
        (): ["closed"],
        (1,): ["closed-1"],
        (2,): ["closed-2"],
        (1, 2): ["closed-1", "closed-2"],
    }


@pytest.mark.parametrize(("shape", "figure"), [*product(BOARDS, FIGURES)])
def test_seats_differ_by_more_than_colour(shape: Shape, figure: str) -> None:
    looks = {colourless(with_token(token(owner, **FIGURES[figure]), shape)) for owner in (1, 2)}
    assert len(looks) == 2


@pytest.mark.parametrize("figure", FIGURES)
def test_what_is_seat_2s_is_hatched_and_what_is_seat_1s_is_plain(figure: str) -> None:
    for shape in BOARDS:
        hatched = [
            "url(#p-seat-2)" in with_token(token(owner, **FIGURES[figure]), shape)
            for owner in (1, 2)
        ]
        assert hatched == [False, True]


@pytest.mark.parametrize("shape", BOARDS)
def test_a_tokens_kind_owner_and_name_can_be_found(shape: Shape) -> None:
    picture = with_token(token(2, kind="power-cell", label="P2's cell"), shape)
    assert 'class="token kind-power-cell seat-2"' in picture
    assert "<title>P2&#39;s cell</title>" in picture


def test_a_worth_without_an_owner_glows_the_more_the_higher_it_is() -> None:
    sizes = []
    for value in (1, 3, 5):
        root = parsed(with_token(token(None, "energy", value=value), Shape.GRID))
        halo = next(one for one in root.iter(f"{SVG}circle") if one.get("class") == "halo")
        sizes.append(float(halo.attrib["r"]))
    assert sizes == sorted(set(sizes))


def test_towers_grow_with_their_worth() -> None:
    heights = []
    for value in (1, 3, 9):
        root = parsed(with_token(token(1, "node", value=value), Shape.LINE))
        head = next(one for one in root.iter(f"{SVG}g") if one.get("class") == "head")
        heights.append(float(head.attrib["transform"].split()[-1].rstrip(")")))
    assert heights == sorted(set(heights), reverse=True)


def test_a_move_along_a_line_is_drawn_as_a_hop() -> None:
    spaces = (
        Space("s:0", 0, 0, "0", marks=frozenset({Mark.LEFT})),
        Space("s:1", 1, 0, "1", (token(),), frozenset({Mark.LAST})),
    )
    assert 'class="hop"' in drawn(Scene((zone(Shape.LINE, *spaces),)))
    assert 'class="hop"' not in drawn(Scene((zone(Shape.LINE, *spaces[1:]),)))


def test_a_long_line_is_folded() -> None:
    widths, heights = [], []
    for length in (15, 16, 41):
        spaces = (Space(f"s:{x}", x, 0, str(x)) for x in range(length))
        root = parsed(drawn(Scene((zone(Shape.LINE, *spaces),))))
        widths.append(float(root.attrib["width"]))
        heights.append(float(root.attrib["height"]))
    assert widths[0] > widths[1] == widths[2]
    assert heights[0] < heights[1] < heights[2]


def test_neighbours_stay_neighbours_where_a_line_is_folded() -> None:
    spaces = (Space(f"s:{x}", x, 0, str(x)) for x in range(41))
    root = parsed(drawn(Scene((zone(Shape.LINE, *spaces),))))
    stones = [one for one in root.iter(f"{SVG}g") if one.get("class", "").startswith("space")]
    places = [one.attrib["transform"][len("translate(") : -1].split() for one in stones]
    apart = [
        abs(float(x) - float(u)) + abs(float(y) - float(v)) for (x, y), (u, v) in pairwise(places)
    ]
    assert len(set(apart)) == 2
    assert max(apart) < 220


@pytest.mark.parametrize("shape", BOARDS)
def test_bonds_are_drawn_for_their_seat(shape: Shape) -> None:
    board = zone(shape, *two_spaces(token()))
    plain = drawn(Scene((board,)))
    seats = [colourless(drawn(Scene((board,), links=(Link("s:0", "s:1", 1),)))) for _ in (1, 2)]
    assert seats[0] != colourless(plain)
    for seat in (1, 2):
        picture = drawn(Scene((board,), links=(Link("s:0", "s:1", seat),)))
        assert re.search(rf'class="(bond|span) seat-{seat}"', picture)


@pytest.mark.parametrize("shape", [Shape.GRID, Shape.FIELD])
def test_trails_are_drawn_for_their_seat(shape: Shape) -> None:
    board = zone(shape, *two_spaces(token()))
    picture = drawn(Scene((board,), trails=(Trail(2, ("s:0", "s:1")),)))
    assert 'class="trail seat-2"' in picture


def test_a_grid_with_trails_is_a_night() -> None:
    board = zone(Shape.GRID, *two_spaces())
    trails = (Trail(1, ("s:0", "s:1")),)
    assert " night" in parsed(drawn(Scene((board,), trails=trails))).attrib["class"]
    assert " night" not in parsed(drawn(Scene((board,)))).attrib["class"]


def test_axes_are_named_as_the_scene_says() -> None:
    scene = Scene((zone(Shape.GRID, *two_spaces()),), columns=("a", "b"), rows=("1",))
    names = [one.text for one in parsed(drawn(scene)).iter(f"{SVG}text")]
    assert names == ["a", "b", "1"]


def test_a_card_shows_its_worth_where_its_print_says_another() -> None:
    assert 'class="worth"' in with_token(token(1, "card", text="3", value=5), Shape.FIELD)
    assert 'class="worth"' not in with_token(token(1, "card", text="3", value=3), Shape.FIELD)


def test_a_card_shows_by_signs_what_it_costs_and_does() -> None:
    price = (Sign.DISCARD, Sign.DRAW)
    shown = with_token(token(1, "card", price=price, effect=Sign.GROWS), Shape.HAND)
    assert re.findall(r'class="sign-of ([a-z]+)"', shown) == ["discard", "draw", "grows"]
    assert "sign-of" not in with_token(token(1, "card", effect=Sign.NONE), Shape.HAND)


def test_a_card_to_be_read_prints_worth_price_effect_and_a_sentence() -> None:
    card = token(
        2,
        "card",
        text="8",
        price=(Sign.DISCARD, Sign.DRAW),
        effect=Sign.GROWS,
        told="Price: discard a card, draw a card. Effect: worth 1 more for each friendly.",
    )
    shown = draw_readable(card, "p")
    assert re.findall(r'class="sign-of ([a-z]+)"', shown) == ["discard", "draw", "grows"]
    root = parsed(shown)
    assert root.attrib["aria-label"] == f"8. {card.told}"
    lines = [one.text or "" for one in root.iter(f"{SVG}tspan")]
    assert " ".join(lines) == card.told
    lowest = max(float(one.attrib["y"]) for one in root.iter(f"{SVG}tspan"))
    assert lowest < float(root.attrib["height"])
    assert "url(#p-seat-2)" in shown


def test_every_sign_has_a_shape_of_its_own() -> None:
    signs = [sign for sign in Sign if sign is not Sign.NONE]
    looks = {colourless(with_token(token(1, "card", effect=sign), Shape.FIELD)) for sign in signs}
    assert len(looks) == len(signs)


def test_a_tile_shows_what_it_counts_where_that_is_more_than_is_written_on_it() -> None:
    assert ">=9</text>" in with_token(token(1, "unit", text="4", value=9), Shape.GRID)
    assert 'class="total"' not in with_token(token(1, "unit", text="4", value=4), Shape.GRID)


def test_a_card_that_covers_another_lies_above_it_and_beside() -> None:
    cards = (
        token(1, "card", id="low", text="5"),
        token(2, "card", id="high", text="6"),
    )
    root = parsed(drawn(Scene((zone(Shape.FIELD, *two_spaces(*cards)),))))
    lying = [one for one in root.iter(f"{SVG}g") if "token" in one.get("class", "").split()]
    assert ["seat-1" in one.attrib["class"] for one in lying] == [True, False]
    assert lying[0].attrib["transform"] != lying[1].attrib["transform"]


def test_a_face_that_its_viewer_knows_shows_on_the_back() -> None:
    known = with_token(token(1, "card", text="7", face_down=True), Shape.FIELD)
    hidden = with_token(token(1, "card", text="?", face_down=True), Shape.FIELD)
    assert ">7</text>" in known
    assert "</text>" not in hidden


def test_hidden_cards_of_a_hand_are_backs_and_nothing_more() -> None:
    root = parsed(drawn(Scene((zone(Shape.HAND, owner=2, hidden_count=5),))))
    backs = [one for one in root.iter(f"{SVG}g") if "face-down" in one.get("class", "")]
    assert len(backs) == 5
    assert not list(root.iter(f"{SVG}text"))


def test_a_hand_of_cards_is_a_fan_and_of_other_things_a_row() -> None:
    cards = drawn(Scene((zone(Shape.HAND, *two_spaces(*[token(1, "card")] * 3)),)))
    tiles = drawn(Scene((zone(Shape.HAND, *two_spaces(*[token(1, "unit", value=2)] * 3)),)))
    assert "rotate(" in re.sub(r"<defs>.*</defs>", "", cards)
    assert "rotate(" not in re.sub(r"<defs>.*</defs>", "", tiles)


def test_an_empty_hand_is_an_outline() -> None:
    assert 'class="bare"' in drawn(Scene((zone(Shape.HAND),)))
    assert 'class="bare"' not in drawn(Scene((zone(Shape.HAND, hidden_count=1),)))


def test_a_large_hand_is_no_wider_than_a_page() -> None:
    root = parsed(drawn(Scene((zone(Shape.HAND, hidden_count=60),))))
    assert float(root.attrib["width"]) < 700


def test_a_pile_shows_how_many_lie_there_and_the_one_on_top() -> None:
    cards = [token(1, "card", text=text) for text in ("3", "8")]
    root = parsed(drawn(Scene((zone(Shape.PILE, *two_spaces(*cards), hidden_count=4),))))
    assert [one.text for one in root.iter(f"{SVG}text")] == ["8", "6"]


def test_choices_are_named() -> None:
    spaces = (Space("action:draw", 0, 0, "draw"),)
    assert ">draw</text>" in drawn(Scene((zone(Shape.CHOICES, *spaces),)))
