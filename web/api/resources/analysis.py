"""The analysis of a finished match: asked for once, made by the worker, shown as far as it is."""

from __future__ import annotations

from functools import partial

from flask import Response
from marshmallow import Schema

from domain.search.analysis import INACCURACY_FROM, MARKS, MISTAKE_FROM
from services.replays.analysis import STATUSES, Report
from web.api import fields
from web.api.operations import OPEN, PLAYERS, Call, gives, reads, refuses, route
from web.api.resources.matches import TAG
from web.http.answers import NO_STORE, answer_json, make_stored_json


class ValueSchema(Schema):
    """What a position is worth: proven (`exact`), or an estimate.

    An estimate is the share of a win that seat 1 may expect, on one scale for all games: 1,000
    would be a sure win of seat 1, 500 is even, 0 would be a sure win of seat 2.
    """

    kind = fields.words("Whether it is proven.", "exact", "estimate")
    winner = fields.seat("Exact: who wins; null: it is a draw.", null=True, always=False)
    margin = fields.whole(
        "Exact: by how many of the game's points; null where the game counts none, or where only "
        "who wins is proven.",
        null=True,
        always=False,
    )
    plies = fields.whole(
        "Exact: after how many moves it is over, when both play on as the best line says; null: "
        "that line is not known to its end.",
        null=True,
        always=False,
    )
    per_mille = fields.whole("Estimate: of seat 1's share of a win.", always=False)


class BestSchema(Schema):
    """One of the best moves."""

    move = fields.an_object("The move.")
    text = fields.text("In the game's notation.")
    line = fields.many(fields.text(), "How both go on, this move first, in the game's notation.")


class PlayedSchema(Schema):
    """The move that was made, and stands."""

    version = fields.whole("The version of its event.")
    move = fields.an_object("The whole move.")
    text = fields.text("In the game's notation.")


class TruthSchema(Schema):
    """What was true of a position in which something was hidden; nobody could know it then."""

    value = fields.part(ValueSchema)
    best = fields.many(BestSchema)
    loss = fields.whole("What the move played cost in truth.", null=True)


class PositionSchema(Schema):
    """A position in which a move was made that stands, or the last one.

    Where something was hidden, it is judged by what the seat to act could know.
    """

    version = fields.whole("The event after which it stands: what the move was decided on.")
    seat = fields.seat("The seat to act; null: the game was over.", null=True)
    value = fields.part(ValueSchema)
    best = fields.many(BestSchema, "The best moves, three at most, the best one first.")
    loss = fields.whole(
        "What the move played cost, in per mille of a win; null: none was made.", null=True
    )
    mark = fields.text(
        f"`best`; else, by what it cost: `good`, `inaccuracy` (from {INACCURACY_FROM} on) or "
        f"`mistake` (from {MISTAKE_FROM} on); null: no move was made.",
        null=True,
        like=f"^({'|'.join(MARKS)})$",
    )
    played = fields.part(PlayedSchema, "Null: no move was made.", null=True)
    truth = fields.part(TruthSchema, "Null: nothing was hidden.", null=True)


class AnalysisSchema(Schema):
    """An analysis, as far as it is."""

    status = fields.words("How far it is.", *STATUSES)
    done = fields.whole("How many positions are analysed.")
    of = fields.whole("How many there are: one for each move that stands, and the last.")
    engine = fields.text("The version of the engine.")
    positions = fields.many(PositionSchema, "Those that are analysed, in order.")


@route("POST", "/matches/<match_id>/analysis", TAG, PLAYERS)
@reads("Idempotency-Key")
@gives(202, AnalysisSchema(), "It is being made; ask again for how far it is.", cache=NO_STORE)
@gives(200, AnalysisSchema(), "It is done.", cache=NO_STORE)
@refuses("match-not-over", "analysis-under-way", "too-many-analyses")
def ask_for_analysis(call: Call, match_id: str) -> Response:
    """Ask for the analysis of a finished match.

    It is made once, however often it is asked for; by another version of the engine than this
    release's, it is made anew. You can wait for one at a time.
    """
    return call.do_once(
        lambda report: make_stored_json(report._asdict(), _choose_status(report)),
        partial(call.house.analyses.ask, call.look, match_id),
    )


@route("GET", "/matches/<match_id>/analysis", TAG, OPEN)
@gives(200, AnalysisSchema(), "It is done, or could not be made (`failed`).")
@gives(202, AnalysisSchema(), "It is being made.")
@refuses("match-not-over", "no-analysis")
def show_analysis(call: Call, match_id: str) -> Response:
    """Show the analysis of a finished match, as far as it is."""
    report = call.house.analyses.show(call.look, match_id)
    return answer_json(report._asdict(), _choose_status(report))


def _choose_status(report: Report) -> int:
    return 200 if report.over else 202
