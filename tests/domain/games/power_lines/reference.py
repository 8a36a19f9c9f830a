"""Power Lines said once more, straight from its page, over the JSON of whole states.

Brute force: every card of 0 to 10 on every position of a box that is wider than the field,
paid in every way there is, and asked one by one whether the page allows it. Slow, and
written without a look at the rules' own way of finding moves.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations_with_replacement, product

from domain.json_types import JsonObject

HAND_PRICE = {7: 1, 8: 1, 9: 2, 10: 2}
DRAW_PRICE = {1: 1, 2: 2, 3: 1}

Entry = JsonObject
Place = tuple[int, int]


def at(one: Entry) -> Place:
    return one["x"], one["y"]


def order(one: Entry) -> tuple[int, int]:
    return one["y"], one["x"]


def of(state: JsonObject, seat: int) -> list[Entry]:
    return [one for one in state["field"] if one["owner"] == seat]


def border(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) <= 1


def neighbours(one: Place, other: Place) -> bool:
    return border(one, other) and one != other


def up(one: Entry, *cards: int) -> bool:
    return one["face"] == "up" and one["card"] in cards


def printed(one: Entry) -> int:
    if one["card"] == "base":
        return 12
    return 5 if one["face"] == "down" else int(one["card"])


def worth(state: JsonObject, one: Entry) -> int:
    friends = [
        friend
        for friend in of(state, one["owner"])
        if friend is not one and border(at(friend), at(one))
    ]
    bonus = len([friend for friend in friends if up(friend, 1)])
    if up(one, 8):
        return 8 + len(friends) + bonus
    if up(one, 0):
        best = [printed(friend) - 2 for friend in friends if friend["card"] != "base"]
        return max([0, *best]) + bonus
    return printed(one) + bonus


def linked(state: JsonObject, seat: int) -> list[Entry]:
    """Grow the base's component until it grows no more."""
    own = of(state, seat)
    found = [one for one in own if one["card"] == "base"]
    while True:
        more = [
            one
            for one in own
            if one not in found and any(border(at(one), at(other)) for other in found)
        ]
        if not more:
            return found
        found += more


def box(state: JsonObject) -> list[Place]:
    xs = [one["x"] for one in state["field"]]
    ys = [one["y"] for one in state["field"]]
    rows = range(min(ys) - 2, max(ys) + 3)
    columns = range(min(xs) - 2, max(xs) + 3)
    return [(x, y) for y, x in product(rows, columns)]


def ground(state: JsonObject, seat: int, card: int) -> list[Place]:
    """Try every position for a card, everything being paid."""
    joined = linked(state, seat)
    beside = [spot for spot in box(state) if any(neighbours(at(one), spot) for one in joined)]
    return [spot for spot in beside if fits(state, seat, spot, card)]


def fits(state: JsonObject, seat: int, spot: Place, card: int) -> bool:
    there = [one for one in state["field"] if at(one) == spot]
    if card != 6 or not there:
        return not there
    return len(there) == 1 and there[0]["owner"] != seat and worth(state, there[0]) <= 6


def beats(state: JsonObject, joined: list[Entry], enemy: Entry) -> bool:
    around = [one for one in joined if border(at(one), at(enemy))]
    return worth(state, enemy) + 2 <= sum(worth(state, one) for one in around)


def has(hand: list[int], wanted: tuple[int, ...]) -> bool:
    return all(hand.count(card) >= wanted.count(card) for card in wanted)


def to_act(state: JsonObject) -> int:
    return int(state["pending"][0]["seat"] if state["pending"] else state["seat"])


def moves(state: JsonObject, seat: int, actions: int) -> list[JsonObject]:
    """List the legal moves of ``seat``, as if it had so many actions left."""
    if state["phase"] == "setup":
        return places(state, seat)
    if state["pending"]:
        return choices(state, seat, state["pending"][0])
    own, found = state["players"][seat - 1], []
    if own["deck"]:
        found.append({"action": "draw"})
    if own["discard"] and actions >= 2:
        found.append({"action": "shuffle"})
    return found + dominations(state, seat) + plays(state, seat, None)


def stuck(state: JsonObject, seat: int) -> bool:
    """Say whether ``seat`` could do nothing in a fresh turn."""
    own = state["players"][seat - 1]
    return not own["deck"] and not own["discard"] and not moves(state, seat, 3)


def places(state: JsonObject, seat: int) -> list[JsonObject]:
    hand = state["players"][seat - 1]["hand"]
    return [
        {"action": "place", "card": card, "x": x, "y": y}
        for card in range(11)
        if card in hand
        for x, y in ground(state, seat, card if card != 6 else 5)
    ]


def choices(state: JsonObject, seat: int, pending: JsonObject) -> list[JsonObject]:
    spot, found = at(pending), []
    if pending["kind"] == "free_discard":
        cards = sorted(of(state, 3 - seat), key=order)
        found = [
            {"action": "discard", "x": one["x"], "y": one["y"]}
            for one in cards
            if border(at(one), spot)
        ]
    elif pending["kind"] == "free_dominate":
        found = [move for move in dominations(state, seat) if border(at(move), spot)]
    else:
        found = plays(state, seat, spot)
    return [*found, {"action": "decline"}]


def dominations(state: JsonObject, seat: int) -> list[JsonObject]:
    joined = linked(state, seat)
    return [
        {"action": "dominate", "x": one["x"], "y": one["y"]}
        for one in sorted(of(state, 3 - seat), key=order)
        if beats(state, joined, one)
    ]


def plays(state: JsonObject, seat: int, nine: Place | None) -> list[JsonObject]:
    """List plays; ``nine`` is where the 9 of a free play lies."""
    own = state["players"][seat - 1]
    found = []
    for card in range(11):
        if card not in own["hand"] or len(own["deck"]) < DRAW_PRICE.get(card, 0):
            continue
        if nine is not None and card > 5:
            continue
        found += sacrificing(state, seat, nine) if card == 3 else paying(state, seat, card, nine)
    return found


def paying(state: JsonObject, seat: int, card: int, nine: Place | None) -> list[JsonObject]:
    hand = state["players"][seat - 1]["hand"]
    payments = [
        discard
        for discard in combinations_with_replacement(range(11), HAND_PRICE.get(card, 0))
        if has(hand, (card, *discard))
    ]
    spots = [spot for spot in ground(state, seat, card) if nine is None or neighbours(spot, nine)]
    extra = [{"discard": list(discard)} if card in HAND_PRICE else {} for discard in payments]
    return [
        {"action": "play", "card": card, "x": x, "y": y, **paid} for x, y in spots for paid in extra
    ]


def sacrificing(state: JsonObject, seat: int, nine: Place | None) -> list[JsonObject]:
    found = []
    for one in sorted(of(state, seat), key=order):
        if one["card"] == "base" or at(one) == nine:
            continue
        rest = {**state, "field": [other for other in state["field"] if other is not one]}
        found += [
            (x, y, one)
            for x, y in ground(rest, seat, 3)
            if nine is None or neighbours((x, y), nine)
        ]
    found.sort(key=lambda entry: (entry[1], entry[0], order(entry[2])))
    return [
        {
            "action": "play",
            "card": 3,
            "x": x,
            "y": y,
            "sacrifice": {"x": one["x"], "y": one["y"]},
        }
        for x, y, one in found
    ]


def copied(state: JsonObject) -> JsonObject:
    return deepcopy(state)
