"""Chat and notes, sent from a match's page."""

from __future__ import annotations

from flask import Response, request

from services.errors import CannotBeChallenged, InvalidRequest, InvalidText, TooManyNotes, TooOften
from services.matches.requests import Repeatable
from services.store.talk import Room
from services.talk.chat import Message, Speaker
from web.http.answers import answer_stored
from web.i18n import _
from web.pages.common.answers import lead_to
from web.pages.common.forms import identify_form, make_lead, read_number, read_text
from web.pages.common.visitors import get_player
from web.pages.matches.match import refused_at
from web.pages.matches.panels import make_place_url
from web.site import get_site

_NOT_SO = (CannotBeChallenged, InvalidText, TooManyNotes, TooOften)
"""Refusals after which one types something else, or waits: the page shows them at the field."""


@refused_at("chat", *_NOT_SO)
def say(match_id: str) -> Response:
    """Say something in a room; the same form sent again says nothing more."""
    player, lead = get_player().player, make_lead(make_place_url(match_id, "chat"))
    posting: Repeatable[Message] = Repeatable(*identify_form(), lambda _: lead)
    _, answer = get_site().house.chat.say(
        player, match_id, read_text("room"), _read_content(), posting
    )
    return answer_stored(answer or lead)


def unsay(match_id: str) -> Response:
    """Delete a message of one's own."""
    player, message = get_player().player, read_number("number")
    chat = get_site().house.chat
    chat.delete(Speaker(player), match_id, read_text("room"), message or 0)
    return lead_to(make_place_url(match_id, "chat"))


@refused_at("chat", InvalidText, TooOften)
def report(match_id: str) -> Response:
    """Report a message to the administrators, with a reason."""
    player, room = get_player().player, Room(match_id, read_text("room"))
    moderation = get_site().house.moderation
    moderation.report(player, room, read_number("number") or 0, read_text("reason"))
    return lead_to(make_place_url(match_id, "chat"))


@refused_at("note", *_NOT_SO)
def note(match_id: str) -> Response:
    """Keep a note, or delete it; another one on the same step is added to the first."""
    player, version = get_player().player, read_number("step")
    if version is None:
        raise InvalidRequest(_("A note is on a step, or on the whole match (0)."), pointer="/step")
    notes, where = get_site().house.notes, make_place_url(match_id, "notes")
    if "delete" in request.form:
        notes.delete(player, match_id, version)
        return lead_to(where)
    content = _read_content()
    if "new" in request.form:
        there = {one.version: one.text for one in notes.list_by_match(player, match_id)}
        content = _add_to_note(there.get(version), content)
    notes.write(player, match_id, version, content)
    return lead_to(where)


def _add_to_note(there: str | None, more: str) -> str:
    """Return a note with more to it. What was sent twice stands there once."""
    if there is None or there == more or there.endswith(f"\n\n{more}"):
        return there or more
    return f"{there}\n\n{more}"


def _read_content() -> str:
    """Return a text as it was typed, with its line breaks."""
    return request.form.get("text", "").replace("\r\n", "\n").replace("\0", "\ufffd").strip()
