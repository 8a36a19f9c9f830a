"""``plybook analyse``: what each position of a finished match was worth, and where it was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import on_database
from cli.terminal.exits import Failure, print_json, tell_line
from cli.terminal.options import format_examples, json_option, match_argument

if TYPE_CHECKING:
    from domain.json_types import JsonObject
    from services.container import Services

FAILED = "This match could not be analysed; the log says where."

TEN = 10
"""Per mille of one of a hundred, which is what people read."""


@click.command(
    epilog=format_examples("plybook analyse MATCH", "plybook analyse MATCH --json > analysis.json")
)
@match_argument
@json_option
@on_database
def analyse(*, match_id: str, as_json: bool, house: Services) -> None:
    """Analyse a finished MATCH, and show what was found.

    A line for each move that stands: what its position was worth, a mark (best, good,
    inaccuracy, mistake), what the move cost in hundredths of a win, and the best line. "P1 62"
    is an estimate: seat 1 may expect 62 hundredths of a win. What was found is kept, so asking
    again is quick. If a worker runs on this database, it does the work.
    """
    from cli.terminal.output import counting
    from services.matches.queries import Asker

    report = None
    with counting("positions analysed") as counted:
        for report in house.analyses.make(Asker(local=True), match_id):
            counted.show_count(report.done)
    if report is not None:
        show(report._asdict(), as_json=as_json)


def show(analysis: JsonObject, *, as_json: bool) -> None:
    """Print an analysis in the contract's form. Raises ``Failure`` where there is none."""
    if analysis["status"] == "failed":
        raise Failure(FAILED)
    if as_json:
        print_json([analysis])
        return
    played = [one for one in analysis["positions"] if one["played"]]
    room = max((len(one["played"]["text"]) for one in played), default=0)
    for number, one in enumerate(played, 1):
        best = "" if one["mark"] == "best" or not one["best"] else " ".join(one["best"][0]["line"])
        cost = f"{one['loss'] // TEN}" if one["loss"] else ""
        told = (
            f"{number:>3}  P{one['seat']}  {one['played']['text']:<{room}}  "
            f"{describe_worth(one['value']):<18}  {one['mark'] or '':<10}  {cost:>3}  {best}"
        )
        tell_line(told.rstrip(), behind=8)
    for seat in (1, 2):
        marks = [one["mark"] for one in played if one["seat"] == seat]
        kinds = ("best", "good", "inaccuracy", "mistake")
        tell_line(f"P{seat}: " + ", ".join(f"{kind} {marks.count(kind)}" for kind in kinds))


def describe_worth(value: JsonObject) -> str:
    """Say what a position was worth.

    >>> describe_worth({"kind": "estimate", "per_mille": 624})
    'P1 62'
    >>> describe_worth({"kind": "exact", "winner": 2, "margin": 4, "plies": 3})
    'P2 wins in 3 by 4'
    """
    if value["kind"] == "estimate":
        return f"P1 {value['per_mille'] // TEN}"
    if value["winner"] is None:
        return "draw"
    told = f"P{value['winner']} wins"
    if value["plies"] is not None:
        told += f" in {value['plies']}"
    return f"{told} by {value['margin']}" if value["margin"] else told
