"""Conditional moves, sent from a match's page or from a board on which they were tried."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, request

from domain.errors import InvalidConditionalMoves, MalformedMove, MatchNotActive, YourTurn
from domain.game.game import AnyGame
from domain.json_types import JsonObject
from domain.match.conditional_moves import ConditionalMoves, Line, make_line, put_under
from services.errors import StaleVersion
from services.matches.conditional_moves.plans import ConditionalMovesChange, StaleLines
from services.matches.queries import Asker
from web.i18n import _
from web.pages.common.answers import lead_to
from web.pages.common.forms import read_decided_on, read_text
from web.pages.common.visitors import get_player
from web.pages.matches.match import refused_at, show_match
from web.pages.matches.panels import make_place_url
from web.site import get_site

_NOT_SO = (
    InvalidConditionalMoves,
    MalformedMove,
    MatchNotActive,
    StaleLines,
    StaleVersion,
    YourTurn,
)


@refused_at("line", *_NOT_SO)
def add_line(match_id: str) -> Response:
    """Keep a line: moves that were tried on a board, or typed in."""
    house, player = get_site().house, get_player().player
    version = read_decided_on("version")
    tries = [one.strip() for one in request.form.getlist("try")]
    try:
        line = _read_tried_line(match_id, version, tries) if tries else _read_typed_line(match_id)
        house.conditional_moves.add(player, match_id, version, line)
    except StaleVersion:
        gone_on = _(
            "The match has gone on since you began this line. Look at it, and enter it again."
        )
        return show_match(match_id, 409, {"line": gone_on})
    return lead_to(make_place_url(match_id, "lines"))


@refused_at("line", *_NOT_SO)
def remove_line(match_id: str) -> Response:
    """Remove a line and what follows on it, or, without a label, all of them."""
    change = ConditionalMovesChange(get_player().player, read_decided_on("lines"))
    get_site().house.conditional_moves.remove(change, match_id, read_text("label") or None)
    return lead_to(make_place_url(match_id, "lines"))


def _read_tried_line(match_id: str, version: int, tries: Sequence[str]) -> ConditionalMoves:
    """Return the line that was tried on a board."""
    look = Asker(get_player().player)
    line = get_site().house.what_if.try_line(look, match_id, version, tries)
    if line.fault is not None:
        raise InvalidConditionalMoves(line.fault)
    read = line.view.game.notation.read
    return make_line([(one.seat, read(one.text)) for one in line.tried], line.shown.you or 0)


def _read_typed_line(match_id: str) -> ConditionalMoves:
    """Return the line that was typed in: a condition, answers, perhaps behind another line."""
    player = get_player().player
    conditionals = get_site().house.conditional_moves
    shown = conditionals.show(player, match_id)
    game = shown.game
    first = _read_moves(game, read_text("first"))
    condition = conditionals.read_condition(player, match_id, read_text("if"))
    answers = _read_moves(game, read_text("then"))
    if not answers:
        raise InvalidConditionalMoves(_("A line ends with a move of yours."))
    label = read_text("under")
    if not label:
        you = shown.kept.seat
        before, behind = ([(you, one) for one in moves] for moves in (first, answers))
        return make_line([*before, (3 - you, condition), *behind], you)
    return _add_behind(shown.kept.lines, label, (Line(condition, tuple(answers)),))


def _add_behind(kept: ConditionalMoves, label: str, more: ConditionalMoves) -> ConditionalMoves:
    first = kept[0] if kept and not kept[0].when else None
    found = put_under(first.next if first else kept, label, more)
    if found is None:
        raise InvalidConditionalMoves(_("You have no line %(label)s any more.") % {"label": label})
    return (first._replace(next=found),) if first else found


def _read_moves(game: AnyGame, typed: str) -> list[JsonObject]:
    """Read moves that stand one after the other, with semicolons in between."""
    read = [game.notation.read(one.strip()) for one in typed.split(";") if one.strip()]
    return [game.dump_move(game.parse_move(one)) for one in read]
