"""`./dev mutants [NUMBER]`: change the code, run its tests, and list what nobody noticed."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import click

from tests.mutants.choice import stages
from tests.mutants.drawing import Mutant, drawn
from tests.mutants.running import NothingLearnedError, Outcome, Runner, copies

ROOT = Path(__file__).resolve().parents[2]
GOAL = 0.9
"""How many of the mutants are to be killed."""


@click.command()
@click.argument("number", default=300)
@click.option("--seed", default=1, show_default=True, help="Another seed draws others.")
@click.option("--jobs", default=2, show_default=True, help="How many are tested at once.")
def main(number: int, seed: int, jobs: int) -> None:
    """Draw NUMBER changes of the rules, decide, chain and store (300), and test each.

    A mutant is killed when one of the tests that concern its module fails or takes far too long.
    Exit code 1: fewer than nine of ten were killed. 2: the tests fail with nothing changed.
    """
    # Whoever ends this ends the tests too, also if it was begun in the background.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    mutants = drawn(ROOT, number, seed)
    outcomes = list[Outcome]()
    click.echo(f"{len(mutants)} mutants drawn")
    with copies(ROOT, jobs) as places:
        try:
            for outcome in Runner(places, stages).outcomes(mutants):
                outcomes.append(outcome)
                click.echo(_progress(outcome, len(outcomes), len(mutants)))
        except NothingLearnedError as failed:
            click.echo(f"These fail with nothing changed: {failed}", err=True)
            sys.exit(2)
    sys.exit(0 if _summary(mutants, outcomes) else 1)


def _progress(outcome: Outcome, count: int, of: int) -> str:
    word = "killed  " if outcome.killed else "SURVIVED"
    return f"{count:4}/{of} {word} {_place(outcome.mutant)} ({outcome.seconds:.1f} s)"


def _place(mutant: Mutant) -> str:
    return f"{mutant.path}:{mutant.line(ROOT)}"


def _summary(mutants: list[Mutant], outcomes: list[Outcome]) -> bool:
    """Tell what became of all of them; return whether enough were killed."""
    alive = {outcome.mutant for outcome in outcomes if not outcome.killed}
    for mutant in (one for one in mutants if one in alive):
        before, after = mutant.difference(ROOT)
        click.echo(f"\n{_place(mutant)}\n- {before}\n+ {after}")
    killed = len(mutants) - len(alive)
    share = killed / len(mutants) if mutants else 1.0
    click.echo(
        f"\n{len(mutants)} drawn, {killed} killed, {len(alive)} survived: {share:.0%} killed"
    )
    return share >= GOAL


if __name__ == "__main__":
    main()
