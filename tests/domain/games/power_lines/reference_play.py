"""The other half of the second opinion: what a move does to the JSON of a whole state."""

from __future__ import annotations

from typing import NamedTuple

from domain.json_types import Json, JsonObject
from tests.domain.games.power_lines import reference as page


class Awaited(NamedTuple):
    """A state and what it waits for: chance (purpose and seat) or, empty, a look at the turn."""

    state: JsonObject
    purpose: str = ""
    seat: int = 0


def play(state: JsonObject, move: JsonObject) -> Awaited:
    """Return the state after a move, before the end and the turn are looked at."""
    seat, free = page.to_act(state), bool(state["pending"])
    state = page.copied(state)
    state["pending"] = []
    before = page.copied(state)
    cost = {"draw": 1, "shuffle": 2, "dominate": 1, "play": 1}.get(move["action"], 0)
    state["actions_left"] -= 0 if free else cost
    match move["action"]:
        case "place":
            place(state, seat, move)
        case "draw":
            take(state, seat, 1)
        case "shuffle":
            return Awaited(state, "shuffle", seat)
        case "play":
            return laid(before, state, seat, move)
        case "dominate" | "discard":
            removed(before, state, seat, move)
        case _:
            assert move["action"] == "decline"
    return Awaited(state)


def own(state: JsonObject, seat: int) -> JsonObject:
    player: JsonObject = state["players"][seat - 1]
    return player


def take(state: JsonObject, seat: int, count: int) -> None:
    player = own(state, seat)
    player["hand"] = sorted(player["hand"] + player["deck"][:count])
    player["deck"] = player["deck"][count:]


def place(state: JsonObject, seat: int, move: JsonObject) -> None:
    own(state, seat)["hand"].remove(move["card"])
    card = {"x": move["x"], "y": move["y"], "owner": seat, "card": move["card"], "face": "down"}
    state["field"].append(card)
    state["placed"][seat - 1] += 1
    state["seat"] = 3 - seat
    if state["placed"] == [3, 3]:
        state["phase"], state["actions_left"] = "play", 3


def laid(before: JsonObject, state: JsonObject, seat: int, move: JsonObject) -> Awaited:
    player, enemy = own(state, seat), own(state, 3 - seat)
    player["hand"].remove(move["card"])
    for card in sorted(move.get("discard", [])):
        player["hand"].remove(card)
        player["discard"].append(card)
    take(state, seat, page.DRAW_PRICE.get(move["card"], 0))
    given = move.get("sacrifice")
    lost = None if given is None else gone(state, seat, page.at(given), "discard")
    state["field"].append(
        {"x": move["x"], "y": move["y"], "owner": seat, "card": move["card"], "face": "up"}
    )
    around = [one for one in page.of(state, 3 - seat) if page.border(page.at(one), page.at(move))]
    for one in around:
        if page.up(one, 4):
            take(state, 3 - seat, 1)
    if move["card"] == 5 and around and enemy["discard"]:
        return Awaited(state, "trash", 3 - seat)
    zeros(before, state)
    if lost is not None and page.up(lost, 2):
        ask(state, "free_discard", 3 - seat, lost)
    if move["card"] in {7, 9}:
        ask(state, {7: "free_dominate", 9: "free_play"}[move["card"]], seat, move)
    return Awaited(state)


def removed(before: JsonObject, state: JsonObject, seat: int, move: JsonObject) -> None:
    pile = {"dominate": "trash", "discard": "discard"}[move["action"]]
    lost = gone(state, 3 - seat, page.at(move), pile)
    zeros(before, state)
    if page.up(lost, 2):
        ask(state, "free_discard", seat, lost)


def gone(state: JsonObject, seat: int, spot: page.Place, pile: str) -> JsonObject:
    [lost] = [one for one in page.of(state, seat) if page.at(one) == spot]
    state["field"] = [one for one in state["field"] if one is not lost]
    own(state, seat)[pile].append(lost["card"])
    return lost


def zeros(before: JsonObject, state: JsonObject) -> None:
    """Trash the 0s that were in play before and are worth less now."""
    old = {
        (page.at(one), one["owner"]): page.worth(before, one)
        for one in before["field"]
        if page.up(one, 0)
    }
    falling = [
        one
        for one in state["field"]
        if page.up(one, 0) and page.worth(state, one) < old.get((page.at(one), one["owner"]), 0)
    ]
    for one in falling:
        gone(state, one["owner"], page.at(one), "trash")


def ask(state: JsonObject, kind: str, seat: int, spot: JsonObject) -> None:
    state["pending"] = [{"kind": kind, "seat": seat, "x": spot["x"], "y": spot["y"]}]
    if page.moves(state, seat, 0) == [{"action": "decline"}]:
        state["pending"] = []


def draw(awaited: Awaited, outcome: Json) -> JsonObject:
    """Return the state after what chance decided in a turn."""
    state = page.copied(awaited.state)
    player = own(state, awaited.seat)
    if awaited.purpose == "shuffle":
        assert sorted(outcome) == sorted(player["deck"] + player["discard"])
        player["deck"], player["discard"] = outcome, []
    else:
        player["trash"].append(player["discard"].pop(outcome))
    return state


def settled(state: JsonObject, limit: int) -> tuple[JsonObject, str]:
    """Return the state after a look at the end and the turn, and the reason of the end."""
    state = page.copied(state)
    if state["pending"] or state["phase"] == "setup":
        return state, ""
    for seat in (1, 2):
        for pile, reason in (("trash", "base-dominated"), ("discard", "base-discarded")):
            if "base" in own(state, seat)[pile]:
                return state, reason
    if page.stuck(state, 1) and page.stuck(state, 2):
        return state, "stalled"
    if state["actions_left"] == 0:
        state["turn"] += 1
        if state["turn"] == limit:
            return state, "turn-limit"
        state["seat"], state["actions_left"] = 3 - state["seat"], 3
    return state, ""


def passed(state: JsonObject, limit: int) -> tuple[JsonObject, str]:
    """Return the state after a forced pass."""
    return settled({**page.copied(state), "actions_left": 0}, limit)


def winner(state: JsonObject, gap: int) -> int | None:
    """Return who won a state that has ended."""
    for seat in (1, 2):
        if not [one for one in page.of(state, seat) if one["card"] == "base"]:
            return 3 - seat
    goals = {1: gap + 1, 2: 0}
    first, second = (
        min(abs(one["x"] - goals[seat]) + abs(one["y"]) for one in page.of(state, seat))
        for seat in (1, 2)
    )
    return None if first == second else 1 + (second < first)


def plain(state: JsonObject) -> JsonObject:
    """Return a state in one form: derived members computed anew, the field in order.

    Which of two cards on a position lies over the other is not told here.
    """
    state = page.copied(state)
    joined = [one for seat in (1, 2) for one in page.linked(state, seat)]
    for one in state["field"]:
        one["value"], one["connected"] = page.worth(state, one), one in joined
    state["field"].sort(key=lambda one: (one["y"], one["x"], one["owner"]))
    for player in state["players"]:
        for part in ("hand", "deck"):
            player[f"{part}_count"] = len(player[part])
    return state
