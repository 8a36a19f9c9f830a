"""What a match's page has beside the match: chat, notes, conditional moves, and what comes after.

After a match come the reason for which a challenge was declined, and the rematch.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from flask import request, url_for

from domain.game.game import AnyGame
from domain.match.conditional_moves import ConditionalMoves, split
from domain.match.move_count import tell_count
from domain.match.state import ABORTED, ACTIVE, FINISHED, OPEN
from domain.match.views import MatchView
from services.accounts.sessions import Session
from services.errors import NotFound
from services.matches.conditional_moves import plans as conditional_moves
from services.replays.replay import Replay, get_frame_at
from services.store.challenges import DeclineRow
from services.store.talk import NoteRow
from services.talk.chat import LONGEST, PLAYERS, SPECTATORS, Speaker, list_open_rooms
from services.talk.moderation import LONGEST as LONGEST_REASON
from web.i18n import N_, _, translate
from web.pages.common.news import compute_mark
from web.pages.common.visitors import find_guest, find_practiser, find_visitor, player_of
from web.pages.matches.actions import read_entry
from web.pages.matches.series import goes_on
from web.pages.replays.analysis import Shown as Analysis
from web.pages.replays.what_if import can_try, make_line_url
from web.site import get_site

MOST_MESSAGES = 50
MOST_HAPPENINGS = 5


def make_panels(replay: Replay, on: int) -> dict[str, Any]:
    """Return what stands beside a match for the visitor; ``on``: the version that is shown.

    ``notes``: None for somebody without an account, else each with where it is. ``typed``: what
    was sent and could not be taken, by the name of the field. Whoever plays without an account
    has nobody to talk to, or to be quicker than.
    """
    found: dict[str, Any] = {"rooms": [], "notes": None, "lines": None, "typed": {}, "on": on}
    if find_practiser() or find_guest():
        return found
    player = find_visitor()
    view, house = replay.shown.view, get_site().house
    # Whoever plays without an account never reads what is said at their board.
    nameless = any(map(replay.shown.is_nameless, view.seats))
    rooms = [] if nameless else list_open_rooms(view, replay.shown.you)
    return {
        **found,
        "rooms": [_show_room(view.id, room, player) for room in rooms],
        "mark": compute_mark(house, replay.shown, player_of(player)),
        "notes": None if player is None else _list_notes(replay, player.player),
        "lines": _show_lines(replay, player),
        "typed": dict(request.form),
    }


def _list_notes(replay: Replay, player: str) -> list[tuple[NoteRow, str]]:
    notes = get_site().house.notes.list_by_match(player, replay.shown.view.id)
    return [(one, translate(tell_count(get_frame_at(replay, one.version).place))) for one in notes]


_REFUSED = {"line": "lines", "note": "notes", "analysis": "analysis"}
"""By the field at which something was refused, the panel that has it."""


def choose_panel(
    view: MatchView, aside: Mapping[str, Any], errors: Mapping[str, str], analysis: Analysis | None
) -> str:
    """Return the panel that is open at first: what was refused, else what there is to read."""
    for field, panel in _REFUSED.items():
        if field in errors:
            return panel
    if "chat" in errors:
        return str(aside["typed"].get("room"))
    rooms = {one["name"]: one["messages"] for one in aside["rooms"]}
    spoken = next((name for name, messages in rooms.items() if messages), None)
    if analysis is not None and (analysis.report is not None or spoken is None):
        return "analysis"
    return spoken or next(iter(rooms if view.status == ACTIVE else ()), "about")


_TITLES = {
    PLAYERS: (N_("Chat"), N_("Only your opponent and you read this.")),
    SPECTATORS: (
        N_("Spectators' chat"),
        N_("The players read this when their match is over."),
    ),
}
"""Of each room its title, and who reads there."""


def _show_room(match_id: str, name: str, player: Session | None) -> dict[str, Any]:
    title, hint = map(_, _TITLES[name])
    speaker = Speaker(player_of(player))
    page = get_site().house.chat.read(
        speaker, match_id, name, after=0, before=None, limit=MOST_MESSAGES
    )
    moderation = get_site().house.moderation
    return {
        "reported": set() if player is None else moderation.list_reported(player.player, match_id),
        "longest_reason": LONGEST_REASON,
        "name": name,
        "title": title,
        "hint": hint,
        # The oldest first.
        "messages": page.listed[::-1],
        "me": None if player is None else player.name,
        "most": LONGEST,
    }


def _show_lines(replay: Replay, player: Session | None) -> dict[str, Any] | None:
    """Return a player's conditional moves, and what a form for another one needs.

    ``after``: the moves that they make by hand first. ``board``: where lines are entered on a
    board, None where that is not possible. ``yours``: it is the player's own turn.
    """
    view, you = replay.shown.view, replay.shown.you
    if player is None or you is None or view.status != ACTIVE:
        return None
    conditionals, game = get_site().house.conditional_moves, view.game
    shown = conditionals.show(player.player, view.id)
    happenings = conditionals.list_happenings(player.player, view.id, None, MOST_HAPPENINGS).listed
    after, lines = split(shown.kept.lines)
    labels: list[str] = []
    return {
        "version": shown.kept.version,
        "match_version": view.version,
        "after": [game.notation.write(move) for move in after],
        "lines": _describe_lines(lines, game, "", labels),
        "labels": labels,
        "happenings": happenings,
        "board": make_line_url(view.id, view.version, ()) if can_try(view, None) else None,
        "yours": view.to_act == you,
    }


def _describe_lines(
    lines: ConditionalMoves, game: AnyGame, above: str, labels: list[str]
) -> list[tuple[str, str, list[Any]]]:
    """Return lines with their labels, in words, and with what follows on them; note the labels."""
    found = []
    for number, line in enumerate(lines, 1):
        label = f"{above}{number}"
        labels.append(label)
        found.append(
            (
                label,
                conditional_moves.describe_line(line, game),
                _describe_lines(line.next, game, f"{label}.", labels),
            )
        )
    return found


def make_place_url(match_id: str, place: str) -> str:
    """Return the address of a match's page at a place beside it; a draft of a move stays."""
    asked = read_entry()
    draft: dict[str, Any] = {"path": asked.path, "then": asked.then, "on": asked.on}
    draft = draft if asked.path or asked.then else {}
    return url_for("pages.match", match_id=match_id, _anchor=place, **draft)


