"""What holds in every match: cards are conserved, and what is listed is what is accepted."""

from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import MalformedMove
from domain.game.game import Act
from domain.games.power_lines.cards import BASE, Card, list_neighbours
from domain.games.power_lines.moves import Move
from domain.games.power_lines.plays import can_play, iter_plays
from domain.games.power_lines.position import Position, Side
from domain.json_types import JsonObject
from tests.domain.games.power_lines.pictures import GAME, positions, random_match

NUMBERS = st.integers(0, 2**32)
CARD = st.integers(-1, 12)
COORDINATE = st.integers(-3, 7)
XY = st.fixed_dictionaries({"x": COORDINATE, "y": st.integers(-3, 3)})
MOVES = st.one_of(
    st.sampled_from([{"action": "draw"}, {"action": "shuffle"}, {"action": "decline"}]),
    st.builds(
        lambda action, xy: {"action": action, **xy}, st.sampled_from(["dominate", "discard"]), XY
    ),
    st.builds(lambda card, xy: {"action": "place", "card": card, **xy}, CARD, XY),
    st.builds(
        lambda card, xy: {"action": "play", "card": card, **xy},
        st.sampled_from([0, 1, 2, 4, 5, 6]),
        XY,
    ),
    st.builds(
        lambda card, xy, paid: {"action": "play", "card": card, **xy, "discard": paid},
        st.integers(7, 10),
        XY,
        st.lists(CARD, max_size=3),
    ),
    st.builds(lambda xy, given: {"action": "play", "card": 3, **xy, "sacrifice": given}, XY, XY),
)


def cards_of(side: Side) -> Counter[int]:
    in_play = [card.face for card in side.cards.values()]
    return Counter([*side.hand, *side.deck, *side.discard, *side.trash, *in_play])


@settings(max_examples=10, deadline=None)
@given(NUMBERS, st.integers(3, 5))
def test_the_cards_of_both_seats_are_conserved(number: int, gap: int) -> None:
    course = positions(random_match(number, gap=gap, turn_limit=40))
    for side in (0, 1):
        dealt = cards_of(course[0].sides[side])
        assert sum(dealt.values()) == 27
        assert dealt[BASE] == 1
        assert all(cards_of(position.sides[side]) == dealt for position in course)


@settings(max_examples=10, deadline=None)
@given(NUMBERS)
def test_no_position_breaks_the_rules_of_the_field(number: int) -> None:
    for position in positions(random_match(number, gap=3, turn_limit=40)):
        first, second = (side.cards for side in position.sides)
        for spot in first.keys() & second.keys():
            both = [first[spot], second[spot]]
            assert [card.over for card in both].count(True) == 1
            assert all(card.face == 6 for card in both if card.over)
        assert position.actions in range(4)
        assert [list(side.hand) for side in position.sides] == [
            sorted(side.hand) for side in position.sides
        ]


@settings(max_examples=6, deadline=None)
@given(NUMBERS, st.lists(MOVES, min_size=200, max_size=200))
def test_of_any_well_formed_moves_the_listed_ones_are_accepted(
    number: int, tries: list[JsonObject]
) -> None:
    acting = [p for p in positions(random_match(number, gap=3, turn_limit=20)) if waits_for_seat(p)]
    for position in acting[::5]:
        listed = list(GAME.iter_legal_moves(position))
        assert listed
        for move in listed:
            assert GAME.check_move(position, move) is None
        for move in map(GAME.parse_move, tries):
            assert (GAME.check_move(position, move) is None) == (move in listed)
        for move in listed[::7]:
            changed = [one for one in mutants(GAME.dump_move(move)) if one not in listed]
            assert all(GAME.check_move(position, one) is not None for one in changed)


@settings(max_examples=5, deadline=None)
@given(NUMBERS)
def test_a_seat_can_play_exactly_when_there_is_a_play(number: int) -> None:
    course = positions(random_match(number, gap=3, turn_limit=20))
    hands = [(card, *others) for card in range(11) for others in ((), (10,), (10, 10))]
    for position, seat, hand in product(course[10::15], (1, 2), hands):
        side = position.get_side(seat)
        poor = side._replace(hand=hand, deck=side.deck[: len(hand) - 1])
        there = position._replace(pending=None).replace_side(seat, poor)
        for one in (there, walled_in(there, seat, 5), walled_in(there, seat, 10)):
            assert can_play(one, seat) == any(True for _ in iter_plays(one, seat))


def walled_in(position: Position, seat: int, around: int) -> Position:
    """Return a position in which ``seat`` has its base only, between enemies of that face."""
    home = position.get_home(seat)
    base = position.get_side(seat)._replace(cards={home: Card(BASE)})
    wall = {spot: Card(around) for spot in list_neighbours(home)}
    enemy = position.get_side(3 - seat)._replace(cards=wall)
    return position.replace_side(seat, base).replace_side(3 - seat, enemy)


def waits_for_seat(position: Position) -> bool:
    return isinstance(GAME.get_next_step(position), Act)


def mutants(move: JsonObject) -> list[Move]:
    """Return moves that differ from a legal one in one number, as far as they are well formed."""
    found: list[Move] = []
    for name, value in move.items():
        for step in (-2, -1, 1, 2, 9):
            changed: JsonObject = {**move}
            if isinstance(value, int):
                changed[name] = value + step
            elif isinstance(value, dict):
                changed[name] = {**value, "x": value["x"] + step}
            elif isinstance(value, list):
                changed[name] = [*value[1:], value[0] + step] if step < 9 else [*value, value[0]]
            else:
                continue
            try:
                found.append(GAME.parse_move(changed))
            except MalformedMove:
                continue
    return found
