"""What a match's page has beside the match: chat, notes, conditional moves, and what comes after.

After a match come the reason for which a challenge was declined, and the rematch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import request, url_for

from domain.game.game import AnyGame
from domain.match.conditional_moves import ConditionalMoves, split
from domain.match.state import ABORTED, ACTIVE, FINISHED, OPEN
from services.accounts.sessions import Session
from services.errors import NotFound
from services.matches.access import PRIVATE
from services.matches.conditional_moves import told
from services.replays.replay import Replay
from services.store.challenges import DeclineRow
from services.store.conditional_moves import Numbered
from services.store.talk import NoteRow
from services.talk.chat import LONGEST, PLAYERS, SPECTATORS, Message, Speaker
from web.i18n import _
from web.pages.common.forms import fresh_key
from web.pages.common.visitors import practising, visitor
from web.pages.matches.actions import asked_entry
from web.pages.replays.what_if import can_try, line_url
from web.site import this_site

MOST_MESSAGES = 50
MOST_HAPPENINGS = 5


class ChatPanel(NamedTuple):
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


class LineForm(NamedTuple):
    """A conditional line: its label, itself in words, what follows on it."""

    label: str
    text: str
    next: list[LineForm]


class LinePanel(NamedTuple):
    """A player's conditional moves.

    ``after``: the moves that they make by hand first, in notation. ``labels``: of all lines.
    ``board``: where lines are entered on a board, None where that is not possible. ``yours``:
    it is the player's own turn.
    """

    version: int
    match_version: int
    after: list[str]
    lines: list[LineForm]
    labels: list[str]
    happenings: list[Numbered]
    board: str | None
    yours: bool


class Beside(NamedTuple):
    """All of it. ``notes``: None for somebody without an account.

    ``typed``: what was sent and could not be taken, by the name of the field. ``on``: the version
    that is shown, to which a note can be tied.
    """

    rooms: list[ChatPanel]
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


def _rooms(replay: Replay, player: Session | None) -> list[ChatPanel]:
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


def _room(match_id: str, name: str, title: str, hint: str, player: Session | None) -> ChatPanel:
    speaker = Speaker(None if player is None else player.player)
    page = this_site().house.chat.read(
        speaker, match_id, name, after=0, before=None, limit=MOST_MESSAGES
    )
    me = None if player is None else player.name
    return ChatPanel(name, title, hint, page.messages[::-1], player is not None, me)


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


def _told(lines: ConditionalMoves, game: AnyGame, above: str, labels: list[str]) -> list[LineForm]:
    found = []
    for number, line in enumerate(lines, 1):
        label = f"{above}{number}"
        labels.append(label)
        found.append(LineForm(label, told(line, game), _told(line.next, game, f"{label}.", labels)))
    return found


def back_to(match_id: str, place: str) -> str:
    """Return the address of a match's page at a place beside it; a draft of a move stays."""
    asked = asked_entry()
    draft: dict[str, Any] = {"path": asked.path, "on": asked.on} if asked.path else {}
    return url_for("pages.match", match_id=match_id, _anchor=place, **draft)


class After(NamedTuple):
    """What is offered when a match is over.

    ``label``: what the button to ask for a rematch says, None where there is no such button.
    ``link``: to a rematch that is there, and ``told`` says how it stands.
    """

    key: str
    declined: DeclineRow | None
    label: str | None
    link: str | None
    told: str | None


def after(replay: Replay) -> After | None:
    """Return what is offered to the visitor, or None: the match goes on, or is not theirs."""
    view, you, player = replay.shown.view, replay.shown.you, visitor()
    if player is None or view.status not in (FINISHED, ABORTED):
        return None
    asked = player.player in (view.creator, view.opponent)
    declined = _declined(player.player, view.id) if asked and view.status == ABORTED else None
    if you is None or len(replay.frames) < 1 or view.sight is None:
        return After(fresh_key(), declined, None, None, None) if declined else None
    return After(fresh_key(), declined, *_rematch(player.player, view.id))


def _declined(player: str, match_id: str) -> DeclineRow | None:
    try:
        return this_site().house.starting.declined(player, match_id)
    except NotFound:
        return None


def _rematch(player: str, match_id: str) -> tuple[str | None, str | None, str | None]:
    """Return what the button says, the link to the rematch, and how it stands."""
    found = this_site().house.rematches.of(player, match_id)
    if found is None or found.view.status == ABORTED:
        return _("Play again, seats swapped"), None, None
    link = url_for("pages.match", match_id=found.view.id)
    if found.view.status == OPEN and found.you is None:
        return (
            _("Take up the rematch"),
            link,
            _("Your opponent wants to play again, seats swapped."),
        )
    if found.view.status == OPEN:
        return None, link, _("You have asked for a rematch; your opponent has not answered yet.")
    if found.view.status == ACTIVE:
        return None, link, _("The rematch is being played.")
    return None, link, _("The rematch has been played.")
