"""CSV: one row an event, with what happened in columns of its own and all of it as JSON.

A spreadsheet takes a cell that begins with certain characters for a formula, so that somebody's
name could compute. Such a cell gets an apostrophe in front, and so does one that begins with an
apostrophe: whoever reads takes one away where there is one, and has the text as it was.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import TypeAlias

from domain.game.game import AnyGame
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from services.exchange.block_format import Reader, Subject, show_stored
from services.store.analyses import AnalysisRow

COLUMNS = (
    "match",
    "game",
    "rules_version",
    "viewer",
    "events",
    "version",
    "at",
    "kind",
    "actor",
    "seat",
    "player",
    "name",
    "ply",
    "move",
    "winner",
    "reason",
    "data",
    "sealed",
    "previous",
    "hash",
)
"""The columns of version 1; later ones come behind these."""

ANALYSIS_COLUMNS = (
    "analysis_engine",
    "analysis_kind",
    "analysis_winner",
    "analysis_margin",
    "analysis_plies",
    "analysis_per_mille",
    "analysis_best",
    "analysis_loss",
    "analysis_mark",
)
"""Further columns behind those: of a move, what its position was worth, and what it cost."""

AnalysisCells: TypeAlias = Mapping[int, tuple[Json, ...]]
"""Cells of ``ANALYSIS_COLUMNS``, by the versions of moves."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def guard_cell(text: str) -> str:
    """Return a cell's text so that no spreadsheet takes it for a formula.

    >>> guard_cell("=1+1"), guard_cell("'tis"), guard_cell("ada")
    ("'=1+1", "''tis", 'ada')
    """
    return f"'{text}" if text.startswith(_FORMULAS) else text


def list_columns(*, analysed: bool) -> tuple[str, ...]:
    """Return the names of the columns; ``analysed``: with those of an analysis."""
    return COLUMNS + ANALYSIS_COLUMNS if analysed else COLUMNS


def write_head(*, analysed: bool = False) -> bytes:
    """Return the names of the columns."""
    return _write_csv([list_columns(analysed=analysed)])


def make_analysis_cells(row: AnalysisRow, found: Iterable[JsonObject]) -> AnalysisCells:
    """Return the cells of an analysis, by the versions of moves."""
    cells = {}
    for one in found:
        value, played, best = one["value"], one["played"], one["best"]
        if played is not None:
            cells[played["version"]] = (
                row.engine,
                *(value.get(name) for name in ("kind", "winner", "margin", "plies", "per_mille")),
                " ".join(best[0]["line"]) if best else None,
                one["loss"],
                one["mark"],
            )
    return cells


def write_rows(
    reader: Reader, subject: Subject, games: Games, analysis: AnalysisCells | None
) -> Iterator[bytes]:
    """Yield a match's rows in pieces, without the names of the columns.

    ``analysis``: with the columns of an analysis, which are empty where it says nothing.
    """
    game = games.get(subject.game, subject.rules_version)
    players: dict[int, str] = {}
    for events in reader.iter_pages(subject):
        found = (show_stored(stored, subject) for stored in events)
        yield _write_csv(
            _write_row(one, subject, game, players) + _write_analysis(analysis, one["version"])
            for one in found
        )


def _write_analysis(analysis: AnalysisCells | None, version: int) -> tuple[str, ...]:
    if analysis is None:
        return ()
    return tuple(map(_write_cell, analysis.get(version, (None,) * len(ANALYSIS_COLUMNS))))


def _write_row(
    event: JsonObject, subject: Subject, game: AnyGame, players: dict[int, str]
) -> tuple[str, ...]:
    """Return the cells of an event; who sits where, ``players``, is learnt on the way."""
    data, seat = event["data"], event["data"].get("seat")
    if event["kind"] == "seat-taken":
        players[seat] = data["player"]
    player = players.get(seat, "") if seat is not None else data.get("creator", "")
    cells = (
        event["match"],
        subject.game,
        subject.rules_version,
        subject.viewer.value,
        subject.events,
        event["version"],
        event["at"],
        event["kind"],
        event["actor"],
        seat,
        player,
        subject.names.get(player, ""),
        data.get("ply"),
        _write_move(event, game),
        data.get("winner"),
        data.get("reason"),
        write_canonical(data).decode(),
        write_canonical(event["sealed"]).decode() if event["sealed"] else None,
        event["previous"],
        event["hash"],
    )
    return tuple(map(_write_cell, cells))


def _write_move(event: JsonObject, game: AnyGame) -> str:
    """Write a move as the game does; what this viewer may not see of it is a ``?``."""
    if event["kind"] != "move-made":
        return ""
    whole = event["sealed"][0].get("value") if event["sealed"] else None
    return game.notation.write(event["data"]["move"] if whole is None else whole)


def _write_cell(value: Json) -> str:
    return "" if value is None else guard_cell(str(value))


def _write_csv(rows: Iterable[Iterable[str]]) -> bytes:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
