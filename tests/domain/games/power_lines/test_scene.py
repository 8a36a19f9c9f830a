"""What is drawn: cards, values, hidden faces, what a move is entered over."""

from __future__ import annotations

from domain.game.game import Last, Viewer
from domain.game.scene import Mark, Scene, Space, Token, Zone
from domain.games.power_lines.position import Position
from tests.domain.games.power_lines.pictures import (
    GAME,
    RUNNING,
    choosing,
    pictured,
    played,
    read,
    seen,
)


def drawn(position: Position, viewer: Viewer = Viewer.SEAT_1, last: Last | None = None) -> Scene:
    return GAME.build_scene(seen(position, viewer), last)


def zone(scene: Scene, name: str) -> Zone:
    [found] = [one for one in scene.zones if one.id == name]
    return found


def space(scene: Scene, name: str) -> Space:
    [found] = [one for part in scene.zones for one in part.spaces if one.id == name]
    return found


def token(scene: Scene, name: str) -> Token:
    [found] = space(scene, name).tokens
    return found


def example(**given: object) -> Position:
    return pictured(
        "A* A#7 A8 B4/A6 B*\n. . . B#2 .",
        **{
            "hands": ((9, 1, 4, 4), (10,)),
            "decks": ((5, 6), (7,)),
            "discards": ((3, 2), ()),
            "trashes": ((), (0,)),
            **given,
        },
    )


def test_a_card_shows_owner_value_and_what_it_does() -> None:
    eight = token(drawn(example()), "cell:2,0")
    assert (eight.text, eight.owner, eight.value, eight.face_down) == ("8", 1, 10, False)
    assert eight.label == "P1's 8 (worth 1 more for each friendly beside it), value 10"
    base = token(drawn(example()), "cell:0,0")
    assert (base.kind, base.text, base.value) == ("base", "B", 12)


def test_a_face_down_card_shows_its_face_to_its_owner_only() -> None:
    own = token(drawn(example()), "cell:1,0")
    assert (own.text, own.face_down, own.value) == ("7", True, 5)
    assert "7" in own.label
    for viewer in (Viewer.SEAT_2, Viewer.SPECTATOR):
        other = token(drawn(example(), viewer), "cell:1,0")
        assert (other.text, other.label) == ("?", "P1's face-down card, value 5")
    assert token(drawn(example(), Viewer.SEAT_2), "cell:3,1").text == "2"


def test_a_covered_card_lies_below() -> None:
    tokens = space(drawn(example()), "cell:3,0").tokens
    assert [(one.text, one.owner) for one in tokens] == [("4", 2), ("6", 1)]


def test_what_is_cut_off_is_loose_and_bonds_join_what_is_connected() -> None:
    scene = drawn(example())
    assert token(scene, "cell:3,1").marks == set()
    loose = drawn(pictured("A* . A5 A5 B*"))
    assert token(loose, "cell:2,0").marks == {Mark.LOOSE}
    assert token(loose, "cell:2,0").label.endswith("cut off")
    assert loose.links == ()
    bonds = {(link.source, link.target, link.owner) for link in scene.links}
    assert bonds == {
        ("cell:0,0", "cell:1,0", 1),
        ("cell:1,0", "cell:2,0", 1),
        ("cell:2,0", "cell:3,0", 1),
        ("cell:3,0", "cell:4,0", 2),
        ("cell:3,0", "cell:3,1", 2),
    }


def test_own_cards_are_spaces_and_other_hands_and_decks_are_numbers() -> None:
    scene = drawn(example())
    assert [one.id for one in zone(scene, "hand-1").spaces] == ["hand:1", "hand:4", "hand:9"]
    four = space(scene, "hand:4")
    assert four.label == "2 × 4, price: free; when an enemy is played beside it, its owner draws"
    assert [one.id for one in four.tokens] == ["hand:4#0", "hand:4#1"]
    assert (zone(scene, "hand-2").spaces, zone(scene, "hand-2").hidden_count) == ((), 1)
    assert (zone(scene, "deck-1").spaces, zone(scene, "deck-1").hidden_count) == ((), 2)
    ten = space(drawn(example(), Viewer.SEAT_2), "hand:10")
    assert ten.tokens[0].told == "Price: discard 2. No effect."
    pile = [one.tokens[0].text for one in zone(scene, "discard-1").spaces]
    assert (pile, zone(scene, "trash-2").spaces[0].label) == (["3", "2"], "0")


