"""``./dev bench``: print the ratios, each with its goal; exit 1 where one is missed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from tests.bench import (
    exchange,
    first_seat,
    large,
    lines,
    moving,
    posting,
    site,
    storing,
    strength,
    telling,
    thinking,
    verifying,
    watching,
)
from tests.bench.databases import Bed, beds
from tests.bench.rounds import Ratio

MEASURES: dict[str, Callable[[Bed, int], Iterator[Ratio]]] = {
    "append": storing.append,
    "command": moving.command,
    "fold": storing.load_and_fold,
    "verify": verifying.verifying,
    "late": moving.late,
    "post": posting.post,
    "house": thinking.house,
    "notices": telling.telling,
    "export": exchange.export,
    "import": exchange.import_,
    "memory": exchange.memory,
    "lines": lines.lines,
    "watched": watching.watching,
    "site": site.site,
}

ROUNDS = 9
QUICK_ROUNDS = 3


def main(arguments: list[str]) -> int:
    """Measure what is named (everything without names); ``--quick``: fewer rounds."""
    if arguments[:1] == ["strength"]:
        return strength.main(arguments[1:])
    if arguments[:1] == ["first-seat"]:
        return first_seat.main(arguments[1:])
    if arguments[:1] == ["large"]:
        return large.main(arguments[1:])
    quick = "--quick" in arguments
    names = [one for one in arguments if one != "--quick"] or list(MEASURES)
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are: {', '.join(MEASURES)}", file=sys.stderr)
        return 2
    missed = 0
    with beds() as places:
        for name in names:
            for bed in places:
                for ratio in MEASURES[name](bed, QUICK_ROUNDS if quick else ROUNDS):
                    print(_line(ratio), flush=True)
                    missed += not ratio.reached
    print(f"{missed} of the goals missed" if missed else "all goals reached")
    return 1 if missed else 0


def _line(ratio: Ratio) -> str:
    bound = "at most" if ratio.at_most else "at least"
    goal = "no goal" if ratio.goal is None else f"{bound} {ratio.goal}"
    mark = "ok" if ratio.reached else "MISSED"
    return f"{mark:6} {ratio.value:6.2f}  {goal:13} {ratio.name}: {ratio.detail}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
