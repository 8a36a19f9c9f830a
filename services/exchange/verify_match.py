"""Verify exported Plybook matches: python verify_match.py FILE.

Needs Python 3.9 or newer and nothing else. It is short, so that you can read it first. For every
match of an NDJSON export it checks:
- the header: `count`, `head`, game, status and result are those of its events, names those of
  players, and what is open is what its viewer sees;
- the chain: versions 1, 2, 3, ...; each `hash` is SHA-256 of the event's canonical JSON, each
  `previous` is the hash before, in a series that of the match before; instants never go back;
- the seals: every value that is opened is the one that was committed to;
- time given back for a downtime: no more than has passed since that clock last changed;
- the dice, if the secret is open: draws count 1, 2, 3, ... (0: the seat) and follow from it: coins
  (`seat`, `first`), `setup`, `shuffle` (of the outcome's cards), `trash` (from a counted pile);
- the proof behind a match, if there is one: its path leads from one of these events to its root.

It does NOT judge legality: not the moves, not the forced passes, not the result, and not which
cards a deck has. `plybook verify FILE` does. Nor can it know whether the whole match was written
anew; a signed checkpoint that was kept elsewhere tells. Signatures it does not check.
Exit code 0: what could be checked holds. 3: something does not. 2: the file cannot be read.
"""

import hashlib
import hmac
import json
import re
import sys
from datetime import datetime, timedelta
from typing import Any

LONGEST_LINE = 1 << 20
ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
AUDIENCES = {"server", "seat-1", "seat-2"}
PROOFS = {"plybook/proof": "the signature", "plybook/consistency": "the proof's consistency"}
HEADER = "count format format_version game head match names result rules_version status viewer"
EVENT = "actor at data hash kind match previous schema sealed version"
CLOCKS = ("match-started", "takeback-accepted", "clock-paused", "clock-resumed", "time-given")
ENDS = {"match-ended": "finished", "match-aborted": "aborted"}
SERIES: Any = {}  # by its id: the last match of the file that is of it, and its head
INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z")


class Fault(Exception):
    """What does not hold, in words."""


def encode(value: Any) -> bytes:
    """Return RFC 8785 JSON; the format has only whole numbers and plain ASCII names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def need(holds: bool, fault: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Raise a fault unless something holds."""
    if not holds:
        raise Fault(fault)