def test_when_it_is_over_hands_and_decks_lie_open_the_top_card_last() -> None:
    scene = GAME.build_scene(GAME.view(example(), Viewer.SPECTATOR, not RUNNING), None)
    assert [one.tokens[0].text for one in zone(scene, "deck-1").spaces] == ["6", "5"]
    assert zone(scene, "hand-2").spaces[0].tokens[0].text == "10"
    assert token(scene, "cell:1,0").text == "7"


def test_the_seat_to_act_has_buttons_for_what_has_no_place() -> None:
    def buttons(position: Position, viewer: Viewer = Viewer.SEAT_1) -> list[str]:
        zones = [one for one in drawn(position, viewer).zones if one.id == "choices"]
        return [one.id for part in zones for one in part.spaces]

    assert buttons(example()) == ["action:draw", "action:shuffle"]
    assert buttons(example(actions=1)) == ["action:draw"]
    assert buttons(example(), Viewer.SEAT_2) == buttons(example(), Viewer.SPECTATOR) == []
    assert buttons(choosing(example(), "free_discard", 1, (3, 0))) == ["action:decline"]


def path(position: Position, text: str) -> tuple[str, ...]:
    return GAME.build_path(seen(position, Viewer.from_seat(position.actor)), read(text))


def test_a_move_is_entered_step_by_step() -> None:
    position = example()
    assert path(position, "draw") == ("action:draw",)
    assert path(position, "dominate 3,0") == ("cell:3,0",)
    assert path(position, "9@2,1 -1,4") == ("hand:9", "cell:2,1", "hand:1", "hand:4")
    assert path(position, "3@2,1 x1,0") == ("hand:3", "cell:2,1", "cell:1,0")
    assert path(position, "place 4@2,1") == ("hand:4", "cell:2,1")


def test_where_cards_may_be_laid_is_marked_alike_for_everybody() -> None:
    def reach(position: Position, viewer: Viewer) -> set[str]:
        spaces = zone(drawn(position, viewer), "field").spaces
        return {one.id for one in spaces if Mark.REACH in one.marks}

    position = pictured("A* A5 . B5 B*", hands=((4, 5), ()))
    marked = {"cell:0,-1", "cell:1,-1", "cell:-1,0", "cell:2,0", "cell:0,1", "cell:1,1"}
    assert reach(position, Viewer.SEAT_1) == marked
    assert reach(position, Viewer.SEAT_2) == marked
    choice = choosing(position, "free_play", 1, (1, 0))
    assert reach(choice, Viewer.SEAT_1) == {"cell:1,-1", "cell:2,0", "cell:1,1"}
    assert reach(choosing(position, "free_discard", 1, (1, 0)), Viewer.SEAT_1) == set()


def test_the_last_move_is_marked() -> None:
    position = pictured("A* A5 A5 B5 B*", hands=((3,), ()), decks=((1,), ()))
    move = {"action": "play", "card": 3, "x": 1, "y": 1, "sacrifice": {"x": 2, "y": 0}}
    scene = drawn(played(position, "3@1,1 x2,0"), last=Last(1, move))
    assert Mark.LAST in space(scene, "cell:1,1").marks
    assert Mark.LEFT in space(scene, "cell:2,0").marks
    taken = Last(1, {"action": "dominate", "x": 9, "y": 9})
    assert Mark.CAPTURED in space(drawn(position, last=taken), "cell:9,9").marks


def test_meters_and_notes_say_what_stands_beside_the_board() -> None:
    scene = drawn(choosing(example(turn=4, actions=2), "free_play", 1, (2, 0)))
    meters = {(one.owner, one.label): (one.value, one.maximum) for one in scene.meters}
    assert meters == {
        (1, "actions left"): (2, 3),
        (1, "cards in hand"): (4, None),
        (1, "cards in deck"): (2, 26),
        (1, "steps forward"): (3, 4),
        (2, "cards in hand"): (1, None),
        (2, "cards in deck"): (1, 26),
        (2, "steps forward"): (1, 4),
    }
    assert [one.text for one in scene.notes] == [
        "4 of 200 turns completed.",
        "P1 may play a card of 5 or less beside the 9 on 2,0, for free, or decline.",
    ]
