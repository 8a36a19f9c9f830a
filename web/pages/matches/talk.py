"""Chat and notes, sent from a match's page."""

from __future__ import annotations

from flask import Response, request

from services.errors import CannotBeChallenged, InvalidRequest, InvalidText, TooManyNotes, TooOften
from services.matches.requests import Repeatable
from services.store.talk import Room
from services.talk.chat import Message, Speaker
from web.http.answers import stored_answer
from web.i18n import _
from web.pages.common.answers import lead_to
from web.pages.common.forms import leading, number, once, text
from web.pages.common.visitors import the_player
from web.pages.matches.match import refused_at
from web.pages.matches.panels import back_to
from web.site import this_site

_NOT_SO = (CannotBeChallenged, InvalidText, TooManyNotes, TooOften)
"""Refusals after which one types something else, or waits: the page shows them at the field."""


@refused_at("chat", *_NOT_SO)
def say(match_id: str) -> Response:
    """Say something in a room; the same form sent again says nothing more."""
    player, lead = the_player().player, leading(back_to(match_id, "chat"))
    posting: Repeatable[Message] = Repeatable(*once(), lambda _: lead)
    _, answer = this_site().house.chat.say(player, match_id, text("room"), _typed(), posting)
    return stored_answer(answer or lead)


def unsay(match_id: str) -> Response:
    """Delete a message of one's own."""
    player, message = the_player().player, number("number")
    chat = this_site().house.chat
    chat.delete(Speaker(player), match_id, text("room"), message or 0)
    return lead_to(back_to(match_id, "chat"))


@refused_at("chat", InvalidText, TooOften)
def report(match_id: str) -> Response:
    """Report a message to the administrators, with a reason."""
    player, room = the_player().player, Room(match_id, text("room"))
    moderation = this_site().house.moderation
    moderation.report(player, room, number("number") or 0, text("reason"))
    return lead_to(back_to(match_id, "chat"))


@refused_at("note", *_NOT_SO)
def note(match_id: str) -> Response:
    """Keep a note, or delete it; another one on the same step is added to the first."""
    player, version = the_player().player, number("step")
    if version is None:
        raise InvalidRequest(_("A note is on a step, or on the whole match (0)."), pointer="/step")
    notes, where = this_site().house.notes, back_to(match_id, "notes")
    if "delete" in request.form:
        notes.delete(player, match_id, version)
        return lead_to(where)
    content = _typed()
    if "new" in request.form:
        there = {one.version: one.text for one in notes.of_match(player, match_id)}
        content = _added(there.get(version), content)
    notes.write(player, match_id, version, content)
    return lead_to(where)


def _added(there: str | None, more: str) -> str:
    """Return a note with more to it. What was sent twice stands there once."""
    if there is None or there == more or there.endswith(f"\n\n{more}"):
        return there or more
    return f"{there}\n\n{more}"


def _typed() -> str:
    """Return a text as it was typed, with its line breaks."""
    return request.form.get("text", "").replace("\r\n", "\n").replace("\0", "\ufffd").strip()
