"""Verify exported Plybook matches: python verify_match.py FILE.

Needs Python 3.9 or newer and nothing else. It is short, so that you can read it first.

It checks, for every match of an NDJSON export:
- the header: as many events as `count` says, the last of them with the hash `head`;
- the chain: versions 1, 2, 3, ...; each `hash` is SHA-256 of the event's canonical JSON, each
  `previous` is the hash of the event before; instants never go back;
- the seals: every value that is opened is the one that was committed to;
- the dice, if the secret is opened: coins (purposes `seat`, `first`), `setup`, `shuffle` (the
  cards are those of the outcome) and `trash` (the index is the stream's for some length of the
  pile, up to 4096, since the pile itself follows from the rules).

It does NOT judge legality: not the moves, not the forced passes, not the result, and not which
cards a deck has. `plybook verify FILE` does. Nor can it know whether the whole match was written
anew; a signed checkpoint that was kept elsewhere tells.

Exit code 0: what could be checked holds. 3: something does not. 2: the file cannot be read.
"""

import hashlib
import hmac
import json
import sys
from typing import Any

LONGEST_LINE = 1 << 20
ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
COINS = ("seat", "first")
PROOFS = ("plybook/proof", "plybook/consistency")


class Fault(Exception):
    """What does not hold, in words."""


def canonical(value: Any) -> bytes:
    """Return RFC 8785 JSON; the format has only whole numbers and plain ASCII names."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


def need(holds: bool, fault: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Raise a fault unless something holds."""
    if not holds:
        raise Fault(fault)


class Dice:
    """The numbers of one draw: HMAC blocks, cut into words of 8 bytes (docs/event-format.md)."""

    def __init__(self, secret: str, match: str, contributions: Any, draw: int) -> None:
        self.key, self.label = bytes.fromhex(secret), [match, contributions, draw]
        self.block, self.rest = 0, b""

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            if len(self.rest) < 8:
                label = canonical(["plybook/dice/1", *self.label, self.block])
                self.rest += hmac.new(self.key, label, hashlib.sha256).digest()
                self.block += 1
            word, self.rest = int.from_bytes(self.rest[:8], "big"), self.rest[8:]
            if word < limit:
                return word % bound

    def shuffle(self, items: Any) -> Any:
        """Return the items in the order of this draw."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items

    def setup(self) -> Any:
        """Return the Energy Cells of this draw."""
        grid = [(row, column) for row in range(1, 6) for column in range(1, 6)]
        open_places = [place for place in grid if place not in ((1, 1), (5, 5))]
        while True:
            cells = [(*place, 1 + self.below(5)) for place in self.shuffle(open_places)[:8]]
            if sum(cell[2] for cell in cells) >= 15:
                return [{"row": r, "column": c, "value": v} for r, c, v in sorted(cells)]


def check_draw(data: Any, outcome: Any, fresh: Any) -> bool:
    """Compare a drawn outcome with its stream; `fresh()` begins that stream."""
    purpose = data["purpose"]
    if purpose in COINS:
        holds = bool(outcome == 1 + fresh().below(2))
    elif purpose == "setup":
        holds = bool(outcome == fresh().setup())
    elif purpose == "shuffle":
        holds = bool(outcome == fresh().shuffle(sorted(outcome)))
    elif purpose == "trash":
        holds = any(fresh().below(n) == outcome for n in range(outcome + 1, 4097))
    else:
        return False
    need(holds, "the drawn outcome is not what the secret gives")
    return True


def check_seals(sealed: Any) -> Any:
    """Check what is opened; return the opened values, and how many stay closed."""
    values, closed = [], 0
    for seal in sealed:
        need(("salt" in seal) == ("value" in seal), "a seal is half open")
        if "salt" not in seal:
            closed += 1
            continue
        salt = seal["salt"]
        need(len(salt) == 64 and salt == salt.lower(), "a salt is no 64 hex digits")
        found = hashlib.sha256(bytes.fromhex(salt) + canonical(seal["value"])).hexdigest()
        need(found == seal["commitment"], "a sealed value is another")
        values.append(seal["value"])
    return values, closed


def check_event(event: Any, number: int, before: Any, header: Any, state: Any) -> None:
    """Check one event against the one before it, and what was learned on the way."""
    body = {name: value for name, value in event.items() if name != "hash"}
    body["sealed"] = [{"for": s["for"], "commitment": s["commitment"]} for s in event["sealed"]]
    need(event["version"] == number and event["match"] == header["match"], "it is missing")
    need(hashlib.sha256(canonical(body)).hexdigest() == event["hash"], "it is not what was hashed")
    need(event["previous"] == (before["hash"] if before else "0" * 64), "it has another past")
    need(before is None or event["at"] >= before["at"], "it goes back in time")
    values, closed = check_seals(event["sealed"])
    state["closed"] += closed
    data = event["data"]
    if event["kind"] == "match-created" and values:
        state["secret"] = values[0]["secret"]
    elif event["kind"] == "dice-contributed":
        state["contributions"][data["seat"] - 1] = data["contribution"]
    elif event["kind"] == "chance-drawn":
        drawn = [data["outcome"]] if data.get("outcome") is not None else values
        given = list(state["contributions"])
        if state["secret"] is None or not drawn:
            state["unchecked"] += 1
        elif not check_draw(
            data, drawn[0], lambda: Dice(state["secret"], header["match"], given, data["draw"])
        ):
            state["unchecked"] += 1


def read(file: Any) -> Any:
    """Return the next line's object, or None at the end."""
    line = file.readline(LONGEST_LINE + 1)
    if not line:
        return None
    need(len(line) <= LONGEST_LINE and line.endswith(b"\n"), "a line breaks off or is too long")
    value = json.loads(line.decode("utf-8"))
    need(isinstance(value, dict) and canonical(value) + b"\n" == line, "a line is not canonical")
    return value


def check_match(header: Any, file: Any) -> str:
    """Check one match behind its header; return a sentence on what could not be checked."""
    need(header.get("format") == "plybook/match", "the header is missing")
    state = {"secret": None, "contributions": [None, None], "closed": 0, "unchecked": 0}
    before, number = None, 0
    for number in range(1, header["count"] + 1):
        event = read(file)
        need(event is not None, f"the header says {header['count']} events; it was cut")
        try:
            check_event(event, number, before, header, state)
        except Fault as fault:
            raise Fault(f"event {number}: {fault}") from None
        before = event
    need(before is not None and before["hash"] == header["head"], "the last event is not the head")
    return f"{number} events; {state['closed']} seals closed, {state['unchecked']} draws unchecked"


def main(name: str) -> int:
    """Check every match of a file; stop at the first that does not hold."""
    match = "the file"
    try:
        with open(name, "rb") as file:
            header = read(file)
            need(header is not None, "it is empty")
            while header is not None:
                match = str(header.get("match"))
                print(f"{match}: holds ({check_match(header, file)}); legality was not judged")
                header = read(file)
                while header is not None and header.get("format") in PROOFS:
                    header = read(file)
    except OSError as error:
        print(f"{name} cannot be read: {error}")
        return 2
    except Fault as fault:
        print(f"{match} does not hold: {fault}")
        return 3
    except ODD as odd:
        print(f"{match} does not hold: something in it is of another form ({odd!r})")
        return 3
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