class Dice:
    """The numbers of one draw: HMAC blocks, cut into words of 8 bytes (docs/event-format.md)."""

    def __init__(self, secret: str, match: str, contributions: Any, draw: int) -> None:
        self.key, self.label = bytes.fromhex(secret), [match, contributions, draw]
        self.block, self.rest = 0, b""

    def draw_below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            if len(self.rest) < 8:
                label = encode(["plybook/dice/1", *self.label, self.block])
                self.rest += hmac.new(self.key, label, hashlib.sha256).digest()
                self.block += 1
            word, self.rest = int.from_bytes(self.rest[:8], "big"), self.rest[8:]
            if word < limit:
                return word % bound

    def shuffle(self, items: Any) -> Any:
        """Return the items in the order of this draw."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.draw_below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def draw_setup(self) -> Any:
        """Return the Energy Cells of this draw."""
        places = [(1 + place // 5, 1 + place % 5) for place in range(1, 24)]  # without two corners
        while True:
            cells = [(*place, 1 + self.draw_below(5)) for place in self.shuffle(places)[:8]]
            if sum(cell[2] for cell in cells) >= 15:
                return [{"row": r, "column": c, "value": v} for r, c, v in sorted(cells)]


def check_draw(data: Any, outcome: Any, dice: Dice, pile: int) -> bool:
    """Compare a drawn outcome with its stream; `pile`: how many cards a `trash` is drawn from."""
    purpose = data["purpose"]
    if purpose in ("seat", "first"):
        drawn = 1 + dice.draw_below(2)
    elif purpose == "setup":
        drawn = dice.draw_setup()
    elif purpose == "shuffle":
        drawn = dice.shuffle(sorted(outcome))
    elif purpose == "trash":
        need(pile > 0, "a card is drawn from an empty pile")
        drawn = dice.draw_below(pile)
    else:
        return False
    need(encode(outcome) == encode(drawn), "the drawn outcome is not what the secret gives")
    return True


def check_seals(sealed: Any, viewer: Any) -> Any:
    """Check what is opened, and that the viewer sees it; return it, and how many stay closed."""
    values, closed = [], 0
    for seal in sealed:
        seen = viewer == "server" or viewer in seal["for"]
        need(type(seal["for"]) is list and set(seal["for"]) <= AUDIENCES, "a seal is for nobody")
        need(("salt" in seal) == ("value" in seal) == seen, "its viewer does not see what is open")
        need(set(seal) - {"salt", "value"} == {"for", "commitment"}, "a seal has other members")
        if "salt" not in seal:
            closed += 1
            continue
        salt = seal["salt"]
        need(len(salt) == 64 and salt == salt.lower(), "a salt is no 64 hex digits")
        found = hashlib.sha256(bytes.fromhex(salt) + encode(seal["value"])).hexdigest()
        need(found == seal["commitment"], "a sealed value is another")
        values.append(seal["value"])
    return values, closed


def follow(kind: str, data: Any, event: Any, state: Any) -> None:
    """Count the cards of both discard piles along, and since when clocks run."""
    now, since = list(state["piles"][event["version"] - 1]), state["since"]
    if kind == "time-given" and data["reason"] == "downtime":
        begun, at = (datetime.fromisoformat(t[:-1]) for t in (since[data["seat"] - 1], event["at"]))
        fits = timedelta(0) < timedelta(seconds=data["amount"]) < at - begun + timedelta(seconds=1)
        need(fits and event["actor"] == "server", "more time is given back than has passed")
    if kind in CLOCKS:
        since[:] = [event["at"]] * 2
    elif kind in ("move-made", "turn-passed"):
        since[2 - data["seat"]] = event["at"]
    if kind == "move-made":
        seat, move = data["seat"], data["move"]
        if move.get("action") == "play":
            now[seat - 1] += len(move.get("discard", ())) + ("sacrifice" in move)
        elif move.get("action") == "discard":
            now[2 - seat] += 1
    elif kind == "chance-drawn" and data["purpose"] in ("shuffle", "trash"):
        now[data["seat"] - 1] -= 1 if data["purpose"] == "trash" else now[data["seat"] - 1]
    elif kind == "takeback-accepted":
        now = state["piles"][data["version"]]
    state["piles"].append(now)


def check_chance(event: Any, values: Any, state: Any) -> None:
    """Check the number of a draw, and its outcome if it can be seen."""
    data = event["data"]
    due = 0 if data["purpose"] == "seat" else state["draw"] + 1
    need(encode(data["draw"]) == encode(due), "the draw has not the next number")
    state["draw"] = due
    drawn = [data["outcome"]] if data.get("outcome") is not None else values
    if state["secret"] is None or not drawn:
        state["unchecked"] += 1
        return
    dice = Dice(state["secret"], event["match"], list(state["contributions"]), due)
    pile = state["piles"][-1][data.get("seat", 1) - 1]
    state["unchecked"] += not check_draw(data, drawn[0], dice, pile)


def check_event(event: Any, number: int, before: Any, header: Any, state: Any) -> None:
    """Check one event against the one before it, and what was learned on the way."""
    need(" ".join(sorted(event)) == EVENT, "it has not the members of an event")
    body = {name: value for name, value in event.items() if name != "hash"}
    body["sealed"] = [{"for": s["for"], "commitment": s["commitment"]} for s in event["sealed"]]
    need(event["version"] == number and event["match"] == header["match"], "it is missing")
    need(type(event["version"]) is int and bool(INSTANT.fullmatch(event["at"])), "odd values")
    need(hashlib.sha256(encode(body)).hexdigest() == event["hash"], "it is not what was hashed")
    need(event["previous"] == (before["hash"] if before else "0" * 64), "it has another past")
    need(before is None or event["at"] >= before["at"], "it goes back in time")
    values, closed = check_seals(event["sealed"], header["viewer"])
    state["closed"] += closed
    kind, data = event["kind"], event["data"]
    need((kind == "match-created") == (number == 1), "it stands where another one has to")
    need(number > 1 or [s["for"] for s in event["sealed"]] == [["server"]], "it seals no secret")
    need(state["status"] not in ENDS.values(), "it follows on the match's end")
    if kind == "match-created":
        own = data.get("series") or {"id": None, "previous": None}
        need(SERIES.get(own["id"], own["previous"]) == own["previous"], "its series lacks a match")
        SERIES[own["id"]] = own["id"] and {"match": event["match"], "head": header["head"]}
        state["created"], state["secret"] = data, values[0]["secret"] if values else None
        state["players"] |= {data["creator"], data["opponent"]}
    elif kind == "seat-taken":
        state["players"].add(data["player"])
    elif kind == "dice-contributed":
        state["contributions"][data["seat"] - 1] = data["contribution"]
    elif kind == "match-started":
        state["status"] = "active"
    elif kind in ENDS:
        state["status"] = ENDS[kind]
        state["result"] = {"winner": data.get("winner"), "reason": data["reason"]}
    elif kind == "chance-drawn":
        check_chance(event, values, state)
    follow(kind, data, event, state)


def check_header(header: Any, state: Any) -> None:
    """Compare what the header says with what its events said."""
    said = {**state["created"], "status": state["status"], "result": state["result"]}
    for name in ("game", "rules_version", "status", "result"):
        need(encode(header[name]) == encode(said[name]), f"the {name} is another one")
    names = dict(header["names"])
    need(names == header["names"] and set(names) <= state["players"], "a stranger is named")
    need(all(isinstance(n, str) and 1 <= len(n) <= 200 for n in names.values()), "odd names")
    need(header["viewer"] in ("server", "seat-1", "seat-2", "spectator"), "nobody sees it so")
    need(header["viewer"] != "server" or header["status"] == "finished", "it should not be open")


def refuse(number: str) -> None:
    """Refuse fractions, which nothing writes, so that 1 and 1.0 are never the same."""
    raise Fault(f"{number} is no whole number")


def read(file: Any) -> Any:
    """Return the next line's object, or None at the end."""
    line = file.readline(LONGEST_LINE + 1)
    if not line:
        return None
    need(len(line) <= LONGEST_LINE and line.endswith(b"\n"), "a line breaks off or is too long")
    value = json.loads(line.decode("utf-8"), parse_float=refuse, parse_constant=refuse)
    need(isinstance(value, dict) and encode(value) + b"\n" == line, "a line is not canonical")
    return value


