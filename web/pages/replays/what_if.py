"""What if: a private board from any step on; all of it is in the address, so it can be shared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Response, request, url_for

from domain.game.scene import Scene, mark_tried
from domain.i18n import say
from domain.match.move_count import MoveCount, tell_count
from domain.match.state import ACTIVE, FINISHED
from domain.match.views import MatchView, build_scene
from services.drawing.svg.picture import NOWHERE
from services.errors import InvalidRequest
from services.replays.what_if import TriedLine
from web.http.requests import make_public_url
from web.i18n import speak_of, translate
from web.pages.boards.boards import Boards, draw_boards, read_flip
from web.pages.boards.entry import Entry, EntryAddress, enter, look_ahead, read_tried_move
from web.pages.common.answers import answer_page
from web.pages.common.forms import make_key
from web.pages.common.words import name_of, people_of
from web.pages.replays.exports import is_for_everybody
from web.pages.replays.frames import read_look, read_version, turn_to_reader
from web.pages.replays.steps import make_step_url
from web.site import get_site

ANCHOR = "board"


def can_try(view: MatchView, asked: str | None) -> bool:
    """Whether moves can be tried in a match by one who sees it as ``asked``."""
    return not view.game.secrets or (view.status == FINISHED and asked is None)


def make_line_url(
    match_id: str, at: int, moves: Sequence[str], path: Sequence[str] = (), **more: str
) -> str:
    """Return the address of a line from a step on, and ``path``: steps of its next move."""
    given: dict[str, Any] = {"path": list(path)} if path else {}
    given |= {**more, "try": list(moves)}
    return url_for("pages.line", match_id=match_id, at=at, _anchor=ANCHOR, **given)


def show_line(match_id: str) -> Response:
    """Show a private board with the moves that the address tries from a step on.

    With ``once`` a move is tried with its last step, and not shown before.

    Raises ``NotFound``, and ``InvalidRequest`` for an address that cannot be.
    """
    at = read_version("at")
    if at is None:
        raise InvalidRequest(say("'at' says from which event on, such as 7."), pointer="/at")
    asked = read_tried_move()
    moves = [one.strip() for one in request.args.getlist("try")]
    line, scene, entry = _enter_line(match_id, at, moves, asked)
    if "once" in request.args and entry and entry.preview and (asked.path or asked.move):
        line, scene, entry = _enter_line(match_id, at, [*moves, entry.preview.text], EntryAddress())
    texts = [one.text for one in line.tried]
    view = line.shown.view
    address = make_line_url(match_id, at, texts)
    return answer_page(
        "replays/what_if.html",
        line=line,
        match=view,
        at=at,
        end_at=translate(tell_count(MoveCount(line.view.ply, made=bool(line.tried)))),
        start_at=translate(tell_count(line.start)),
        players={seat: name_of(line.shown, seat) for seat in (1, 2)},
        boards=_draw_boards(scene, entry, line) if scene else None,
        entry=entry,
        steps=[
            (one.text, one.told, make_line_url(match_id, at, texts[: number + 1]))
            for number, one in enumerate(line.tried)
        ],
        texts=texts,
        flip=read_flip(),
        start=make_line_url(match_id, at, ()),
        shorter=make_line_url(match_id, at, texts[:-1]),
        following=make_line_url(match_id, at, [*texts, entry.preview.text])
        if entry and entry.preview
        else None,
        back=make_step_url(match_id, at, None),
        keep=_can_keep(line, at),
        key=make_key(),
        share=make_public_url(address)
        if view.status == FINISHED and is_for_everybody(view)
        else None,
    )


def _enter_line(
    match_id: str, at: int, moves: Sequence[str], asked: EntryAddress
) -> tuple[TriedLine, Scene | None, Entry | None]:
    """Return a line, what there is to draw of its end, and the move that would come next."""
    line = get_site().house.what_if.try_line(read_look(), match_id, at, moves)
    speak_of(people_of(line.shown))
    texts = [one.text for one in line.tried]
    scene = turn_to_reader(build_scene(line.view), line.shown)
    if scene is None or not line.legal:
        return line, scene, None
    address = partial(make_line_url, match_id, at, texts)
    return line, scene, enter(line.view, line.legal, scene, asked, address)


def _draw_boards(scene: Scene, entry: Entry | None, line: TriedLine) -> Boards:
    after = turn_to_reader(look_ahead(entry), line.shown)
    ways = entry.ways if entry else NOWHERE
    return draw_boards(mark_tried(scene, after) if after else scene, ways)


def _can_keep(line: TriedLine, at: int) -> bool:
    """Whether the line may become conditional moves of the one who tries it."""
    view, you = line.shown.view, line.shown.you
    if you is None or view.status != ACTIVE or at != view.version or not line.tried:
        return False
    return line.tried[-1].seat == you and any(one.seat != you for one in line.tried)
