"""What a match's page has beside the match: chat, notes, conditional moves of the one who looks."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import request, url_for

from domain.game.game import AnyGame
from domain.match.conditional_moves import Lines, split
from domain.match.state import ACTIVE, FINISHED
from services.accounts.sessions import Session
from services.matches.access import PRIVATE
from services.matches.conditional_moves import told
from services.replays.replays import Replay
from services.store.conditional_moves import Numbered
from services.store.notes import NoteRow
from services.talk.chat import LONGEST, PLAYERS, SPECTATORS, Message, Speaker
from web.pages.common.visitors import practising, visitor
from web.pages.matches.actions import asked_entry
from web.pages.replays.what_if import can_try, line_url
from web.site import this_site
from web.texts import _

MOST_MESSAGES = 50
MOST_HAPPENINGS = 5


class Room(NamedTuple):
    """A room for chat: its messages, oldest first; ``writes``: whether the visitor may say more.

    ``name`` is that of the room, ``me`` the visitor's name, ``most`` the characters of a message.
    """

    name: str
    title: str
    hint: str
    messages: list[Message]
    writes: bool
    me: str | None
    most: int = LONGEST


class Line(NamedTuple):
    """A conditional line: its label, itself in words, what follows on it."""

    label: str
    text: str
    next: list[Line]


class LinePanel(NamedTuple):
    """A player's conditional moves.

    ``after``: the moves that they make by hand first, in notation. ``labels``: of all lines.
    ``board``: where lines are entered on a board, None where that is not possible. ``yours``:
    it is the player's own turn.
    """

    version: int
    match_version: int
    after: list[str]
    lines: list[Line]
    labels: list[str]
    happenings: list[Numbered]
    board: str | None
    yours: bool


class Beside(NamedTuple):
    """All of it. ``notes``: None for somebody without an account.

    ``typed``: what was sent and could not be taken, by the name of the field. ``on``: the version
    that is shown, to which a note can be tied.
    """

    rooms: list[Room]
    notes: list[NoteRow] | None
    lines: LinePanel | None
    typed: dict[str, str]
    on: int


def beside(replay: Replay, on: int) -> Beside:
    """Return what stands beside a match for the visitor; ``on``: the version that is shown.

    Whoever plays both seats by themselves has nobody to talk to, or to be quicker than.
    """
    if practising():
        return Beside([], None, None, {}, on)
    player = visitor()
    view, house = replay.shown.view, this_site().house
    notes = None if player is None else house.notes.of_match(player.player, view.id)
    return Beside(_rooms(replay, player), notes, _lines(replay, player), dict(request.form), on)


def _rooms(replay: Replay, player: Session | None) -> list[Room]:
    view, seated = replay.shown.view, replay.shown.you is not None
    rooms = []
    if seated and view.seats[0] and view.seats[1]:
        hint = _("Only your opponent and you read this.")
        rooms.append(_room(view.id, PLAYERS, _("Chat"), hint, player))
    begun = view.status in (ACTIVE, FINISHED)
    if view.visibility != PRIVATE and (begun if not seated else view.status == FINISHED):
        hint = _("The players read this when their match is over.")
        rooms.append(_room(view.id, SPECTATORS, _("Chat of those who watch"), hint, player))
    return rooms


def _room(match_id: str, name: str, title: str, hint: str, player: Session | None) -> Room:
    speaker = Speaker(None if player is None else player.player)
    page = this_site().house.chat.read(
        speaker, match_id, name, after=0, before=None, limit=MOST_MESSAGES
    )
    me = None if player is None else player.name
    return Room(name, title, hint, page.messages[::-1], player is not None, me)


def _lines(replay: Replay, player: Session | None) -> LinePanel | None:
    view, you = replay.shown.view, replay.shown.you
    if player is None or you is None or view.status != ACTIVE:
        return None
    conditionals, game = this_site().house.conditionals, view.game
    shown = conditionals.show(player.player, view.id)
    happenings = conditionals.happenings(player.player, view.id, None, MOST_HAPPENINGS).happenings
    after, lines = split(shown.kept.lines)
    labels: list[str] = []
    return LinePanel(
        shown.kept.version,
        view.version,
        [game.notation.write(move) for move in after],
        _told(lines, game, "", labels),
        labels,
        happenings,
        line_url(view.id, view.version, ()) if can_try(view, None) else None,
        view.to_act == you,
    )


def _told(lines: Lines, game: AnyGame, above: str, labels: list[str]) -> list[Line]:
    found = []
    for number, line in enumerate(lines, 1):
        label = f"{above}{number}"
        labels.append(label)
        found.append(Line(label, told(line, game), _told(line.next, game, f"{label}.", labels)))
    return found


def back_to(match_id: str, place: str) -> str:
    """Return the address of a match's page at a place beside it; a draft of a move stays."""
    asked = asked_entry()
    draft: dict[str, Any] = {"path": asked.path, "on": asked.on} if asked.path else {}
    return url_for("pages.match", match_id=match_id, _anchor=place, **draft)