def find_aftermath(replay: Replay) -> dict[str, Any] | None:
    """Return what is offered to the visitor, or None: the match goes on, or is not theirs.

    ``label``: what the button to ask for a rematch says, None where there is no such button.
    ``link``: to a rematch that is there, and ``told`` says how it stands.
    """
    view, you, player = replay.shown.view, replay.shown.you, find_visitor()
    if player is None or view.status not in (FINISHED, ABORTED):
        return None
    asked = player.player in (view.creator, view.opponent)
    declined = _find_decline(player.player, view.id) if asked and view.status == ABORTED else None
    if you is not None and view.sight is not None and not goes_on(view):
        label, link, told = _describe_rematch(player.player, view.id)
        return {"declined": declined, "label": label, "link": link, "told": told}
    return {"declined": declined} if declined else None


def _find_decline(player: str, match_id: str) -> DeclineRow | None:
    with suppress(NotFound):
        return get_site().house.challenges.get_decline(player, match_id)
    return None


def _describe_rematch(player: str, match_id: str) -> tuple[str | None, str | None, str | None]:
    """Return what the button says, the link to the rematch, and how it stands."""
    found = get_site().house.rematches.find(player, match_id)
    if found is None or found.view.status == ABORTED:
        return _("Play again, seats swapped"), None, None
    link, open_ = url_for("pages.match", match_id=found.view.id), found.view.status == OPEN
    if open_ and found.you is None:
        told = _("Your opponent wants to play again, seats swapped.")
        return _("Accept the rematch"), link, told
    if open_:
        return None, link, _("You have asked for a rematch; your opponent has not answered yet.")
    if found.view.status == ACTIVE:
        return None, link, _("The rematch is being played.")
    return None, link, _("The rematch has been played.")
