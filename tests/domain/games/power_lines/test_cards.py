"""Values and connection, in examples and against a computation of the test's own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.games.power_lines.cards import BASE, Card, list_connected
from domain.games.power_lines.cards import compute_value as worth
from tests.domain.games.power_lines.pictures import entry, listed, pictured, refused, value

SPOTS = st.tuples(st.integers(-2, 2), st.integers(-2, 2)).filter(lambda spot: spot != (0, 0))
CARDS = st.builds(Card, st.integers(0, 10), st.booleans(), st.just(value=False))


def test_a_friendly_1_next_to_the_base_makes_it_13_which_takes_15() -> None:
    picture = """
    B9 B5 B5 B5 B5
    A* {} .  .  B*
    A1 .  .  .  .
    """
    position = pictured(picture.format("B5"), seat=2, decks=((), (1,)))
    assert value(position, 0, 0) == 13
    assert "takes 15" in (refused(position, "dominate 0,0") or "")
    assert refused(pictured(picture.format("B6"), seat=2), "dominate 0,0") is None


def test_a_face_down_card_between_two_friendly_1s_has_value_7() -> None:
    assert value(pictured("A* A1 A# A1 B*"), 2, 0) == 7


def test_a_0_next_to_a_10_has_value_8() -> None:
    assert value(pictured("A* A10 A0 . B*"), 2, 0) == 8


def test_a_0_next_to_nothing_but_the_base_has_value_0() -> None:
    assert value(pictured("A* A0 . . B*"), 1, 0) == 0


def test_a_0_never_falls_below_0_and_a_1_strengthens_it() -> None:
    assert value(pictured("A* A0 A1 . B*"), 1, 0) == 1
    assert value(pictured("A* A1 A0 A3 B*"), 2, 0) == 2


def test_a_0_follows_a_face_down_10_as_a_5() -> None:
    assert value(pictured("A* A#10 A0 . B*"), 2, 0) == 3


def test_a_0_follows_the_printed_value_and_not_the_present_one() -> None:
    position = pictured(". A5 . . .\nA* A8 A0 . B*")
    assert (value(position, 1, 0), value(position, 2, 0)) == (11, 6)


def test_a_0_counts_as_0_for_another_0() -> None:
    assert value(pictured("A* A10 A0 A0 B*"), 3, 0) == 0


def test_an_8_with_base_face_down_card_and_5_around_it_has_value_11() -> None:
    assert value(pictured(". A# . . .\nA* A8 A5 . B*"), 1, 0) == 11


def test_a_1_beside_an_8_counts_as_friendly_and_strengthens() -> None:
    assert value(pictured("A* A1 A8 . B*"), 2, 0) == 10


def test_face_down_cards_have_no_effect() -> None:
    position = pictured("A* A#1 A#8 A#0 B*")
    assert [value(position, x, 0) for x in range(4)] == [12, 5, 5, 5]


def test_enemies_change_no_value() -> None:
    position = pictured("A* A8 B1 B8 B*")
    assert [value(position, 1, 0), value(position, 2, 0, 2), value(position, 3, 0, 2)] == [9, 1, 11]


def test_two_1s_beside_each_other_strengthen_each_other() -> None:
    position = pictured("A* A1 A1 . B*")
    assert (value(position, 1, 0), value(position, 2, 0)) == (2, 2)


def test_effects_do_not_need_connection() -> None:
    assert value(pictured("A* . A1 A5 B*"), 3, 0) == 6
    assert entry(pictured("A* . A1 A5 B*"), 3, 0, 1)["connected"] is False


def test_a_chain_cut_in_the_middle_counts_no_longer_and_carries_no_more() -> None:
    whole = pictured("A* A5 A5 A9 B2 B*", hands=((4,), ()))
    cut = pictured("A* A5 . A9 B2 B*", hands=((4,), ()))
    assert refused(whole, "dominate 4,0") is None
    assert "are worth 0" in (refused(cut, "dominate 4,0") or "")
    assert refused(whole, "4@3,1") is None
    assert "connected to your base" in (refused(cut, "4@3,1") or "")
    assert listed(cut, "4@3,") == []


def test_diagonal_neighbours_do_not_connect() -> None:
    position = pictured("A* . . . B*\n. A5 . . .")
    assert entry(position, 1, 1, 1)["connected"] is False


def test_a_covered_card_still_connects() -> None:
    position = pictured("A* A5/B6 A5 . B* ")
    assert entry(position, 2, 0, 1)["connected"] is True


@given(st.dictionaries(SPOTS, CARDS))
def test_values_and_connection_are_those_of_a_computation_by_sorting_and_sets(
    cards: dict[tuple[int, int], Card],
) -> None:
    field = {(0, 0): Card(BASE), **cards}
    for spot in field:
        assert worth(field, spot) == slowly(field, spot)
    assert list_connected(field, (0, 0)) == joined(field)
    assert list_connected(cards, (0, 0)) == set()


def slowly(field: dict[tuple[int, int], Card], spot: tuple[int, int]) -> int:
    friends = [
        card
        for at, card in field.items()
        if sorted((abs(at[0] - spot[0]), abs(at[1] - spot[1]))) == [0, 1]
    ]
    names = [card.face if card.up else "down" for card in friends]
    own = field[spot].face if field[spot].up else "down"
    best = [0, *(5 if name == "down" else int(name) for name in names if name != BASE)]
    base = {0: max(0, max(best) - 2), 8: 8 + len(names), "down": 5}.get(own, own)
    return int(base) + names.count(1)


def joined(field: dict[tuple[int, int], Card]) -> set[tuple[int, int]]:
    found = {(0, 0)}
    for _ in field:
        found |= {
            (x, y) for x, y in field if found & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        }
    return found
