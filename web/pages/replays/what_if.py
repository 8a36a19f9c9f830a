"""What if: a private board from any step on; all of it is in the address, so it can be shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response, request, url_for

from domain.game.scene import Scene, tried
from domain.i18n import say
from domain.match.move_count import MoveCount, told_count
from domain.match.state import ACTIVE, FINISHED
from domain.match.views import MatchView, drawn
from services.drawing.svg.picture import NOWHERE
from services.errors import InvalidRequest
from services.replays.what_if import TriedLine
from web.http.requests import whole
from web.i18n import speak_of, told
from web.pages.boards.boards import Boards, draw_boards, flip_in_address
from web.pages.boards.entry import Entry, EntryAddress, ahead, enter
from web.pages.common.answers import answer_page
from web.pages.common.forms import fresh_key
from web.pages.common.words import name_of, people_of
from web.pages.replays.exports import is_for_everybody
from web.pages.replays.frames import asked_look, seen, version
from web.pages.replays.steps import step_url
from web.site import this_site

ANCHOR = "board"


def can_try(view: MatchView, asked: str | None) -> bool:
    """Whether moves can be tried in a match by one who sees it as ``asked``."""
    return not view.game.secrets or (view.status == FINISHED and asked is None)


def line_url(match_id: str, at: int, moves: Sequence[str], **more: Any) -> str:  # noqa: ANN401
    """Return the address of a line from a step on; a step of its next move is in ``path``."""
    given: dict[str, Any] = {name: value for name, value in more.items() if value}
    given["try"] = list(moves)
    return url_for("pages.line", match_id=match_id, at=at, _anchor=ANCHOR, **given)


def show_line(match_id: str) -> Response:
    """Show a private board with the moves that the address tries from a step on.

    With ``once`` a move is tried with its last step, and not shown before.

    Raises ``NotFound``, and ``InvalidRequest`` for an address that cannot be.
    """
    at = version("at")
    if at is None:
        raise InvalidRequest(say("'at' says from which event on, such as 7."), pointer="/at")
    typed = request.args.get("move", "").strip()
    asked = EntryAddress(tuple(request.args.getlist("path")), typed, pay=True)
    moves = [one.strip() for one in request.args.getlist("try")]
    line, scene, entry = _entered(match_id, at, moves, asked)
    if "once" in request.args and entry and entry.preview and (asked.path or asked.move):
        line, scene, entry = _entered(match_id, at, [*moves, entry.preview.text], EntryAddress())
    texts = [one.text for one in line.tried]
    view = line.shown.view
    address = line_url(match_id, at, texts)
    return answer_page(
        "replays/what_if.html",
        line=line,
        match=view,
        at=at,
        end_at=told(told_count(MoveCount(line.view.ply, made=bool(line.tried)))),
        start_at=told(told_count(line.start)),
        players={seat: name_of(line.shown, seat) for seat in (1, 2)},
        boards=_boards(scene, entry, line) if scene else None,
        entry=entry,
        steps=[
            (one.text, one.told, line_url(match_id, at, texts[: number + 1]))
            for number, one in enumerate(line.tried)
        ],
        texts=texts,
        flip=flip_in_address().get("flip"),
        start=line_url(match_id, at, ()),
        shorter=line_url(match_id, at, texts[:-1]),
        following=line_url(match_id, at, [*texts, entry.preview.text])
        if entry and entry.preview
        else None,
        back=step_url(match_id, at, None),
        keep=_can_keep(line, at),
        key=fresh_key(),
        share=whole(address) if view.status == FINISHED and is_for_everybody(view) else None,
    )


def _entered(
    match_id: str, at: int, moves: Sequence[str], asked: EntryAddress
) -> tuple[TriedLine, Scene | None, Entry | None]:
    """Return a line, what there is to draw of its end, and the move that would come next."""
    line = this_site().house.what_if.line(asked_look(), match_id, at, moves)
    speak_of(people_of(line.shown))
    texts = [one.text for one in line.tried]
    scene = seen(drawn(line.view), line.shown)
    return line, scene, _entry(line, at, texts, asked, scene) if scene and line.legal else None


def _boards(scene: Scene, entry: Entry | None, line: TriedLine) -> Boards:
    after = seen(ahead(entry), line.shown)
    ways = entry.ways if entry else NOWHERE
    return draw_boards(tried(scene, after) if after else scene, ways)


def _can_keep(line: TriedLine, at: int) -> bool:
    """Whether the line may become conditional moves of the one who tries it."""
    view, you = line.shown.view, line.shown.you
    if you is None or view.status != ACTIVE or at != view.version or not line.tried:
        return False
    return line.tried[-1].seat == you and any(one.seat != you for one in line.tried)


def _entry(line: TriedLine, at: int, texts: list[str], asked: EntryAddress, scene: Scene) -> Entry:
    match_id = line.view.id

    def address(path: Sequence[str], **more: str) -> str:
        return line_url(match_id, at, texts, path=list(path), **more)

    return enter(line.view, line.legal, scene, asked, address)