def check_match(header: Any, file: Any) -> Any:
    """Check one match behind its header; return its hashes, and what could not be checked."""
    need(header.get("format") == "plybook/match", "the header is missing")
    need(" ".join(sorted(header)) == HEADER, "the header has not the members of one")
    need(encode(header["format_version"]) == b"1", "it is of a version that is not known here")
    state: Any = {"secret": None, "contributions": [None, None], "draw": 0, "piles": [[0, 0]]}
    state.update(created=None, players=set(), status="open", result=None, since=["", ""])
    state.update(closed=0, unchecked=0)
    before, number, heads = None, 0, {}
    for number in range(1, header["count"] + 1):
        event = read(file)
        need(event is not None, f"the header says {header['count']} events; it was cut")
        try:
            check_event(event, number, before, header, state)
        except Fault as fault:
            raise Fault(f"event {number}: {fault}") from None
        before, heads[number] = event, event["hash"]
    need(before is not None and before["hash"] == header["head"], "the last event is not the head")
    check_header(header, state)
    left = f"{state['closed']} seals closed, {state['unchecked']} draws unchecked"
    return heads, f"{number} events; {left}"


def check_proof(proof: Any, match: str, heads: Any) -> None:
    """Follow the path of a proof from its leaf up to its root, as RFC 6962 has it."""
    leaf, tree, index = proof["leaf"], proof["checkpoint"], proof["index"]
    need(leaf["match"] == match, "the proof is of another match")
    need(leaf["head"] == heads.get(leaf["version"]), "the proof is not of these events")
    node, last = hashlib.sha256(b"\0" + encode(leaf)).digest(), tree["size"] - 1
    need(0 <= index <= last, "the proof's leaf is not in its tree")
    for other in map(bytes.fromhex, proof["path"]):
        need(last > 0, "the proof's path is too long")
        while not index & 1 and index == last:
            index, last = index >> 1, last >> 1
        pair = other + node if index & 1 else node + other
        node, index, last = hashlib.sha256(b"\1" + pair).digest(), index >> 1, last >> 1
    need(last == 0 and node.hex() == tree["root"], "the proof does not lead to its root")


def main(name: str) -> int:
    """Check every match of a file; stop at the first that does not hold."""
    match = "the file"
    try:
        with open(name, "rb") as file:
            header = read(file)
            need(header is not None, "it is empty")
            while header is not None:
                match = str(header.get("match", "the file"))
                heads, left = check_match(header, file)
                header = read(file)
                while header is not None and header.get("format") in PROOFS:
                    if header["format"] == "plybook/proof":
                        check_proof(header, match, heads)
                    left += f", {PROOFS[header['format']]} unchecked"
                    header = read(file)
                print(f"{ascii(match)[1:-1]}: holds ({left}); legality was not judged")
    except OSError as error:
        print(f"{name} cannot be read: {error}")
        return 2
    except (Fault, *ODD) as fault:
        odd = "" if isinstance(fault, Fault) else "something in it is of another form: "
        print(f"{ascii(match)[1:-1]} does not hold: {odd}{fault}")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
